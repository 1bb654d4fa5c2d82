// The extension points of the scheduling framework, as plugins see them (spec 05).
//
// A plugin is one class that derives from the points it implements. Per-node Filter and Score are
// the rule; the chunk forms are derived from them, and a plugin may override them over NodeTable
// columns (a test proves both forms equal). Plugins keep no state between cycles except their
// arguments: what a cycle needs is in CycleState. Counterpart:
// staging/src/k8s.io/kube-scheduler/framework/interface.go, v1.36.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/pod.h"
#include "core/base/result.h"
#include "core/framework/cluster_event.h"
#include "core/framework/cycle_state.h"
#include "core/framework/diagnosis.h"
#include "core/framework/pod_signature.h"
#include "core/framework/queued_pod_info.h"
#include "core/framework/status.h"
#include "core/loop/task.h"
#include "core/table/node_info.h"
#include "core/table/node_table.h"

namespace stowage {

inline constexpr int64_t kMaxNodeScore = 100;
inline constexpr int64_t kMinNodeScore = 0;

using NodeList = std::span<const NodeInfo* const>;

class JsonWriter;
class RowKey;
class ScoreNotes;

class Plugin {
 public:
  virtual ~Plugin() = default;
  // The name in the configuration, e.g. "NodeResourcesFit".
  virtual std::string_view Name() const = 0;
};

class PreEnqueuePlugin {
 public:
  virtual ~PreEnqueuePlugin() = default;
  // Anything but Success keeps the pod out of the active queue.
  virtual Status PreEnqueue(const Pod& pod) const = 0;
};

// An order of pods in numbers: the smaller pair is scheduled first.
struct QueueSortKey {
  int64_t first = 0;
  Instant second;

  friend auto operator<=>(const QueueSortKey&, const QueueSortKey&) = default;
};

class QueueSortPlugin {
 public:
  virtual ~QueueSortPlugin() = default;
  // True when `a` is to be scheduled before `b`. Strict.
  virtual bool Less(const QueuedPodInfo& a, const QueuedPodInfo& b) const = 0;
  // What stands for Less, so that comparing pods needs neither plugin nor pods: `a` is less where
  // its key is. Of all pods or of none; it changes only when the pod enters a queue anew.
  virtual std::optional<QueueSortKey> KeyOf(const QueuedPodInfo&) const { return std::nullopt; }
};

// A PreFilter plugin's narrowing: the pod can only run on these nodes (they need not exist).
// nullopt: on all.
struct PreFilterResult {
  std::optional<std::vector<Symbol>> node_names;
};

class PreFilterExtensions {
 public:
  virtual ~PreFilterExtensions() = default;
  // Account for a pod that is added to or removed from `node` in a dry run, on a cloned state.
  virtual Status AddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                        const NodeInfo& node) const = 0;
  virtual Status RemovePod(CycleState& state, const Pod& pod, const PodInfo& pod_to_remove,
                           const NodeInfo& node) const = 0;
};

class PreFilterPlugin {
 public:
  virtual ~PreFilterPlugin() = default;
  // Skip: this plugin's Filter and extensions are not called in this cycle.
  virtual Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                           PreFilterResult* result) const = 0;
  // Null when dry runs need no accounting beyond NodeInfo's own.
  virtual const PreFilterExtensions* Extensions() const { return nullptr; }
};

// Statuses of the nodes of one chunk, by offset; only the offsets of refused nodes are written.
using ChunkStatuses = std::array<Status, NodeTable::kChunkRows>;

class FilterPlugin {
 public:
  virtual ~FilterPlugin() = default;
  virtual Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const = 0;
  // Filters the nodes whose bits are set in `candidates`; gives the bits of those that pass and
  // writes the status of every other candidate.
  virtual uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                               uint64_t candidates, ChunkStatuses* statuses) const = 0;
};

// Derives the chunk form from Derived::Filter.
template <typename Derived>
class PerNodeFilter : public FilterPlugin {
 public:
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override {
    const auto& self = static_cast<const Derived&>(*this);
    uint64_t passed = 0;
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      Status status = self.Derived::Filter(state, pod, chunk.node(offset));
      if (status.IsSuccess()) {
        passed |= uint64_t{1} << offset;
      } else {
        (*statuses)[offset] = std::move(status);
      }
    }
    return passed;
  }
};

// What a PostFilter plugin did for a pod that fits nowhere. A nomination overrides the pod's
// status.nominatedNodeName (empty: clears it); without one it stays.
struct PostFilterResult {
  std::optional<Symbol> nominated_node_name;
};

