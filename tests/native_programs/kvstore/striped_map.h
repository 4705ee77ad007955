// A map with a lock for each of its stripes.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace kv {

class StripedMap {
 public:
  struct Stripe {
    mutable std::shared_mutex lock;  // guards values
    std::unordered_map<std::string, std::string> values;
  };

  explicit StripedMap(std::size_t stripes);

  Stripe& stripe_of(const std::string& key);
  const Stripe& stripe_of(const std::string& key) const;

  /// All stripes, in the order in which they have to be locked.
  std::vector<std::unique_lock<std::shared_mutex>> lock_all();

  /// Requires: all stripes are locked by the caller, or no other thread is there.
  std::map<std::string, std::string> copy() const;

  std::size_t size() const;

 private:
  std::vector<std::unique_ptr<Stripe>> stripes_;
};

}  // namespace kv
