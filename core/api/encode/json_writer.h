// JsonWriter appends JSON to a string: records, request bodies, answers. Commas are its business.
//
// Members come out in the order of the calls. Texts must be UTF-8; a byte that is not becomes
// U+FFFD, as Go's encoder has it. Numbers are the shortest text that reads back as the same value.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace stowage {

// Appends `text` as a JSON string with its quotes. U+2028 and U+2029 are escaped as Go does, so
// that a record is also a line for readers that count them as line ends; <, > and & stay as they
// are.
void AppendJsonString(std::string_view text, std::string* out);

class JsonWriter {
 public:
  // Appends to `out`, which must outlive the writer.
  explicit JsonWriter(std::string* out) : out_(out) {}

  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }

  // The next value belongs to `name`.
  JsonWriter& Key(std::string_view name);

  JsonWriter& String(std::string_view text);
  JsonWriter& Bool(bool value) { return Raw(value ? "true" : "false"); }
  JsonWriter& Null() { return Raw("null"); }
  template <std::integral T>
  JsonWriter& Int(T value) {
    static_assert(!std::is_same_v<T, bool>, "use Bool");
    if constexpr (std::is_signed_v<T>) {
      return Signed(value);
    } else {
      return Unsigned(value);
    }
  }
  // Finite values only; JSON has no others.
  JsonWriter& Double(double value);
  // `json` is one complete value, taken as it is.
  JsonWriter& Raw(std::string_view json);

  // Key and value in one.
  JsonWriter& StringMember(std::string_view name, std::string_view text) {
    return Key(name).String(text);
  }
  template <std::integral T>
  JsonWriter& IntMember(std::string_view name, T value) {
    return Key(name).Int(value);
  }
  JsonWriter& BoolMember(std::string_view name, bool value) { return Key(name).Bool(value); }

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  JsonWriter& Signed(int64_t value);
  JsonWriter& Unsigned(uint64_t value);
  void BeginValue();

  std::string* out_;
  bool needs_comma_ = false;  // a value was completed right before
};

}  // namespace stowage
