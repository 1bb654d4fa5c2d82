// Surface is the engine as the boundary sees it: schedulers behind integer handles, bytes in, bytes
// out. It is plain C++: WebAssembly reaches it through wasm/bindings.cc, native tests through a
// Node addon.
//
// Every call except Abi, Input and Output returns an int32: a value of at least 0 is the number of
// bytes in Output (for Create and Fork: the handle), a negative one is a Refusal; for kFailed,
// Output holds the typed error as JSON. A handle contains a generation, so a stale handle is
// refused and does not crash. While the engine calls a plugin, which may call back, only Input,
// Output and Inspect work, with buffers of their own; all other calls return kReentrant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/scheduler.h"
#include "wasm/plugin_bridge.h"

namespace stowage {

class Surface {
 public:
  enum Refusal : int32_t {
    kStaleHandle = -1,
    kReentrant = -2,
    kBadArgument = -3,
    kFailed = -4,
  };
  // The formats of Apply's input: one JSON document, JSON lines, another scheduler.
  enum Format : int32_t { kDocument, kLines, kAgain };

  // {"abi":1,"stowage":"0.1.0","kubernetes":"v1.36", the newest release,
  //  "releases":[{"version":"v1.33","patch":"v1.33.13"},…], the oldest first,
  //  "facts":[{"name":"rwop-text","since":"v1.34","source":""},…]} (core/config/behaviour.h)
  static std::string Abi();

  // A buffer of `size` bytes for the next call to read; valid until then.
  std::span<uint8_t> Input(size_t size);
  // The output of the last call; valid until the next.
  std::span<const uint8_t> Output() const;

  // Input: the options as one line of JSON, then the configuration's JSON (may be empty). `bridge`
  // carries the calls of the plugins that the options declare; null if there are none.
  int32_t Create(size_t size, std::unique_ptr<PluginBridge> bridge);
  // A scheduler in the same state (Scheduler::Fork). `bridge` carries the calls of its plugins;
  // null if it has none. kFailed while a cycle waits for an answer, or if the deferred code cannot
  // be loaded. Returns the fork's handle.
  int32_t Fork(int32_t handle, std::unique_ptr<PluginBridge> bridge);
  // `action` 0 begins a transaction, 1 takes back what has changed since the latest begin, 2 keeps
  // it (Scheduler::Begin, Revert, Commit). kFailed: the scheduler is in no state for it.
  int32_t Revert(int32_t handle, int32_t action);
  int32_t Destroy(int32_t handle);
  // Input: a batch, or with kAgain the handle, in decimal, of a scheduler whose objects are applied
  // (Scheduler::ApplyAgain). Output: an ApplyResult.
  int32_t Apply(int32_t handle, double now_us, int32_t format, size_t size);
  // Output: records as JSON lines, the last one a Turn.
  int32_t Run(int32_t handle, double now_us, int32_t max_cycles);
  // Input: the options as one line of JSON, then a pod (may be empty). Output: an Evaluation.
  int32_t Evaluate(int32_t handle, double now_us, size_t size);
  // Input: a query. Output: its answer.
  int32_t Inspect(int32_t handle, size_t size);

 private:
  class GuardedBridge;

  struct Slot {
    std::unique_ptr<Scheduler> scheduler;
    uint32_t generation = 1;
  };

  Scheduler* Find(int32_t handle);
  int32_t ApplyAgain(Scheduler* scheduler, double now_us, std::string_view origin);
  // Keeps the scheduler and returns its handle; kBadArgument if there are too many.
  int32_t Add(std::unique_ptr<Scheduler> scheduler);
  int32_t RefuseCopy(const Scheduler& scheduler);
  int32_t BeginTransaction(Scheduler* scheduler);
  int32_t RevertTransaction(Scheduler* scheduler);
  int32_t CommitTransaction(Scheduler* scheduler);
  Scheduler::PluginMaker PluginMakerOf(std::unique_ptr<PluginBridge> bridge);
  bool HasInput(size_t size) const { return size <= buffers().input_size; }
  std::string_view InputText(size_t size) const;
  std::string& ClearedOutput();
  int32_t Fail(std::string_view code, std::string_view message);
  int32_t Answer() const { return static_cast<int32_t>(buffers().output.size()); }

  // The buffers of a call.
  struct Buffers {
    std::unique_ptr<char[]> input;  // not initialized: the caller fills it
    size_t input_capacity = 0;
    size_t input_size = 0;
    std::string output;
  };
  Buffers& buffers() { return is_in_plugin_ ? plugin_buffers_ : buffers_; }
  const Buffers& buffers() const { return is_in_plugin_ ? plugin_buffers_ : buffers_; }

  std::vector<Slot> slots_;
  Buffers buffers_;
  Buffers plugin_buffers_;
  bool is_in_plugin_ = false;
};

}  // namespace stowage
