// The functions of the C library that other libraries call to describe faults. nlohmann_json calls
// strtod for numbers and snprintf for control characters, Embind sprintf for the types that it does
// not know. The linker directs their calls here (--wrap in CMakeLists.txt), because the C library's
// own take 10 KB of the compressed module.
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/base/check.h"
#include "core/base/parse_double.h"

namespace {

// Writes `form` and an end to `text`, with the number's digits before `end` in place of zeros.
void WriteHex(uintptr_t number, std::string_view form, size_t end, char* text) {
  text[form.copy(text, form.size())] = '\0';
  for (; number != 0; number /= 16) text[--end] = "0123456789ABCDEF"[number % 16];
}

}  // namespace

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
  constexpr std::string_view kForm = "<U+0000>";
  CHECK(std::strcmp(format, "<U+%.4X>") == 0);
  CHECK(size > kForm.size());
  std::va_list values;
  va_start(values, format);
  WriteHex(va_arg(values, unsigned), kForm, kForm.size() - 1, text);
  va_end(values);
  return kForm.size();
}

// Writes an address such as "0x0001F2C4". No other format is in use.
int __wrap_siprintf(char* text, const char* format, ...) {
  constexpr std::string_view kForm = "0x00000000";
  CHECK(std::strcmp(format, "%p") == 0);
  std::va_list values;
  va_start(values, format);
  WriteHex(va_arg(values, uintptr_t), kForm, kForm.size(), text);
  va_end(values);
  return kForm.size();
}

// NOLINTEND
}
