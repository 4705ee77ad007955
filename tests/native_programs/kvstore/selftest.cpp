#include "selftest.h"

#include <stdexcept>

#include "crc32.h"
#include "files.h"
#include "lru_cache.h"
#include "protocol.h"
#include "record.h"
#include "store.h"

namespace kv {
namespace {

int checks = 0;

void check(bool holds, const char* what) {
  ++checks;
  if (!holds) throw std::logic_error(std::string("failed: ") + what);
}

#define CHECK(condition) check((condition), #condition)

void test_records() {
  CHECK(crc32("123456789") == 0xcbf43926u);
  const Record put{Record::Kind::kPut, "key", "a value"}, erase{Record::Kind::kErase, "key", ""};
  std::string bytes;
  encode(put, bytes);
  encode(erase, bytes);
  std::string_view rest = bytes;
  CHECK(decode(rest) == put);
  CHECK(decode(rest) == erase);
  CHECK(rest.empty() && !decode(rest));
  for (std::size_t cut = 1; cut < 10; ++cut) {
    std::string_view damaged = std::string_view(bytes).substr(0, bytes.size() - cut);
    CHECK(decode(damaged) == put);
    CHECK(!decode(damaged));
  }
  bytes[12] ^= 1;
  rest = bytes;
  CHECK(!decode(rest));
}

void test_cache() {
  LruCache cache(2);
  cache.put("a", "1");
  cache.put("b", "2");
  CHECK(cache.get("a") == "1");
  cache.put("c", "3");
  CHECK(!cache.get("b"));
  CHECK(cache.get("a") == "1" && cache.get("c") == "3");
  cache.put("a", "4");
  cache.erase("c");
  CHECK(cache.get("a") == "4" && cache.size() == 1);
  CHECK(cache.hits() == 4 && cache.misses() == 1);
}

void test_protocol(const std::string& folder) {
  Store store(folder, {});
  bool quit = false;
  const auto says = [&](const char* line, const char* expected) {
    ++checks;
    if (const std::string got = answer(store, line, quit); got != expected)
      throw std::logic_error(std::string("'") + line + "' gives '" + got + "'");
  };
  says("GET a", "NONE");
  says("PUT a 1", "OK");
  says("INC a 41", "VALUE 42");
  says("PUT b x", "OK");
  says("INC b 1", "ERROR 'b' is not a number");
  says("INC a x", "ERROR expected a number, found 'x'");
  says("CAS b y z", "NO");
  says("CAS b x z", "OK");
  says("GET b", "VALUE z");
  says("SIZE", "VALUE 2");
  says("DEL b", "OK");
  says("DEL b", "NONE");
  says("PUT a", "ERROR PUT takes 2 arguments, found 1");
  says("JUMP", "ERROR unknown command 'JUMP'");
  says("", "ERROR expected a command");
  CHECK(!quit);
  says("QUIT", "BYE");
  CHECK(quit);
}

void test_recovery(const std::string& folder) {
  {
    Store store(folder, {});
    CHECK(store.size() == 1 && store.get("a") == "42");
    store.put("last", "words");
  }
  const std::string log = folder + "/log-0";
  truncate_file(log, read_file(log).size() - 3);
  {
    Store store(folder, {});
    CHECK(!store.get("last"));
    store.put("after", "all");
  }
  StoreOptions eager;
  eager.compact_above = 0;
  {
    Store store(folder, eager);
    CHECK(store.get("a") == "42" && store.get("after") == "all");
    store.put("b", "2");
    store.settle();
    CHECK(store.compactions() == 1);
  }
  Store store(folder, {});
  CHECK(store.size() == 3 && store.get("b") == "2");
}

}  // namespace

int selftest(const std::string& folder) {
  checks = 0;
  test_records();
  test_cache();
  test_protocol(folder);
  test_recovery(folder);
  return checks;
}

}  // namespace kv
