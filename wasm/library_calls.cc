// Functions that libraries call. The linker directs their calls here (--wrap in CMakeLists.txt),
// because the originals take 11 KB of the compressed module. nlohmann_json describes faults with
// strtod for numbers and snprintf for control characters, Embind with sprintf for types that it
// does not know. The hash tables of the C++ library ask for their number of buckets.
#include <bit>
#include <cstdarg>
#include <cstddef>
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

// std::__next_prime. Buckets whose number is a power of two are found without a division; all hash
// functions here mix their bits.
size_t __wrap__ZNSt3__212__next_primeEm(size_t least) { return std::bit_ceil(least); }

// NOLINTEND
}
