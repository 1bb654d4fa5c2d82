// RecordLog collects the records of a turn in order: numbered, one JSON object per line. Field
// names are those of the golden files (js/schema/stowage-v1.json).
//
// The hash of each decision includes the one before it (core/scheduler/decision_chain.h). Members
// of every decision record are written with names that are known at compile time, which is cheaper.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/api/decode/input_error.h"
#include "core/api/object_key.h"
#include "core/base/instant.h"
#include "core/framework/api_client.h"
#include "core/framework/queued_pod_info.h"
#include "core/framework/snapshot.h"
#include "core/scheduler/decision_chain.h"
#include "core/scheduler/pod_group_cycle.h"
#include "core/scheduler/scheduling_cycle.h"

namespace stowage {

// Selects the optional records.
struct RecordOptions {
  bool has_events = false;
  bool has_moves = false;
  bool is_preview = false;  // every record says so
};

struct DecisionRecord {
  const Pod& pod;
  uint32_t attempts = 0;
  std::string_view popped_from;  // "active" or "backoff"; empty if the pod was not popped
  // Set if a PreEnqueue plugin gated the pod; no other plugin ran then.
  Status gated = {};
  const ScheduleResult& result;
};

// "scheduled", "unschedulable", "error" or "gated".
std::string_view ResultName(const DecisionRecord& record);

// The outcome of a placement.
struct BindingRecord {
  uint64_t decision = 0;  // number of the Decision record
  const Pod& pod;
  Symbol node;
  std::string_view phase = {};  // where it failed: "Permit", "PreBind", "Bind"
  Status status = {};
};

// The outcome of a pod group's cycle.
struct PodGroupRecord {
  const PodGroupCycle& group;
  const std::vector<uint64_t>& decisions;  // the numbers of its pods' records
};

// Members that are usually equal to those of the record before: their values, and their text.
template <typename Values>
class RepeatedMembers {
 public:
  // The text of the members that `write` writes for these values.
  template <typename Write>
  std::string_view Text(const Values& values, const Write& write) {
    if (text_.empty() || values != values_) {
      values_ = values;
      text_.clear();
      JsonWriter json(&text_);
      json.BeginObject();
      write(&json);
      json.EndObject();
    }
    return std::string_view(text_).substr(1, text_.size() - 2);
  }

 private:
  Values values_ = {};
  std::string text_;
};

class RecordLog {
 public:
  explicit RecordLog(RecordOptions options) : options_(options) {}

  void set_now(Instant now);
  // Appends all records since the last call to `out`.
  void TakeInto(std::string* out);
  // The hash of all decisions as hexadecimal digits; zeros if there were none.
  std::string hash();

  // Returns the number of the record. With `result.detail` the record lists the nodes; without, its
  // size is bounded.
  uint64_t WriteDecision(const DecisionRecord& record, const Snapshot& snapshot);
  // Records a SCHEDULE_ONE that ran no cycle; `queued` is null if no pod was popped.
  void WriteSkipped(const ObjectKey& key, const QueuedPodInfo* queued, std::string_view message);
  void WritePodGroupDecision(const PodGroupRecord& record);
  void WriteBinding(const BindingRecord& record);
  void WriteEvent(const Pod& pod, const PodEvent& event);
  void WriteMove(const QueuedPodInfo& pod, std::string_view from);
  void WriteInputError(const InputError& error);
  // The cache or the queue received a change that contradicts its state; `operation` names the
  // rejected operation.
  void WriteInconsistency(std::string_view operation, const ObjectKey& key,
                          std::string_view message);

 private:
  // What a decision repeats: how the pod came to its cycle, and the counts of one that is placed.
  struct Origin {
    Symbol scheduler_name;
    uint32_t attempts = 0;
    std::string_view popped_from;  // a literal
    DecisionResult result = DecisionResult::kScheduled;

    friend bool operator==(const Origin&, const Origin&) = default;
  };
  struct Counts {
    Symbol nominated_node_name;
    bool is_override = false;
    size_t all = 0;
    size_t evaluated = 0;
    size_t feasible = 0;

    friend bool operator==(const Counts&, const Counts&) = default;
  };

  // Writes the members that all records begin with.
  void BeginRecord(std::string_view kind, JsonWriter* json);
  void NumberRecord(JsonWriter* json);
  void WriteCounts(const DecisionRecord& record, JsonWriter* json);
  ChainedDecision ChainedOf(const DecisionRecord& record, DecisionResult result) const;
  void EndLineWithHash(const ChainedDecision& decision, JsonWriter* json);

  RecordOptions options_;
  Instant now_;
  std::string at_;  // the member with that time; empty until first needed
  uint64_t seq_ = 0;
  std::string records_;
  RepeatedMembers<Origin> origin_;
  RepeatedMembers<Counts> counts_;
  DecisionChain chain_;
};

}  // namespace stowage
