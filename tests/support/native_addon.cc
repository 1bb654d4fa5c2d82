// The native twin of the WASM module: the engine's ten functions as a Node addon, so that
// conformance and bench run one JS body on both targets.
//
// Bytes are copied at the boundary: `input` returns a buffer of the addon, whose contents go into
// the engine with the call that names their size; `output` returns a copy.
#include <node_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "wasm/surface.h"

namespace stowage {
namespace {

constexpr size_t kArgumentsMax = 4;
constexpr uint32_t kSizeLimit = uint32_t{1} << 31;  // bytes; no batch may be larger
constexpr int32_t kBadArgument = -3;

struct Addon {
  Surface surface;
  napi_ref input = nullptr;  // ArrayBuffer of at least the last requested size
  size_t input_capacity = 0;
};

// A JavaScript function that answers the calls of plugins. It never throws.
class NodeBridge final : public PluginBridge {
 public:
  NodeBridge(napi_env env, napi_value function) : env_(env) {
    CHECK(napi_create_reference(env, function, 1, &function_) == napi_ok);
  }
  ~NodeBridge() override { napi_delete_reference(env_, function_); }

  std::string Call(std::string_view request) override {
    napi_handle_scope scope = nullptr;
    CHECK(napi_open_handle_scope(env_, &scope) == napi_ok);
    napi_value function = nullptr;
    napi_value receiver = nullptr;
    napi_value argument = nullptr;
    napi_value result = nullptr;
    size_t size = 0;
    CHECK(napi_get_reference_value(env_, function_, &function) == napi_ok);
    CHECK(napi_get_undefined(env_, &receiver) == napi_ok);
    CHECK(napi_create_string_utf8(env_, request.data(), request.size(), &argument) == napi_ok);
    CHECK(napi_call_function(env_, receiver, function, 1, &argument, &result) == napi_ok);
    CHECK(napi_get_value_string_utf8(env_, result, nullptr, 0, &size) == napi_ok);
    std::string answer(size + 1, '\0');
    CHECK(napi_get_value_string_utf8(env_, result, answer.data(), size + 1, &size) == napi_ok);
    answer.resize(size);
    napi_close_handle_scope(env_, scope);
    return answer;
  }

 private:
  napi_env env_;
  napi_ref function_ = nullptr;
};

// A call from JS: its arguments as numbers, and the addon.
struct Call {
  napi_env env;
  Addon& addon;
  size_t count = 0;
  std::array<double, kArgumentsMax> numbers{};
  napi_value bridge = nullptr;  // a function among the arguments

