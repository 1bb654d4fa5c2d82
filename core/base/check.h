// CHECK stops the engine on bugs of its own, so that no wrong binding leaves it.
//
// A failed CHECK never returns. The embedder installs a handler that reports the place and ends the
// module instance; without a handler the program traps.
#pragma once

namespace stowage {

// Receives the place of a failed CHECK ("file:line: CHECK(expression)"). Must not return.
using CheckHandler = void (*)(const char* place);

void SetCheckHandler(CheckHandler handler);

[[noreturn]] void CheckFailed(const char* place);

}  // namespace stowage

#define STOWAGE_STRINGIFY_INNER(x) #x
#define STOWAGE_STRINGIFY(x) STOWAGE_STRINGIFY_INNER(x)
#define CHECK(condition)                                                                          \
  do {                                                                                            \
    if (!(condition)) [[unlikely]] {                                                              \
      ::stowage::CheckFailed(__FILE__ ":" STOWAGE_STRINGIFY(__LINE__) ": CHECK(" #condition ")"); \
    }                                                                                             \
  } while (false)
