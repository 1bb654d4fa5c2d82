// The extension points of the scheduling framework, as plugins see them (spec 05). A plugin is one
// class that derives from the points it implements. Per-node Filter and Score state the rule. The
// chunk forms are derived from them, and a plugin may override one to read NodeTable columns (a
// test compares both). Plugins keep no state between cycles except their arguments: a cycle's data
// is in CycleState. A plugin is owned as a Plugin, the only one of its bases with a virtual
// destructor. Counterpart: staging/src/k8s.io/kube-scheduler/framework/interface.go, v1.36.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object_key.h"
#include "core/api/pod.h"
#include "core/base/result.h"
#include "core/framework/chunk_statuses.h"
#include "core/framework/cluster_event.h"
#include "core/framework/cycle_state.h"
#include "core/framework/diagnosis.h"
#include "core/framework/node_score.h"
#include "core/framework/pod_signature.h"
#include "core/framework/queued_pod_info.h"
#include "core/framework/status.h"
#include "core/loop/task.h"
#include "core/table/node_info.h"
#include "core/table/node_table.h"

namespace stowage {

using NodeList = std::span<const NodeInfo* const>;

class JsonWriter;
class RowKey;
class ScoreNotes;

class Plugin {
 public:
  virtual ~Plugin() = default;
  // The plugin's name in the configuration, e.g. "NodeResourcesFit".
  virtual std::string_view Name() const = 0;
  // What the plugin keeps between cycles and decides by, for forks and savepoints. What binding
  // cycles under way keep is not part of it.
  struct State {
    virtual ~State() = default;
  };
  // Null if the plugin keeps nothing.
  virtual std::unique_ptr<State> SaveState() const { return nullptr; }
  // Takes the state that SaveState of this plugin, or of another instance of it, returned.
  virtual void RestoreState(const State& state) { static_cast<void>(state); }
  // Exchanges what the plugin keeps for its tasks under way with that of the tasks of a savepoint;
  // null: these have nothing.
  virtual void SwapTaskState(std::unique_ptr<State>* held) { static_cast<void>(held); }
};

class PreEnqueuePlugin {
 public:
  // Any status but Success keeps the pod out of the active queue.
  virtual Status PreEnqueue(const Pod& pod) const = 0;

 protected:
  ~PreEnqueuePlugin() = default;
};

// A sort key of pods: the smaller pair is scheduled first.
struct QueueSortKey {
  int64_t first = 0;
  Instant second;

  friend auto operator<=>(const QueueSortKey&, const QueueSortKey&) = default;
};

class QueueSortPlugin {
 public:
  // Whether `a` is scheduled before `b`. A strict order.
  virtual bool Less(const QueuedPodInfo& a, const QueuedPodInfo& b) const = 0;
  // A key that orders pods like Less, so that comparisons need neither the plugin nor the pods. A
  // plugin returns it for all pods or for none; it may change only when the pod enters a queue
  // again.
  virtual std::optional<QueueSortKey> KeyOf(const QueuedPodInfo&) const { return std::nullopt; }

 protected:
  ~QueueSortPlugin() = default;
};

// How a PreFilter plugin narrows the nodes: the pod can run only on these (they need not exist).
// nullopt: on all nodes.
struct PreFilterResult {
  std::optional<std::vector<Symbol>> node_names;
};

class PreFilterExtensions {
 public:
  // Update a cloned state for a pod that a dry run adds to or removes from `node`.
  virtual Status AddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                        const NodeInfo& node) const = 0;
  virtual Status RemovePod(CycleState& state, const Pod& pod, const PodInfo& pod_to_remove,
                           const NodeInfo& node) const = 0;

 protected:
  ~PreFilterExtensions() = default;
};

class PreFilterPlugin {
 public:
  // Skip: this plugin's Filter and extensions are not called in this cycle.
  virtual Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                           PreFilterResult* result) const = 0;
  // Null if dry runs need no accounting beyond NodeInfo's own.
  virtual const PreFilterExtensions* Extensions() const { return nullptr; }

 protected:
  ~PreFilterPlugin() = default;
};

