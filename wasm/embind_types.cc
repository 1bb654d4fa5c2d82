// The types that Embind registers when the module starts. The linker directs their registrations
// here (--wrap in CMakeLists.txt): a type that no function of the module takes or returns needs
// neither its name in the module nor Embind's JavaScript for it. If a function takes another type,
// the module does not start, and its error names the type.
#include <cstddef>
#include <cstdint>

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the linker's names.

void __real__embind_register_integer(const void* type, const char* name, size_t size, int32_t min,
                                     uint32_t max);
void __real__embind_register_float(const void* type, const char* name, size_t size);
void __real__embind_register_memory_view(const void* type, unsigned array, const char* name);

void __wrap__embind_register_integer(const void* type, const char* name, size_t size, int32_t min,
                                     uint32_t max) {
  if (size == sizeof(int32_t)) __real__embind_register_integer(type, name, size, min, max);
}

void __wrap__embind_register_bigint(const void*, const char*, size_t, int64_t, uint64_t) {}

void __wrap__embind_register_float(const void* type, const char* name, size_t size) {
  if (size == sizeof(double)) __real__embind_register_float(type, name, size);
}

void __wrap__embind_register_std_wstring(const void*, size_t, const char*) {}

void __wrap__embind_register_memory_view(const void* type, unsigned array, const char* name) {
  constexpr unsigned kUint8Array = 1;
  if (array == kUint8Array) __real__embind_register_memory_view(type, array, name);
}

// NOLINTEND
}
