// JsPluginHost is the engine's end of the bridge to the JavaScript plugins of one scheduler: it
// writes which cycle and which nodes a call is about, and reads the answers.
//
// A request is {"plugin","profile","point",…} with
//   "state"    the number of its CycleState; "pod" its pod, with the first call of that number
//   "ops"      [["clone", from, to] | ["drop", number], …]: operations on states since the last
//              request
//   "changed"  rows whose NodeInfo changed since the last call; or "rows", their number, if all
//              of them are new
// Nodes are given by row; JavaScript reads a row's contents by Scheduler::Inspect. A node without a
// row (of a dry run) is sent whole as "nodeInfo".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/framework/cycle_state.h"
#include "core/framework/interface.h"
#include "core/framework/snapshot.h"
#include "core/loop/call.h"
#include "core/table/row_replay.h"
#include "wasm/plugin_bridge.h"

namespace stowage {

// A plugin's answer, of any kind.
struct JsAnswer {
  Status status;
  std::optional<std::vector<Symbol>> node_names;
  std::optional<Symbol> nominated_node_name;
  std::vector<int64_t> scores;
  std::vector<std::string> lines;  // of score notes
  int64_t timeout_us = 0;          // of Wait
  bool is_queue_skip = false;      // of a queueing hint
  // [offset, index in `statuses`] of each refused node of a chunk.
  std::vector<std::vector<int32_t>> refused;
  std::vector<Status> statuses;
};

class JsPluginHost {
 public:
  // The function to call.
  struct Callee {
    std::string_view plugin;
    std::string_view profile;
    std::string_view point;
  };
  explicit JsPluginHost(std::unique_ptr<PluginBridge> bridge) : bridge_(std::move(bridge)) {}

  // For a Call, writes the cycle's "state", and "ops" that drop the states of ended cycles that
  // earlier Calls mentioned. Evaluations do not affect it.
  void WriteCalledOut(const CycleState& state, JsonWriter* json);
  // Makes a call that belongs to no cycle: {"plugin","profile","point"} and the members that
  // `write` adds.
  JsAnswer Call(const Callee& callee, const std::function<void(JsonWriter*)>& write);
  // The status in the answer to a Call of kind "plugin".
  static Status StatusOfCompletion(const Completion& completion);

  // The cycle of a call.
  struct Cycle {
    const CycleState& state;
    const Pod& pod;
    const Snapshot& snapshot;
    bool is_evaluation;  // its result changes nothing
  };

  // A request under construction.
  class Request {
   public:
    Request(JsPluginHost& host, const Callee& callee, const Cycle& cycle);
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    Request& Node(const NodeInfo& node);
    JsonWriter& json() { return json_; }
    JsAnswer Send();

   private:
    JsPluginHost& host_;
    const Snapshot& snapshot_;
    std::string text_;
    JsonWriter json_;
  };

 private:
  class State;

  State& StateOf(const CycleState& state, bool is_evaluation);
  JsAnswer Send(std::string_view request);
  void WriteStates(JsonWriter* json);
  void WriteRows(const Snapshot& snapshot, JsonWriter* json);

  struct StateOperation {
    uint64_t from;  // 0: `to` is dropped
    uint64_t to;
  };

  std::unique_ptr<PluginBridge> bridge_;
  uint64_t last_state_ = 0;
  uint64_t last_evaluation_ = 0;
  std::vector<StateOperation> operations_;
  std::vector<uint64_t> ended_;  // states that Calls mentioned
  RowReplay replay_;
};

}  // namespace stowage
