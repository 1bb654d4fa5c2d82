// Deferred code is the part of the engine that only some users need: clusters with devices or pod
// groups, schedulers with extenders or plugins in JavaScript, forks and transactions. In
// WebAssembly it is a module of its own (wasm/toolchain/deferred_functions.js), which the embedder
// loads when it is first needed. Elsewhere it is always there.
#pragma once

#include <string>

namespace stowage {

// Loads the deferred code. Returns why that is impossible; empty if the code is there.
using DeferredCodeLoader = std::string (*)();

void SetDeferredCodeLoader(DeferredCodeLoader loader);

// Called before anything changes that would need the deferred code. Returns as the loader does.
std::string LoadDeferredCode();

}  // namespace stowage