class FilterPlugin {
 public:
  // Whether all nodes of the table are known to pass, without looking at each of them.
  virtual bool PassesAll(const CycleState&, const Pod&, const NodeTable&) const { return false; }
  virtual Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const = 0;
  // Returns the bits of the `candidates` that pass, and sets the statuses of the others.
  virtual uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                               uint64_t candidates, ChunkStatuses* statuses) const = 0;

 protected:
  ~FilterPlugin() = default;
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
      passed |= uint64_t{status.IsSuccess()} << offset;
      if (!status.IsSuccess()) statuses->SetOne(offset, status);
    }
    return passed;
  }
};

// For a pod that fits nowhere. A nomination overrides its status.nominatedNodeName (empty: clears
// it); nullopt leaves it unchanged.
struct PostFilterResult {
  std::optional<Symbol> nominated_node_name;
};

class PostFilterPlugin {
 public:
  // All arguments must outlive the task.
  virtual Task<Status> PostFilter(CycleState& state, const Pod& pod, const NodeToStatus& statuses,
                                  PostFilterResult* result) = 0;

 protected:
  ~PostFilterPlugin() = default;
};

class PreScorePlugin {
 public:
  // `nodes` have passed the filters. Skip: this plugin's Score is not called in this cycle.
  virtual Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const = 0;

 protected:
  ~PreScorePlugin() = default;
};

struct NodeScore {
  const NodeInfo* node;
  int64_t score;
};

class ScoreExtensions {
 public:
  // Maps the scores of all feasible nodes to [kMinNodeScore, kMaxNodeScore].
  virtual Status NormalizeScore(const CycleState& state, const Pod& pod,
                                std::span<NodeScore> scores) const = 0;

 protected:
  ~ScoreExtensions() = default;
};

using ChunkScores = std::array<int64_t, NodeTable::kChunkRows>;

class ScorePlugin {
 public:
  virtual Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                        const NodeInfo& node) const = 0;
  // Scores the nodes whose bits are set in `candidates`; stops at the first failure.
  virtual Status ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                            uint64_t candidates, ChunkScores* scores) const = 0;
  // A quicker form without a normalizer: adds weight × score to the candidates' totals; others may
  // change too. The chunk may have any number of neighbours; candidates and totals are by offset,
  // up to whole words. False: nothing was added, or a score is out of range: totals are then void.
  virtual bool AddScores(const CycleState&, const Pod&, const NodeChunk&,
                         std::span<const uint64_t> /*candidates*/, int32_t /*weight*/,
                         int32_t* /*totals*/) const {
    return false;
  }
  // Null if the scores are within range already.
  virtual const ScoreExtensions* Normalizer() const { return nullptr; }
  // Whether every node scores 0 in this cycle, also when normalized. Caches leave the plugin out.
  virtual bool ScoresNothing(const CycleState&) const { return false; }
  // Whether Score is known to be 0 for all nodes of the table as it is now.
  virtual bool ScoresNothingOn(const CycleState&, const NodeTable&) const { return false; }

 protected:
  ~ScorePlugin() = default;
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
  // Changes what the pod counts for on the node before it is assumed there. True if it did.
  virtual bool ChangeAssumedPod(const CycleState&, const Symbol& /*node*/, Pod*) const {
    return false;
  }
  virtual Status Reserve(CycleState& state, const Pod& pod, const Symbol& node) = 0;
  // Must do no harm if Reserve was not called or failed.
  virtual void Unreserve(CycleState& state, const Pod& pod, const Symbol& node) = 0;

 protected:
  ~ReservePlugin() = default;
};

class PermitPlugin {
 public:
  // Wait: the pod waits for at most `*timeout_us` before it is rejected.
  virtual Status Permit(CycleState& state, const Pod& pod, const Symbol& node,
                        int64_t* timeout_us) = 0;

 protected:
  ~PermitPlugin() = default;
};

class PreBindPlugin {
 public:
  // Success: PreBind has work for this pod; Skip: it has none.
  virtual Status PreBindPreFlight(CycleState& state, const Pod& pod, const Symbol& node) = 0;
  // All arguments must outlive the task.
  virtual Task<Status> PreBind(CycleState& state, const Pod& pod, const Symbol& node) = 0;

 protected:
  ~PreBindPlugin() = default;
};

class BindPlugin {
 public:
  // Skip: the next Bind plugin is called. Success: the pod is bound. Arguments outlive the task.
  virtual Task<Status> Bind(CycleState& state, const Pod& pod, const Symbol& node) = 0;

