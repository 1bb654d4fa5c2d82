#include "core/base/format.h"

#include <charconv>
#include <iterator>

namespace stowage {
namespace {

// Most messages are shorter, so their text is allocated once.
constexpr size_t kUsualSize = 64;

}  // namespace

void FormatValue::AppendTo(std::string* out, bool is_hex, size_t width) const {
  if (kind_ == kText) {
    out->append(text_, size_);
    return;
  }
  bool is_negative = kind_ == kSigned && static_cast<int64_t>(number_) < 0;
  char digits[20];
  const char* end =
      std::to_chars(digits, std::end(digits), is_negative ? 0 - number_ : number_, is_hex ? 16 : 10)
          .ptr;
  auto size = static_cast<size_t>(end - digits);
  if (is_negative) *out += '-';
  size_t signed_size = size + (is_negative ? 1 : 0);
  if (width > signed_size) out->append(width - signed_size, '0');
  out->append(digits, size);
}

std::string FormatValues(const char* text, std::initializer_list<FormatValue> values) {
  std::string out;
  out.reserve(kUsualSize);
  const FormatValue* value = values.begin();
  while (true) {
    const char* plain = text;
    while (*text != '{' && *text != '}' && *text != '\0') ++text;
    out.append(plain, text);
    if (*text == '\0') return out;
    if (text[1] == *text) {
      out += *text;
      text += 2;
      continue;
    }
    ++text;
    size_t width = 0;
    bool is_hex = false;
    for (; *text != '}'; ++text) {
      if (*text == 'x') is_hex = true;
      if (*text >= '0' && *text <= '9') width = width * 10 + static_cast<size_t>(*text - '0');
    }
    ++text;
    (value++)->AppendTo(&out, is_hex, width);
  }
}

}  // namespace stowage
