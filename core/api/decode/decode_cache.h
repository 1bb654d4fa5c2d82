// DecodeCache caches the values of one type by their texts: pods of a template, and the versions of
// one pod, repeat most of their parts byte for byte. A value with a cached text is not decoded
// again, and shares the memory of the first one.
//
// The end of a text is unknown before it is read. So a text is looked up by its first blocks of
// bytes, as many as the cached text has, and then compared as a whole. A cached text is one whole
// array or object, so a text that begins with it has exactly this value. The cache affects speed
// only: tests/core/api/decode/decode_cache_test.cc reads every text both ways.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/api/decode/json_reader.h"

namespace stowage {

class DecodeCache {
 public:
  // Larger texts are not cached, nor smaller ones, which are fast to decode.
  static constexpr size_t kTextBytesMin = 16;
  static constexpr size_t kTextBytesMax = 4096;

  // Clears the caches of all types.
  static void ForgetAll();

  // Whether `target` is still empty, so that decoding into it gives the value of this text alone.
  virtual bool IsUnset(const void* target) const = 0;
  // Sets an empty target to the value of the text at the reader's cursor, and moves past it.
  // Returns false if the text is not cached.
  bool Read(JsonReader* reader, void* target) const;
  // Caches the value that was decoded into an empty target, without an error, from the text between
  // `begin` and the reader's cursor.
  void Add(const JsonReader& reader, size_t begin, const void* target);

 protected:
  DecodeCache();
  ~DecodeCache() = default;

  // Some hundreds of templates are in use at a time.
  static constexpr size_t kBuckets = 128;
  static constexpr size_t kWays = 4;

  virtual void CopyTo(size_t place, void* target) const = 0;
  virtual void CopyFrom(const void* target, size_t place) = 0;
  virtual void ForgetValues() = 0;

 private:
  // A text may be an error with other options or at another depth: too deep, or a line feed between
  // JSON lines. So both are stored with it.
  struct Entry {
    std::string text;
    size_t depth = 0;
    JsonReader::Options options;
  };

  // Texts are compared by several blocks, because pods of many templates differ only far behind
  // their first bytes.
  static constexpr size_t kBlockBytes = 16;
  static constexpr size_t kBlocksMax = 16;
  static_assert(kTextBytesMin >= kBlockBytes);

  // The number of blocks by which a text of this size is looked up.
  static size_t BlocksOf(size_t size);
  static bool IsNext(const Entry& entry, const JsonReader& reader);

  std::array<Entry, kBuckets * kWays> entries_;
  std::array<uint8_t, kBuckets> next_{};  // by bucket, the way to replace next
  uint32_t blocks_used_ = 0;              // bit set of the block counts of cached texts
  DecodeCache* next_cache_;               // links all caches
};

template <typename T>
class DecodeCacheOf final : public DecodeCache {
 public:
  bool IsUnset(const void* target) const override {
    const T& value = *static_cast<const T*>(target);
    if constexpr (requires { value.has_value(); }) {
      return !value.has_value();
    } else {
      return value.empty();
    }
  }

 private:
  void CopyTo(size_t place, void* target) const override {
    *static_cast<T*>(target) = values_[place];
  }
  void CopyFrom(const void* target, size_t place) override {
    values_[place] = *static_cast<const T*>(target);
  }

  void ForgetValues() override { values_.fill(T()); }

  std::array<T, kBuckets * kWays> values_;
};

// The cache of type T. It is never destroyed.
template <typename T>
DecodeCache& DecodeCacheFor() {
  static auto* cache = new DecodeCacheOf<T>;
  return *cache;
}

}  // namespace stowage