 protected:
  ~BindPlugin() = default;
};

class PostBindPlugin {
 public:
  // All arguments must outlive the task.
  virtual Task<void> PostBind(CycleState& state, const Pod& pod, const Symbol& node) = 0;

 protected:
  ~PostBindPlugin() = default;
};

// The events that may make pods schedulable that the plugin rejected (spec 02 §6). Without them, a
// plugin that can reject pods receives every event.
class EnqueueExtensions {
 public:
  virtual std::vector<ClusterEventWithHint> EventsToRegister() const = 0;

 protected:
  ~EnqueueExtensions() = default;
};

// Nodes on which a pod group may be placed as a whole.
struct Placement {
  Symbol name;
  std::vector<const NodeInfo*> nodes;  // in visit order
};

// The pods of a group that would run on a placement, each with its node.
struct PodGroupAssignments {
  const Placement& placement;
  std::vector<PodRef> pods;
};

// Pods that a preemption evicts together or not at all.
struct PreemptionUnit {
  std::vector<PodInfoRef> pods;
  int32_t priority = 0;
  size_t rank = 0;        // 0: the most important
  bool violates = false;  // its eviction would violate a PodDisruptionBudget
};

// Makes room for a pod group that cannot be scheduled: the caller removes all units, tries the
// group, and adds back the units beside which it can still be scheduled, one by one.
class PodGroupPostFilterPlugin {
 public:
  // The units that may be evicted, in the order in which they should be spared. `pods` are the
  // group's. A fault is the status that says why there is no preemption.
  virtual Result<std::vector<PreemptionUnit>, Status> PodGroupVictims(
      const PodGroup& group, std::span<const PodRef> pods) const = 0;
  // Success: the eviction of the victims is under way, or done.
  virtual Task<Status> PreemptFor(PodGroupRef group, std::vector<PodRef> pods,
                                  std::vector<PodInfoRef> victims) = 0;

 protected:
  ~PodGroupPostFilterPlugin() = default;
};

class PlacementGeneratePlugin {
 public:
  // Appends the parts of `parent` on which the group may be placed.
  virtual Status GeneratePlacements(const ObjectKey& group, const Placement& parent,
                                    std::vector<Placement>* placements) const = 0;

 protected:
  ~PlacementGeneratePlugin() = default;
};

class PlacementScorePlugin {
 public:
  virtual int64_t ScorePlacement(const ObjectKey& group,
                                 const PodGroupAssignments& assignments) const = 0;
  // Maps the scores of all placements to [kMinNodeScore, kMaxNodeScore].
  virtual Status NormalizePlacementScores(std::span<int64_t>) const { return Status::Success(); }

 protected:
  ~PlacementScorePlugin() = default;
};

// The storage that nodes use, as a plugin reads it.
struct StorageUse {
  // Renews the rows whose verdicts may be others although neither the node nor its pods changed.
  PodLog changes;
  // Rises if a pod that did not change may have another fragment.
  uint64_t version = 0;
};

// A plugin whose Filter and Score depend only on what it appends about the pod and on the node's
// row; also, if the pod has claims, on the storage or the devices that the node uses, and on rows
// that it names, on the number of nodes. Pods with equal fragments of all plugins get equal
// verdicts, so the verdicts can be cached.
class FragmentPlugin {
 public:
  // Appends exactly what this plugin reads of the pod, its claims and their volumes. False: its
  // verdicts for this pod depend on more, such as other pods, and what was appended is void.
  virtual bool AppendFragment(const Pod& pod, PodSignature* signature) const = 0;
  // Whether it reads the Node object alone, so that its verdicts stay as pods come and go.
  virtual bool ReadsNodeAlone() const { return false; }
  // Whether its verdicts for pods with claims depend on storage.
  virtual bool ReadsStorage() const { return false; }
  // The storage that nodes use now, if its verdicts about pods with claims depend on it; else null.
  virtual const StorageUse* FollowStorage() const { return nullptr; }
  // Rises with every change of the claims and volumes that it has assumed and its fragments read.
  virtual uint64_t AssumedVersion() const { return 0; }
  // Whether its verdicts for the pod also depend on devices (Handle::dra). If the plugin also takes
  // part in Reserve, its PreFilter is then called for each pod whose node is chosen.
  virtual bool ReadsDevices(const Pod&) const { return false; }
  // Appends the rows on which its verdict or score also depends on the number of nodes.
  virtual void AppendRowsCountingNodes(const Pod&, const NodeTable&,
                                       std::vector<uint32_t>* /*rows*/) const {}

