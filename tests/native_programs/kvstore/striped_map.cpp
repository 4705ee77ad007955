#include "striped_map.h"

#include <cstdint>

namespace kv {
namespace {

// std::hash would do; this one is the same with every library.
std::uint64_t hash_of(const std::string& key) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash ^ hash >> 32;
}

}  // namespace

StripedMap::StripedMap(std::size_t stripes) {
  for (std::size_t i = 0; i < stripes; ++i) stripes_.push_back(std::make_unique<Stripe>());
}

StripedMap::Stripe& StripedMap::stripe_of(const std::string& key) { return *stripes_[hash_of(key) % stripes_.size()]; }

const StripedMap::Stripe& StripedMap::stripe_of(const std::string& key) const {
  return *stripes_[hash_of(key) % stripes_.size()];
}

std::vector<std::unique_lock<std::shared_mutex>> StripedMap::lock_all() {
  std::vector<std::unique_lock<std::shared_mutex>> locks;
  for (const auto& stripe : stripes_) locks.emplace_back(stripe->lock);
  return locks;
}

std::map<std::string, std::string> StripedMap::copy() const {
  std::map<std::string, std::string> all;
  for (const auto& stripe : stripes_) all.insert(stripe->values.begin(), stripe->values.end());
  return all;
}

std::size_t StripedMap::size() const {
  std::size_t size = 0;
  for (const auto& stripe : stripes_) {
    std::shared_lock hold(stripe->lock);
    size += stripe->values.size();
  }
  return size;
}

}  // namespace kv
