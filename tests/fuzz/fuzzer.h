// STOWAGE_FUZZER(Name) begins the function of a fuzzer, whose parameters are `bytes` and `size`. In
// the preset `fuzz` each fuzzer is a program of libFuzzer; otherwise one test program contains all
// of them.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef STOWAGE_LIBFUZZER
#define STOWAGE_FUZZER(Name) \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
#else
#define STOWAGE_FUZZER(Name) int stowage::Fuzz##Name(const uint8_t* bytes, size_t size)
#endif

namespace stowage {

using Fuzzer = int(const uint8_t* bytes, size_t size);

Fuzzer FuzzConfiguration;
Fuzzer FuzzBatches;
Fuzzer FuzzSequences;
Fuzzer FuzzQueries;
Fuzzer FuzzExpressions;
Fuzzer FuzzEvaluations;

}  // namespace stowage
