// STOWAGE_SIMD marks a function that computes with vectors (base/lanes.h). It makes the
// compiler use WebAssembly's 128-bit instructions, throughout the module. Natively they need no
// mark.
#pragma once

#ifdef __wasm__
#define STOWAGE_SIMD [[gnu::target("simd128")]]
#else
#define STOWAGE_SIMD
#endif
