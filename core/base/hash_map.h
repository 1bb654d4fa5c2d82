// HashMap is a std::unordered_map for maps that every decision looks into. It is half empty, so
// that what is not in it is mostly not looked for in memory elsewhere, and begins with a power of
// two of buckets: libc++ then keeps to such, and finds the bucket without a division.
#pragma once

#include <cstddef>
#include <unordered_map>

namespace stowage {

template <typename Key, typename Value, typename Hash>
class HashMap : public std::unordered_map<Key, Value, Hash> {
 public:
  HashMap() {
    this->max_load_factor(0.5F);
    this->rehash(kBuckets);
  }

 private:
  static constexpr size_t kBuckets = 16;
};

}  // namespace stowage
