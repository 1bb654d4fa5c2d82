// KnownTexts caches the values of one type by their texts: pods of a template, and the versions of
// one pod, repeat most of their parts byte for byte. A value with a known text is not read again,
// and shares the memory of the first one.
//
// The end of a text is unknown before it is read, so it is looked up by its first blocks of bytes,
// as many as the known text has, and compared whole. A known text is one whole array or object, so
// a text that begins with it has exactly this value. The cache affects speed only:
// tests/core/api/decode/known_texts_test.cc reads every text both ways.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/api/decode/json_reader.h"

namespace stowage {

class KnownTexts {
 public:
  // Larger texts are not kept, nor smaller ones, which are quickly read.
  static constexpr size_t kTextBytesMin = 16;
  static constexpr size_t kTextBytesMax = 4096;

  // Of all types. Nothing but time is lost.
  static void ForgetAll();

  // `target` has nothing yet, so that what is read into it is the text's alone.
  virtual bool IsUnset(const void* target) const = 0;
  // Gives such a target the value of the text at the reader's cursor, and moves past it. False: the
  // text is not known.
  bool Take(JsonReader* reader, void* target) const;
  // What was read into such a target, without an error, from `begin` to the reader's cursor.
  void Keep(const JsonReader& reader, size_t begin, const void* target);

 protected:
  KnownTexts();
  ~KnownTexts() = default;

  // Some hundreds of templates are in use at a time.
  static constexpr size_t kBuckets = 128;
  static constexpr size_t kWays = 4;

  virtual void CopyTo(size_t place, void* target) const = 0;
  virtual void CopyFrom(const void* target, size_t place) = 0;
  virtual void ForgetValues() = 0;

 private:
  // Elsewhere the text may be a fault: too deep, or with a line feed between JSON lines.
  struct Known {
    std::string text;
    size_t depth = 0;
    JsonReader::Options options;
  };

  // Pods of many templates differ only well behind their first bytes.
  static constexpr size_t kBlockBytes = 16;
  static constexpr size_t kBlocksMax = 16;
  static_assert(kTextBytesMin >= kBlockBytes);

  // That a text of this size is looked for by.
  static size_t BlocksOf(size_t size);
  static bool IsAhead(const Known& known, const JsonReader& reader);

  std::array<Known, kBuckets * kWays> known_;
  std::array<uint8_t, kBuckets> next_{};  // way to be used next, by bucket
  uint32_t blocks_used_ = 0;              // the numbers of blocks that texts have, a bit each
  KnownTexts* following_;                 // of all that there are
};

template <typename T>
class KnownTextsOf final : public KnownTexts {
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

// Those of T. They stay for ever.
template <typename T>
KnownTexts& KnownTextsFor() {
  static auto* known = new KnownTextsOf<T>;
  return *known;
}

}  // namespace stowage