class PostFilterPlugin {
 public:
  virtual ~PostFilterPlugin() = default;
  // All arguments outlive the task.
  virtual Task<Status> PostFilter(CycleState& state, const Pod& pod, const NodeToStatus& statuses,
                                  PostFilterResult* result) = 0;
};

class PreScorePlugin {
 public:
  virtual ~PreScorePlugin() = default;
  // `nodes` passed the filters. Skip: this plugin's Score is not called in this cycle.
  virtual Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const = 0;
};

struct NodeScore {
  const NodeInfo* node;
  int64_t score;
};

class ScoreExtensions {
 public:
  virtual ~ScoreExtensions() = default;
  // Brings the scores of all feasible nodes into [kMinNodeScore, kMaxNodeScore].
  virtual Status NormalizeScore(const CycleState& state, const Pod& pod,
                                std::span<NodeScore> scores) const = 0;
};

using ChunkScores = std::array<int64_t, NodeTable::kChunkRows>;

class ScorePlugin {
 public:
  virtual ~ScorePlugin() = default;
  virtual Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                        const NodeInfo& node) const = 0;
  // Scores the nodes whose bits are set in `candidates`; the first failure ends it.
  virtual Status ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                            uint64_t candidates, ChunkScores* scores) const = 0;
  // Null when scores are within range as they are.
  virtual const ScoreExtensions* Normalizer() const { return nullptr; }
};

// Derives the chunk form from Derived::Score.
template <typename Derived>
class PerNodeScore : public ScorePlugin {
 public:
  Status ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                    uint64_t candidates, ChunkScores* scores) const override {
    const auto& self = static_cast<const Derived&>(*this);
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      Result<int64_t, Status> score = self.Derived::Score(state, pod, chunk.node(offset));
      if (!score.ok()) return score.fault();
      (*scores)[offset] = *score;
    }
    return Status::Success();
  }
};

class ReservePlugin {
 public:
  virtual ~ReservePlugin() = default;
  virtual Status Reserve(CycleState& state, const Pod& pod, const Symbol& node) = 0;
  // Must be harmless when Reserve was not called or failed.
  virtual void Unreserve(CycleState& state, const Pod& pod, const Symbol& node) = 0;
};

class PermitPlugin {
 public:
  virtual ~PermitPlugin() = default;
  // Wait: the pod waits for at most `*timeout_us` before it is rejected.
  virtual Status Permit(CycleState& state, const Pod& pod, const Symbol& node,
                        int64_t* timeout_us) = 0;
};

class PreBindPlugin {
 public:
  virtual ~PreBindPlugin() = default;
  // Success: PreBind has work for this pod; Skip: it has none.
  virtual Status PreBindPreFlight(CycleState& state, const Pod& pod, const Symbol& node) = 0;
  // All arguments outlive the task.
  virtual Task<Status> PreBind(CycleState& state, const Pod& pod, const Symbol& node) = 0;
};

class BindPlugin {
 public:
  virtual ~BindPlugin() = default;
  // Skip: the next Bind plugin is asked. Success: the pod is bound. All arguments outlive the task.
  virtual Task<Status> Bind(CycleState& state, const Pod& pod, const Symbol& node) = 0;
};

class PostBindPlugin {
 public:
  virtual ~PostBindPlugin() = default;
  // All arguments outlive the task.
  virtual Task<void> PostBind(CycleState& state, const Pod& pod, const Symbol& node) = 0;
};

// Which events may make pods schedulable that the plugin rejected (spec 02 §6). A plugin that can
// reject pods and has no such list hears of everything.
class EnqueueExtensions {
 public:
  virtual ~EnqueueExtensions() = default;
  virtual std::vector<ClusterEventWithHint> EventsToRegister() const = 0;
};

// The points of pod group scheduling, whose gates are off: plugins say that they have them, so that
// a configuration may name them there, and nothing calls them.
class PlacementGeneratePlugin {
 public:
  virtual ~PlacementGeneratePlugin() = default;
};

class PlacementScorePlugin {
 public:
  virtual ~PlacementScorePlugin() = default;
};

// A plugin whose Filter and Score depend on nothing but fields of the pod that it can name and the
// node's row; besides, if the pod has claims, on Listers::storage_version, and for rows that it
// names on the number of nodes. Pods with equal fragments of all plugins get equal verdicts, so
// these are remembered.
class FragmentPlugin {
 public:
  virtual ~FragmentPlugin() = default;
  // Appends exactly the pod fields that this plugin reads. False: what it says of this pod depends
  // on more, such as other pods, and is not remembered; what was appended does not matter then.
  virtual bool AppendFragment(const Pod& pod, PodSignature* signature) const = 0;
  // What it says of pods with claims depends on storage.
  virtual bool ReadsStorage() const { return false; }
  // Appends the rows on which its verdict or score depends on the number of nodes as well.
  virtual void AppendRowsCountingNodes(const Pod&, const NodeTable&,
                                       std::vector<uint32_t>* /*rows*/) const {}
};

