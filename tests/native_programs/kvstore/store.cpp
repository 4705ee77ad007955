#include "store.h"

#include <charconv>
#include <utility>

#include "crc32.h"

namespace kv {
namespace {

std::optional<std::int64_t> number_of(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The number in "kind-N", if it is one.
std::optional<std::uint64_t> number_in(const std::string& name, const std::string& kind) {
  if (name.compare(0, kind.size(), kind) != 0) return std::nullopt;
  const auto number = number_of(name.substr(kind.size()));
  return number ? std::optional<std::uint64_t>(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

}  // namespace

Store::Store(std::string folder, StoreOptions options)
    : folder_(std::move(folder)), options_(options), map_(options.stripes), cache_(options.cached) {
  recover();
  log_ = std::make_unique<WriteAheadLog>(file("log", generation_));
  compactor_ = std::make_unique<Compactor>([this] { compact(); });
}

Store::~Store() = default;

std::string Store::file(const char* kind, std::uint64_t number) const {
  return folder_ + "/" + kind + "-" + std::to_string(number);
}

void Store::apply(const Record& record) {
  auto& values = map_.stripe_of(record.key).values;
  if (record.kind == Record::Kind::kPut) values[record.key] = record.value;
  else values.erase(record.key);
}

void Store::recover() {
  std::uint64_t snapshot = 0, last = 0;
  for (const std::string& name : list_folder(folder_)) {
    if (auto number = number_in(name, "snapshot-")) snapshot = std::max(snapshot, *number);
    if (auto number = number_in(name, "log-")) last = std::max(last, *number);
  }
  const auto read_records = [&](const std::string& path) {
    const std::string bytes = read_file(path);
    std::string_view rest = bytes;
    while (auto record = decode(rest)) apply(*record);
    if (!rest.empty()) truncate_file(path, bytes.size() - rest.size());  // what was cut off when the program ended
  };
  if (snapshot > 0) read_records(file("snapshot", snapshot));
  for (std::uint64_t number = snapshot; number <= last; ++number) read_records(file("log", number));
  generation_ = std::max(snapshot, last);
}

std::uint64_t Store::change(StripedMap::Stripe& stripe, Record record) {
  const std::uint64_t number = log_->append(record);
  if (record.kind == Record::Kind::kPut) {
    cache_.put(record.key, record.value);
    stripe.values[record.key] = std::move(record.value);
  } else {
    cache_.erase(record.key);
    stripe.values.erase(record.key);
  }
  return number;
}

void Store::commit(std::uint64_t number) {
  log_->commit(number);
  if (log_->size() > options_.compact_above) compactor_->request();
}

std::optional<std::string> Store::get(const std::string& key) {
  if (auto cached = cache_.get(key)) return cached;
  const StripedMap::Stripe& stripe = map_.stripe_of(key);
  std::shared_lock hold(stripe.lock);
  const auto found = stripe.values.find(key);
  if (found == stripe.values.end()) return std::nullopt;
  cache_.put(key, found->second);  // under the lock: nobody changes it meanwhile
  return found->second;
}

void Store::put(const std::string& key, const std::string& value) {
  StripedMap::Stripe& stripe = map_.stripe_of(key);
  std::unique_lock hold(stripe.lock);
  const std::uint64_t number = change(stripe, {Record::Kind::kPut, key, value});
  hold.unlock();
  commit(number);
}

bool Store::erase(const std::string& key) {
  StripedMap::Stripe& stripe = map_.stripe_of(key);
  std::unique_lock hold(stripe.lock);
  if (!stripe.values.contains(key)) return false;
  const std::uint64_t number = change(stripe, {Record::Kind::kErase, key, {}});
  hold.unlock();
  commit(number);
  return true;
}

std::optional<std::int64_t> Store::increment(const std::string& key, std::int64_t by) {
  StripedMap::Stripe& stripe = map_.stripe_of(key);
  std::unique_lock hold(stripe.lock);
  std::int64_t value = 0;
  if (const auto found = stripe.values.find(key); found != stripe.values.end()) {
    const auto old = number_of(found->second);
    if (!old) return std::nullopt;
    value = *old;
  }
  value += by;
  const std::uint64_t number = change(stripe, {Record::Kind::kPut, key, std::to_string(value)});
  hold.unlock();
  commit(number);
  return value;
}

bool Store::compare_and_set(const std::string& key, const std::string& expected, const std::string& value) {
  StripedMap::Stripe& stripe = map_.stripe_of(key);
  std::unique_lock hold(stripe.lock);
  const auto found = stripe.values.find(key);
  if (found == stripe.values.end() || found->second != expected) return false;
  const std::uint64_t number = change(stripe, {Record::Kind::kPut, key, value});
  hold.unlock();
  commit(number);
  return true;
}

std::map<std::string, std::string> Store::dump() {
  const auto locks = map_.lock_all();
  return map_.copy();
}

void Store::settle() { compactor_->wait(); }

std::uint64_t Store::compactions() const {
  std::lock_guard hold(counters_);
  return compactions_;
}

void Store::compact() {
  if (log_->size() <= options_.compact_above) return;
  std::map<std::string, std::string> values;
  std::uint64_t next = 0;
  {
    const auto locks = map_.lock_all();
    next = ++generation_;
    log_->rotate(file("log", next));
    values = map_.copy();
  }
  std::string bytes;
  for (const auto& [key, value] : values) encode({Record::Kind::kPut, key, value}, bytes);
  replace_file(file("snapshot", next), bytes);
  for (const std::string& name : list_folder(folder_)) {
    const auto log = number_in(name, "log-"), snapshot = number_in(name, "snapshot-");
    if ((log && *log < next) || (snapshot && *snapshot < next)) remove_file(folder_ + "/" + name);
  }
  std::lock_guard hold(counters_);
  ++compactions_;
}

std::uint64_t digest(const std::map<std::string, std::string>& values) {
  std::uint64_t sum = values.size();
  for (const auto& [key, value] : values) sum = sum * 1099511628211u + (std::uint64_t{crc32(key)} << 32 | crc32(value));
  return sum;
}

}  // namespace kv
