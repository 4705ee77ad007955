#include "record.h"

#include "crc32.h"

namespace kv {
namespace {

void put_number(std::uint32_t number, std::string& into) {
  for (int shift = 0; shift < 32; shift += 8) into.push_back(static_cast<char>(number >> shift & 0xff));
}

std::uint32_t get_number(std::string_view bytes) {
  std::uint32_t number = 0;
  for (int i = 3; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return number;
}

constexpr std::size_t kHeader = 8;  // length of the body, checksum of the body
constexpr std::size_t kFixed = 5;   // kind, length of the key

}  // namespace

void encode(const Record& record, std::string& into) {
  std::string body;
  body.push_back(static_cast<char>(record.kind));
  put_number(static_cast<std::uint32_t>(record.key.size()), body);
  body += record.key;
  body += record.value;
  put_number(static_cast<std::uint32_t>(body.size()), into);
  put_number(crc32(body), into);
  into += body;
}

std::optional<Record> decode(std::string_view& bytes) {
  if (bytes.size() < kHeader) return std::nullopt;
  const std::size_t length = get_number(bytes);
  const std::uint32_t checksum = get_number(bytes.substr(4));
  if (length < kFixed || bytes.size() - kHeader < length) return std::nullopt;
  const std::string_view body = bytes.substr(kHeader, length);
  if (crc32(body) != checksum) return std::nullopt;
  const std::size_t key_length = get_number(body.substr(1));
  if (key_length > length - kFixed) return std::nullopt;
  Record record;
  record.kind = static_cast<Record::Kind>(body[0]);
  if (record.kind != Record::Kind::kPut && record.kind != Record::Kind::kErase) return std::nullopt;
  record.key = body.substr(kFixed, key_length);
  record.value = body.substr(kFixed + key_length);
  bytes.remove_prefix(kHeader + length);
  return record;
}

}  // namespace kv