// Nodes that do not differ for any plugin in a cycle: one of them, and how many they are.
struct NodeGroup {
  const NodeInfo* node;
  size_t count;
};

// A plugin that looks at a row through a few parts of it alone, where it vouches for no fragment:
// rows that agree in these parts get equal verdicts and scores in one cycle, so that one of them is
// asked for all.
class ClassPlugin {
 public:
  virtual ~ClassPlugin() = default;
  // Appends what this plugin reads of the pod. False: it looks at more than a RowKey can say.
  virtual bool AppendClassFragment(const Pod& pod, PodSignature* signature) const = 0;
  // Writes what PreFilter and PreScore derive from the pod, so that they find it in the states of
  // later cycles, and appends the parts of a row that matter. False: this pod is decided plainly.
  // What is derived is good until Framework::derivation changes.
  virtual bool Derive(const Pod& pod, CycleState& derived, RowKey* key) const = 0;
  // PreScore of the nodes in `groups`.
  virtual Status PreScoreGroups(CycleState& state, const Pod& pod,
                                std::span<const NodeGroup> groups) const = 0;
};

// What OpportunisticBatching compares pods by: two pods of one signature are alike to a profile
// whose PreFilter, Filter, PreScore and Score plugins all sign. Coarser here and finer there than
// fragments: it is the reference's own (spec plugins/00, "Signatures").
class SignPlugin {
 public:
  virtual ~SignPlugin() = default;
  // False: no signature says what this plugin does with the pod.
  virtual bool CanSign(const Pod&) const { return true; }
  virtual void SignPod(const Pod& pod, PodSignature* signature) const = 0;
};

// A member of a Decision record: what the choice of a node means beside the node itself.
struct DecisionNote {
  std::string_view name;  // static text
  std::string json;
};

class DecisionNotePlugin {
 public:
  virtual ~DecisionNotePlugin() = default;
  // nullopt when there is nothing to say about this pod. `node` is the one that was chosen.
  virtual std::optional<DecisionNote> NoteOn(const CycleState& state, const Pod& pod,
                                             const NodeInfo& node) const = 0;
};

// A refusal of Filter: what it was asked, and what it said.
struct Refusal {
  const Status& status;
  const CycleState& state;
  const Pod& pod;
  const NodeInfo& node;
};

// A Filter plugin that can say what stands behind its refusals: amounts, and the objects in the
// way. Questions ask it on demand, decisions never. What it reads beyond the pod and the node it
// spends as steps.
class CulpritPlugin {
 public:
  // Of a list of pods that are in the way, so many are written.
  static constexpr size_t kMaxPods = 5;

  virtual ~CulpritPlugin() = default;
  // Writes members of the culprit's object.
  virtual void WriteCulprit(const Refusal& refusal, JsonWriter* json) const = 0;
  // How much of what the pod asks for is missing on the node: thousandths of each amount, summed. 0
  // of a plugin that refuses for no amounts.
  virtual int64_t Missing(const Refusal&) const { return 0; }
};

// A score of one node: what Score was asked, and what it returned.
struct NotedScore {
  const CycleState& state;
  const Pod& pod;
  std::span<const NodeScore> raw;  // of all feasible nodes, as Score returned them
  size_t position = 0;             // of the node among these
  int64_t normalized = 0;          // its score after NormalizeScore

  const NodeInfo& node() const { return *raw[position].node; }
  int64_t score() const { return raw[position].score; }
};

// A Score plugin that reports the operands of its scores. Questions ask it on demand, decisions
// never. The notes come from the same code as the score: each method returns the number that its
// operands make, and the caller checks it. Without operands only the numbers are noted.
class ScoreNotesPlugin {
 public:
  virtual ~ScoreNotesPlugin() = default;
  // Notes how Score comes to its result, and returns that result.
  virtual int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const;
  // Notes what NormalizeScore makes of the score, and returns it. Called only if the plugin has a
  // Normalizer.
  virtual int64_t NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const;
};

// A plugin of the default profile whose rule does not exist here yet. It answers as the real one
// does for pods that it does not concern; for the others the decision is made without it and
// flagged.
class NotImplementedPlugin {
 public:
  virtual ~NotImplementedPlugin() = default;
  // True when the missing rule could change what happens to this pod.
  virtual bool Matters(const Pod& pod) const = 0;
};

}  // namespace stowage