  // A value out of range (negative, not a number, too large) becomes one that every caller refuses.
  size_t Size(size_t at) const {
    const double number = numbers[at];
    return number >= 0 && number < kSizeLimit ? static_cast<size_t>(number) : kSizeLimit;
  }
  int32_t Int(size_t at) const {
    const double number = numbers[at];
    return number >= 0 && number <= INT32_MAX ? static_cast<int32_t>(number) : -1;
  }
};

napi_value Throw(napi_env env, const char* message) {
  napi_throw_error(env, "ERR_STOWAGE_NATIVE", message);
  return nullptr;
}

napi_value Number(napi_env env, int32_t value) {
  napi_value result = nullptr;
  if (napi_create_int32(env, value, &result) != napi_ok) return Throw(env, "no number");
  return result;
}

napi_value View(napi_env env, napi_value buffer, size_t size) {
  napi_value view = nullptr;
  if (napi_create_typedarray(env, napi_uint8_array, size, buffer, 0, &view) != napi_ok) {
    return Throw(env, "no view");
  }
  return view;
}

// Copies the bytes from JS into the engine's input buffer. False if more bytes are named than the
// buffer has.
bool TakeInput(const Call& call, size_t size) {
  if (size > call.addon.input_capacity) return false;
  std::span<uint8_t> target = call.addon.surface.Input(size);
  if (size == 0) return true;
  napi_value buffer = nullptr;
  void* bytes = nullptr;
  size_t length = 0;
  if (napi_get_reference_value(call.env, call.addon.input, &buffer) != napi_ok) return false;
  if (napi_get_arraybuffer_info(call.env, buffer, &bytes, &length) != napi_ok) return false;
  if (length < size || target.size() < size) return false;
  std::memcpy(target.data(), bytes, size);
  return true;
}

napi_value Abi(Call& call) {
  const std::string text = Surface::Abi();
  napi_value result = nullptr;
  if (napi_create_string_utf8(call.env, text.data(), text.size(), &result) != napi_ok) {
    return Throw(call.env, "no string");
  }
  return result;
}

napi_value Input(Call& call) {
  const size_t size = call.Size(0);
  if (size >= kSizeLimit) return Throw(call.env, "input: size out of range");
  Addon& addon = call.addon;
  napi_value buffer = nullptr;
  if (addon.input != nullptr && size <= addon.input_capacity) {
    if (napi_get_reference_value(call.env, addon.input, &buffer) != napi_ok) {
      return Throw(call.env, "no input buffer");
    }
    return View(call.env, buffer, size);
  }
  if (addon.input != nullptr) napi_delete_reference(call.env, addon.input);
  addon.input = nullptr;
  addon.input_capacity = 0;
  void* bytes = nullptr;
  if (napi_create_arraybuffer(call.env, size, &bytes, &buffer) != napi_ok ||
      napi_create_reference(call.env, buffer, 1, &addon.input) != napi_ok) {
    return Throw(call.env, "no input buffer");
  }
  addon.input_capacity = size;
  return View(call.env, buffer, size);
}

napi_value Output(Call& call) {
  const std::span<const uint8_t> output = call.addon.surface.Output();
  napi_value buffer = nullptr;
  void* bytes = nullptr;
  if (napi_create_arraybuffer(call.env, output.size(), &bytes, &buffer) != napi_ok) {
    return Throw(call.env, "no output buffer");
  }
  if (!output.empty()) std::memcpy(bytes, output.data(), output.size());
  return View(call.env, buffer, output.size());
}

napi_value Create(Call& call) {
  if (!TakeInput(call, call.Size(0))) return Number(call.env, kBadArgument);
  std::unique_ptr<PluginBridge> bridge;
  if (call.bridge != nullptr) bridge = std::make_unique<NodeBridge>(call.env, call.bridge);
  return Number(call.env, call.addon.surface.Create(call.Size(0), std::move(bridge)));
}

napi_value Fork(Call& call) {
  std::unique_ptr<PluginBridge> bridge;
  if (call.bridge != nullptr) bridge = std::make_unique<NodeBridge>(call.env, call.bridge);
  return Number(call.env, call.addon.surface.Fork(call.Int(0), std::move(bridge)));
}

napi_value Revert(Call& call) {
  return Number(call.env, call.addon.surface.Revert(call.Int(0), call.Int(1)));
}

napi_value Destroy(Call& call) { return Number(call.env, call.addon.surface.Destroy(call.Int(0))); }

napi_value Apply(Call& call) {
  const size_t size = call.Size(3);
  if (!TakeInput(call, size)) return Number(call.env, kBadArgument);
  return Number(call.env,
                call.addon.surface.Apply(call.Int(0), call.numbers[1], call.Int(2), size));
}

napi_value Run(Call& call) {
  return Number(call.env, call.addon.surface.Run(call.Int(0), call.numbers[1], call.Int(2)));
}

napi_value Evaluate(Call& call) {
  const size_t size = call.Size(2);
  if (!TakeInput(call, size)) return Number(call.env, kBadArgument);
  return Number(call.env, call.addon.surface.Evaluate(call.Int(0), call.numbers[1], size));
}

napi_value Inspect(Call& call) {
  const size_t size = call.Size(1);
  if (!TakeInput(call, size)) return Number(call.env, kBadArgument);
  return Number(call.env, call.addon.surface.Inspect(call.Int(0), size));
}

// Reads the leading numeric arguments, and the function after them (the bridge of create and fork).
template <napi_value (*Function)(Call&)>
napi_value Entry(napi_env env, napi_callback_info info) {
  void* data = nullptr;
  std::array<napi_value, kArgumentsMax> arguments{};
  size_t count = kArgumentsMax;
  if (napi_get_cb_info(env, info, &count, arguments.data(), nullptr, nullptr) != napi_ok ||
      napi_get_instance_data(env, &data) != napi_ok || data == nullptr) {
    return Throw(env, "no addon");
  }
  Call call{env, *static_cast<Addon*>(data)};
  while (call.count < count && call.count < kArgumentsMax) {
    double number = 0;
    if (napi_get_value_double(env, arguments[call.count], &number) != napi_ok) break;
    call.numbers[call.count++] = number;
  }
  napi_valuetype type = napi_undefined;
  if (call.count < count && call.count < kArgumentsMax &&
      napi_typeof(env, arguments[call.count], &type) == napi_ok && type == napi_function) {
    call.bridge = arguments[call.count];
  }
  return Function(call);
}

void Finalize(napi_env, void* data, void*) { delete static_cast<Addon*>(data); }

struct Method {
  const char* name;
  napi_callback callback;
};

constexpr std::array kMethods = {
    Method{"abi", Entry<Abi>},           Method{"input", Entry<Input>},
    Method{"output", Entry<Output>},     Method{"create", Entry<Create>},
    Method{"fork", Entry<Fork>},         Method{"destroy", Entry<Destroy>},
    Method{"apply", Entry<Apply>},       Method{"run", Entry<Run>},
    Method{"evaluate", Entry<Evaluate>}, Method{"inspect", Entry<Inspect>},
    Method{"revert", Entry<Revert>},
};

napi_value Register(napi_env env, napi_value exports) {
  if (napi_set_instance_data(env, new Addon, Finalize, nullptr) != napi_ok) {
    return Throw(env, "no addon");
  }
  for (const Method& method : kMethods) {
    napi_value function = nullptr;
    if (napi_create_function(env, method.name, NAPI_AUTO_LENGTH, method.callback, nullptr,
                             &function) != napi_ok ||
        napi_set_named_property(env, exports, method.name, function) != napi_ok) {
      return Throw(env, "no export");
    }
  }
  return exports;
}

}  // namespace
}  // namespace stowage

NAPI_MODULE_INIT() { return stowage::Register(env, exports); }
