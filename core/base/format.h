// Format("{} of {}", used, total): the values in the places of a text, which is checked when the
// source is compiled.
//
// It has the few forms of std::format that messages here need: {}, {:x}, and a number padded with
// zeros, {:04} or {:04x}. The formatter of fmt would add 19 KB to the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace stowage {

// A text or an integer; a bool is the text true or false. It must not outlive its value.
class FormatValue {
 public:
  FormatValue(std::string_view text)  // NOLINT: implicit on purpose
      : text_(text.data()), size_(static_cast<uint32_t>(text.size())) {}
  FormatValue(const std::string& text)  // NOLINT: implicit on purpose
      : FormatValue(std::string_view(text)) {}
  FormatValue(const char* text) : FormatValue(std::string_view(text)) {}  // NOLINT: as above
  FormatValue(const char& c) : text_(&c), size_(1) {}                     // NOLINT: as above
  FormatValue(bool value) : FormatValue(value ? "true" : "false") {}      // NOLINT: as above
  template <typename T>
  requires std::is_integral_v<T> FormatValue(T number)  // NOLINT: as above
      : number_(static_cast<uint64_t>(number)), kind_(std::is_signed_v<T> ? kSigned : kUnsigned) {}

  // Appends the value. `width`, of a number: at least so many characters, filled with zeros.
  void AppendTo(std::string* out, bool is_hex, size_t width) const;

 private:
  enum Kind : uint32_t { kText, kSigned, kUnsigned };

  union {
    const char* text_;
    uint64_t number_;
  };
  uint32_t size_ = 0;
  Kind kind_ = kText;
};

// The values in place of the fields of a text that FormatString has checked.
std::string FormatValues(const char* text, std::initializer_list<FormatValue> values);

// The text of a Format with kCount values. Other texts do not compile.
template <size_t kCount>
class FormatString {
 public:
  consteval FormatString(const char* text) : text_(text) {  // NOLINT: implicit on purpose
    size_t count = 0;
    for (const char* at = text; *at != '\0'; ++at) {
      if (*at != '{' && *at != '}') continue;
      if (at[1] == *at) {
        ++at;
        continue;
      }
      if (*at == '}') NotAFormat();
      ++at;
      if (*at == ':') ++at;
      while (*at >= '0' && *at <= '9') ++at;
      if (*at == 'x') ++at;
      if (*at != '}') NotAFormat();
      ++count;
    }
    if (count != kCount) NotAFormat();
  }

  const char* text() const { return text_; }

 private:
  // Not constexpr: a call of it is an error of the compiler.
  static void NotAFormat();

  const char* text_;
};

template <typename... T>
[[gnu::always_inline]] inline std::string Format(
    std::type_identity_t<FormatString<sizeof...(T)>> text, const T&... values) {
  return FormatValues(text.text(), {FormatValue(values)...});
}

// The texts with the separator between them.
template <typename Texts>
std::string Join(const Texts& texts, std::string_view separator) {
  std::string joined;
  bool is_first = true;
  for (const auto& text : texts) {
    if (!is_first) joined += separator;
    is_first = false;
    joined += text;
  }
  return joined;
}

}  // namespace stowage
