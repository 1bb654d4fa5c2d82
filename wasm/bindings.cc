// The eleven functions that JavaScript can call (declarations only).
#include <emscripten/bind.h>
#include <emscripten/em_js.h>

#include <memory>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/deferred_code.h"
#include "wasm/surface.h"

// A failed CHECK leaves the module as an exception that names its place. The loader then treats
// every handle of this instance as lost.
EM_JS(void, ThrowCheckFailure, (const char* place), { throw new Error(UTF8ToString(place)); });

namespace {

using emscripten::typed_memory_view;
using emscripten::val;

[[noreturn]] void OnCheckFailed(const char* place) {
  ThrowCheckFailure(place);
  __builtin_trap();
}

// The loader of the second module. It is one of the options that the module is started with.
std::string LoadDeferredCode() { return val::module_property("loadDeferred")().as<std::string>(); }

stowage::Surface& TheSurface() {
  static auto* surface = [] {
    stowage::SetCheckHandler(OnCheckFailed);
    if (!val::module_property("loadDeferred").isUndefined()) {
      stowage::SetDeferredCodeLoader(LoadDeferredCode);
    }
    return new stowage::Surface;
  }();
  return *surface;
}

std::string Abi() { return stowage::Surface::Abi(); }

val Input(uint32_t size) {
  auto bytes = TheSurface().Input(size);
  return val(typed_memory_view(bytes.size(), bytes.data()));
}

val Output() {
  auto bytes = TheSurface().Output();
  return val(typed_memory_view(bytes.size(), bytes.data()));
}

class JsBridge final : public stowage::PluginBridge {
 public:
  explicit JsBridge(val function) : function_(std::move(function)) {}

  std::string Call(std::string_view request) override {
    return function_(std::string(request)).as<std::string>();
  }

 private:
  val function_;
};

std::unique_ptr<stowage::PluginBridge> BridgeOf(const val& function) {
  if (function.isNull()) return nullptr;
  return std::make_unique<JsBridge>(function);
}

int32_t Create(uint32_t size, const val& bridge) {
  return TheSurface().Create(size, BridgeOf(bridge));
}

int32_t Fork(int32_t handle, const val& bridge) {
  return TheSurface().Fork(handle, BridgeOf(bridge));
}

int32_t Revert(int32_t handle, int32_t action) { return TheSurface().Revert(handle, action); }

int32_t Destroy(int32_t handle) { return TheSurface().Destroy(handle); }

int32_t Apply(int32_t handle, double now_us, int32_t format, uint32_t size) {
  return TheSurface().Apply(handle, now_us, format, size);
}

int32_t Run(int32_t handle, double now_us, int32_t max_cycles) {
  return TheSurface().Run(handle, now_us, max_cycles);
}

int32_t Evaluate(int32_t handle, double now_us, uint32_t size) {
  return TheSurface().Evaluate(handle, now_us, size);
}

int32_t Inspect(int32_t handle, uint32_t size) { return TheSurface().Inspect(handle, size); }

}  // namespace

EMSCRIPTEN_BINDINGS(stowage) {
  emscripten::function("abi", &Abi);
  emscripten::function("input", &Input);
  emscripten::function("output", &Output);
  emscripten::function("create", &Create);
  emscripten::function("fork", &Fork);
  emscripten::function("revert", &Revert);
  emscripten::function("destroy", &Destroy);
  emscripten::function("apply", &Apply);
  emscripten::function("run", &Run);
  emscripten::function("evaluate", &Evaluate);
  emscripten::function("inspect", &Inspect);
}
