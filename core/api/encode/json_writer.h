// JsonWriter appends JSON to a string, for records, request bodies and answers. It writes the
// commas.
//
// Members are written in the order of the calls. Texts must be UTF-8; an invalid byte becomes
// U+FFFD, as in Go's encoder. Numbers use the shortest text that parses back to the same value.
//
// The writer collects text in its own buffer, because appending many small pieces to a string costs
// more than formatting them. The string is complete once the outermost value has ended.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/check.h"

namespace stowage {

// Appends `text` as a quoted JSON string. U+2028 and U+2029 are escaped as in Go, so that a record
// is one line even for readers that treat them as line ends; <, > and & stay unescaped.
void AppendJsonString(std::string_view text, std::string* out);

// A member's name, known at compile time, in its written form: `"name":`.
template <size_t kNameSize>
struct JsonName {
  consteval JsonName(const char (&name)[kNameSize]) {  // NOLINT: implicit on purpose
    text[0] = '"';
    for (size_t index = 0; index + 1 < kNameSize; ++index) {
      char c = name[index];
      CHECK(c >= ' ' && c <= '~' && c != '"' && c != '\\');
      text[index + 1] = c;
    }
    text[kSize - 2] = '"';
    text[kSize - 1] = ':';
  }

  static constexpr size_t kSize = kNameSize + 2;
  static constexpr size_t kWords = (kSize + 7) / 8;
  char text[8 * kWords] = {};  // padded, so that it can be copied in whole words
};

// Text known at compile time, as it is written.
template <size_t kTextSize>
struct JsonText {
  consteval JsonText(const char (&literal)[kTextSize]) {  // NOLINT: implicit on purpose
    for (size_t index = 0; index < kSize; ++index) text[index] = literal[index];
  }

  static constexpr size_t kSize = kTextSize - 1;
  char text[(kSize + 7) / 8 * 8] = {};  // padded, so that it can be copied in whole words
};

class JsonWriter {
 public:
  // Appends to `out`. The string must outlive the writer, and only the writer may change it until
  // the value has ended.
  explicit JsonWriter(std::string* out) : out_(out) {}
  ~JsonWriter() {
    if (at_ != gathered_) Flush();
  }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  // Writes an object's beginning up to the name of the next value.
  template <JsonText kText>
  JsonWriter& BeginObjectWith() {
    at_ = PutText<kText>(BeginValue(sizeof kText.text));
    needs_comma_ = false;
    ++depth_;
    return *this;
  }
  // Ends the outermost object and its line.
  void EndLine();
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }

  // Writes the name of the next value.
  JsonWriter& Key(std::string_view name);
  // Key and the members below, for names known at compile time: a few instructions each, for the
  // records of every decision.
  template <JsonName kName>
  JsonWriter& Key() {
    at_ = PutName<kName>(BeginValue(sizeof kName.text));
    needs_comma_ = false;
    return *this;
  }

  JsonWriter& String(std::string_view text);
  // Writes a short text that needs no escapes.
  JsonWriter& PlainString(std::string_view text) {
    char* to = BeginValue(text.size() + 2);
    to[0] = '"';
    std::memcpy(to + 1, text.data(), text.size());
    to[text.size() + 1] = '"';
    return EndValue(to + text.size() + 2);
  }
  // The string "namespace/name".
  JsonWriter& NamespacedName(std::string_view namespace_, std::string_view name);
  JsonWriter& Bool(bool value) { return Raw(value ? "true" : "false"); }
  JsonWriter& Null() { return Raw("null"); }
  template <std::integral T>
  JsonWriter& Int(T value) {
    return EndValue(PutInt(value, BeginValue(kNumberMax)));
  }
  // The value must be finite, because JSON has no other numbers.
  JsonWriter& Double(double value);
  // `json` must be one complete value, or members; it is written unchanged.
  JsonWriter& Raw(std::string_view json);

  // Raw, for text known at compile time.
  template <JsonText kText>
  JsonWriter& Raw() {
    return EndValue(PutText<kText>(BeginValue(sizeof kText.text)));
  }

  // Key and value in one call.
  JsonWriter& StringMember(std::string_view name, std::string_view text) {
    return Key(name).String(text);
  }
  template <JsonName kName>
  JsonWriter& StringMember(std::string_view text) {
    return NamedString(kName.text, kName.kSize, text);
  }
  template <std::integral T>
  JsonWriter& IntMember(std::string_view name, T value) {
    return Key(name).Int(value);
  }
  template <JsonName kName, std::integral T>
  JsonWriter& IntMember(T value) {
    return EndValue(PutInt(value, PutName<kName>(BeginValue(sizeof kName.text + kNumberMax))));
  }
  JsonWriter& BoolMember(std::string_view name, bool value) { return Key(name).Bool(value); }

 private:
  static constexpr size_t kGatheredMax = 512;
  static constexpr size_t kNumberMax = 32;
  static constexpr size_t kPlainMax = 256;

  // Each writes its value at `to` and returns the place behind it.
  template <JsonText kText>
  static char* PutText(char* to) {
    for (size_t offset = 0; offset < sizeof kText.text; offset += 8) {
      std::memcpy(to + offset, kText.text + offset, 8);
    }
    return to + kText.kSize;
  }
  template <JsonName kName>
  static char* PutName(char* to) {
    for (size_t offset = 0; offset < sizeof kName.text; offset += 8) {
      std::memcpy(to + offset, kName.text + offset, 8);
    }
    return to + kName.kSize;
  }
  // `name` is that of a JsonName.
  JsonWriter& NamedString(const char* name, size_t name_size, std::string_view text);
  // Null if something must be escaped.
  static char* PutPlain(std::string_view text, char* to);
  template <std::integral T>
  static char* PutInt(T value, char* to) {
    static_assert(!std::is_same_v<T, bool>, "use Bool");
    if constexpr (std::is_signed_v<T>) {
      return PutSigned(value, to);
    } else {
      return PutUnsigned(value, to);
    }
  }
  static char* PutSigned(int64_t value, char* to);
  static char* PutUnsigned(uint64_t value, char* to);

  // Reserves room for a value of that size, at most kGatheredMax including its comma, and writes
  // the comma.
  char* BeginValue(size_t size) {
    if (static_cast<size_t>(gathered_ + kGatheredMax - at_) <= size) MakeRoom(size);
    *at_ = ',';
    return at_ + (needs_comma_ ? 1 : 0);
  }
  JsonWriter& EndValue(char* end) {
    at_ = end;
    needs_comma_ = true;
    if (depth_ == 0) Flush();
    return *this;
  }
  void MakeRoom(size_t size);
  void Flush();
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);

  std::string* out_;
  char* at_ = gathered_;
  size_t depth_ = 0;          // number of open objects and arrays
  bool needs_comma_ = false;  // a value ended directly before
  char gathered_[kGatheredMax];
};

}  // namespace stowage
