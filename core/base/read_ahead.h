// ReadAhead reads an object some time before it is needed, so that it is in the processor's caches
// by then. WebAssembly has no instruction that prefetches: one byte of each cache line is read and
// dropped. The reads do not wait for each other, as those of the later work do.
#pragma once

#include <cstddef>

namespace stowage {

template <typename T>
void ReadAhead(const T& object) {
  constexpr size_t kCacheLineBytes = 64;
  const auto* bytes = reinterpret_cast<const volatile char*>(&object);
  for (size_t offset = 0; offset < sizeof(T); offset += kCacheLineBytes) (void)bytes[offset];
  (void)bytes[sizeof(T) - 1];
}

}  // namespace stowage
