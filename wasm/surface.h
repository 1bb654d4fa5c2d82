// Surface is the engine as the boundary sees it: schedulers behind integer handles, bytes in, bytes
// out. Plain C++: WebAssembly reaches it through wasm/bindings.cc, native tests through a Node
// addon.
//
// Every call but Abi, Input and Output answers with an int32: at least 0 is the number of bytes now
// in Output (Create: the handle), below 0 is a Refusal; for kFailed the typed error is the JSON in
// Output. A handle carries a generation, so a stale one is an answer and not a crash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/scheduler.h"

namespace stowage {

// Calls from the engine into JavaScript plugins go through it; nothing calls it while there are
// none.
class PluginBridge;

class Surface {
 public:
  enum Refusal : int32_t {
    kStaleHandle = -1,
    kReentrant = -2,
    kBadArgument = -3,
    kFailed = -4,
  };

  // {"abi":1,"stowage":"0.1.0","kubernetes":"v1.36"}
  static std::string_view Abi();

  // A buffer of `size` bytes for the next call to read; valid until then.
  std::span<uint8_t> Input(size_t size);
  // What the last call answered; valid until the next.
  std::span<const uint8_t> Output() const;

  // Input: the options as one line of JSON, then the configuration's JSON (may be empty).
  int32_t Create(size_t size, PluginBridge* bridge);
  int32_t Destroy(int32_t handle);
  // Input: a batch; `format` 0 is one JSON document, 1 is JSON lines. Output: an ApplyResult.
  int32_t Apply(int32_t handle, double now_us, int32_t format, size_t size);
  // Output: records as JSON lines, the last one a Turn.
  int32_t Run(int32_t handle, double now_us, int32_t max_cycles);
  // Input: the options as one line of JSON, then a pod (may be empty). Output: an Evaluation.
  int32_t Evaluate(int32_t handle, double now_us, size_t size);
  // Input: a query. Output: its answer.
  int32_t Inspect(int32_t handle, size_t size);

 private:
  struct Slot {
    std::unique_ptr<Scheduler> scheduler;
    uint32_t generation = 1;
  };

  Scheduler* Find(int32_t handle);
  bool HasInput(size_t size) const { return size <= input_.size(); }
  std::string_view InputText(size_t size) const;
  int32_t Answer() const { return static_cast<int32_t>(output_.size()); }

  std::vector<Slot> slots_;
  std::string input_;
  std::string output_;
};

}  // namespace stowage
