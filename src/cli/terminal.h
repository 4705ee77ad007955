// The machine and the terminal.
#pragma once

#include <cstdint>
#include <cstdio>

namespace tarry::cli {

std::uint64_t machine_memory();  // bytes that this process may use
std::uint32_t machine_cores();   // that it may use, 1 to 256

bool shows_color(std::FILE* stream);     // a terminal, and neither NO_COLOR nor TERM=dumb is set
int terminal_width(std::FILE* stream);

/// Of what is written there: $COLUMNS, the terminal's, or 100 where there is none.
std::size_t page_width(std::FILE* stream);

/// Does the locale say UTF-8?
bool shows_unicode();

}  // namespace tarry::cli
