#include "native/driver/dumped_traces.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "native/abi/messages.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

Diagnostic not_written(const fs::path& file) { return Diagnostic{fmt::format("{}: error: cannot be written", file.string())}; }

/// A worker that died leaves a line that is not whole.
void append_whole_lines(std::ifstream& in, std::ofstream& out) {
  for (std::string line; std::getline(in, line) && !in.eof();) out << line << '\n';
}

}  // namespace

std::optional<Diagnostic> begin_dump(const fs::path& file) {
  const std::ofstream out(file, std::ios::trunc);
  return out ? std::nullopt : std::optional(not_written(file));
}

std::optional<Diagnostic> collect_dump(const fs::path& file, std::uint32_t workers, const std::string& test, const std::string& search) {
  std::ofstream out(file, std::ios::app);
  out << nlohmann::json{{"format", "tarry-traces"}, {"version", 1}, {"test", test}, {"search", search}}.dump() << '\n';
  for (std::uint32_t worker = 0; worker < workers; ++worker) {
    const fs::path part = file.string() + worker_suffix(worker);
    {
      std::ifstream in(part);
      append_whole_lines(in, out);
    }
    std::error_code ignored;
    fs::remove(part, ignored);
  }
  out.flush();
  return out ? std::nullopt : std::optional(not_written(file));
}

}  // namespace tarry::native
