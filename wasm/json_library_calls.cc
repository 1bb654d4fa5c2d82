// The two functions of the C library that nlohmann_json calls when it describes a fault in a text:
// strtod for numbers, snprintf for control characters. The linker directs its calls here
// (--wrap in CMakeLists.txt), because the C library's own take 8 KB of the compressed module.
#include <cstdarg>
#include <cstring>
#include <optional>

#include "core/base/check.h"
#include "core/base/parse_double.h"

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the linker's names.

// `text` is a number of JSON, and nothing else.
double __wrap_strtod(const char* text, char** end) {
  std::optional<double> number = stowage::ParseDouble(text);
  CHECK(number.has_value());
  *end = const_cast<char*>(text) + std::strlen(text);
  return *number;
}

// Writes "<U+000A>" for 10. No other format is in use.
int __wrap_snprintf(char* text, size_t size, const char* format, ...) {
  constexpr char kForm[] = "<U+0000>";
  constexpr size_t kLastDigit = sizeof(kForm) - 3;
  CHECK(std::strcmp(format, "<U+%.4X>") == 0);
  CHECK(size >= sizeof(kForm));
  std::va_list values;
  va_start(values, format);
  unsigned code = va_arg(values, unsigned);
  va_end(values);
  std::memcpy(text, kForm, sizeof(kForm));
  for (size_t at = kLastDigit; code != 0; code /= 16, --at)
    text[at] = "0123456789ABCDEF"[code % 16];
  return sizeof(kForm) - 1;
}

// NOLINTEND
}