 protected:
  ~FragmentPlugin() = default;
};

// Nodes that no plugin can tell apart in a cycle: one of them, and their number.
struct NodeGroup {
  const NodeInfo* node;
  size_t count;
};

// A plugin that has no fragment for a pod but reads only a few parts of a row: rows with equal
// parts get equal verdicts and scores in one cycle, so it is called for one of them.
class ClassPlugin {
 public:
  // Appends what Derive reads of the pod. False: this plugin reads more of a row than a RowKey can
  // express.
  virtual bool AppendClassFragment(const Pod& pod, PodSignature* signature) const = 0;
  // Writes what PreFilter and PreScore derive from the pod to `derived`, for the states of later
  // cycles, and appends the parts of a row that matter to `key`. False: the plain form must decide
  // this pod. The derived data is valid until Framework::derivation changes.
  virtual bool Derive(const Pod& pod, CycleState& derived, RowKey* key) const = 0;
  // PreScore for the nodes in `groups`.
  virtual Status PreScoreGroups(CycleState& state, const Pod& pod,
                                std::span<const NodeGroup> groups) const = 0;

 protected:
  ~ClassPlugin() = default;
};

// The plugin's part of the signature by which OpportunisticBatching compares pods. A profile has
// signatures if all of its PreFilter, Filter, PreScore and Score plugins sign. Signatures are
// coarser than fragments in some places and finer in others, because they are the reference's own
// (spec plugins/00, "Signatures").
class SignPlugin {
 public:
  // False: no signature covers what this plugin reads of the pod.
  virtual bool CanSign(const Pod&) const { return true; }
  virtual void SignPod(const Pod& pod, PodSignature* signature) const = 0;

 protected:
  ~SignPlugin() = default;
};

// A member of a Decision record: a consequence of the choice beside the node itself.
struct DecisionNote {
  std::string_view name;  // static text
  std::string json;
};

class DecisionNotePlugin {
 public:
  // nullopt if there is nothing to note. `node` is the chosen node.
  virtual std::optional<DecisionNote> NoteOn(const CycleState& state, const Pod& pod,
                                             const NodeInfo& node) const = 0;

 protected:
  ~DecisionNotePlugin() = default;
};

// A refusal of Filter: the arguments of the call, and its status.
struct Refusal {
  const Status& status;
  const CycleState& state;
  const Pod& pod;
  const NodeInfo& node;
};

// A Filter plugin that can explain its refusals by amounts and the objects in the way. Only
// evaluations ask for it, never decisions. It spends steps for what it reads beyond the pod and the
// node.
class CulpritPlugin {
 public:
  // The number of pods written from a list of pods that are in the way.
  static constexpr size_t kMaxPods = 5;

  // Writes members into the culprit's object.
  virtual void WriteCulprit(const Refusal& refusal, JsonWriter* json) const = 0;
  // How much of the pod's requests is missing on the node: thousandths of each amount, summed. 0
  // for a plugin that does not refuse for amounts.
  virtual int64_t Missing(const Refusal&) const { return 0; }

 protected:
  ~CulpritPlugin() = default;
};

// A score of one node: the arguments of Score, and its result.
struct NotedScore {
  const CycleState& state;
  const Pod& pod;
  std::span<const NodeScore> raw;  // of all feasible nodes, as returned by Score
  size_t position = 0;             // the node's index in `raw`
  int64_t normalized = 0;          // its score after NormalizeScore

  const NodeInfo& node() const { return *raw[position].node; }
  int64_t score() const { return raw[position].score; }
};

// A Score plugin that reports the operands of its scores. Only evaluations ask for it, never
// decisions. Notes and scores come from the same code: each method returns the number that its
// operands give, and the caller checks it. Without operands only the numbers are noted.
class ScoreNotesPlugin {
 public:
  // Notes how Score computes its result, and returns that result.
  virtual int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const;
  // Notes how NormalizeScore maps the score, and returns the result. Called only if the plugin has
  // a Normalizer.
  virtual int64_t NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const;
};

}  // namespace stowage
