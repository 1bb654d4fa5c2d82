// JsPlugin is a plugin written in JavaScript, as the framework sees it: each extension point calls
// it over the bridge. The points of the queue and of a scheduling cycle are synchronous; nodes are
// passed in chunks. The points of the binding cycle may wait: they become Calls of kind "plugin".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/framework/registry.h"
#include "core/scheduler/scheduler_options.h"
#include "wasm/js_plugin_host.h"

namespace stowage {

class JsPlugin final : public Plugin,
                       public PreFilterPlugin,
                       public PreFilterExtensions,
                       public FilterPlugin,
                       public PostFilterPlugin,
                       public PreScorePlugin,
                       public ScorePlugin,
                       public ScoreExtensions,
                       public ScoreNotesPlugin,
                       public ReservePlugin,
                       public PreEnqueuePlugin,
                       public EnqueueExtensions,
                       public PermitPlugin,
                       public PreBindPlugin,
                       public BindPlugin,
                       public PostBindPlugin {
 public:
  // `context` is the profile's.
  JsPlugin(std::shared_ptr<JsPluginHost> host, PluginDeclaration declaration,
           const PluginContext& context)
      : host_(std::move(host)), declaration_(std::move(declaration)), handle_(context.handle) {}

  // The registry entry of a plugin with that name and those methods.
  static Registry::Entry EntryOf(std::shared_ptr<JsPluginHost> host,
                                 const PluginDeclaration& declaration);

  std::string_view Name() const override { return declaration_.name; }

  Status PreFilter(CycleState& state, const Pod& pod, NodeList nodes,
                   PreFilterResult* result) const override;
  const PreFilterExtensions* Extensions() const override;
  Status AddPod(CycleState& state, const Pod& pod, const PodInfo& pod_to_add,
                const NodeInfo& node) const override;
  Status RemovePod(CycleState& state, const Pod& pod, const PodInfo& pod_to_remove,
                   const NodeInfo& node) const override;
  Status Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const override;
  uint64_t FilterChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                       uint64_t candidates, ChunkStatuses* statuses) const override;
  Task<Status> PostFilter(CycleState& state, const Pod& pod, const NodeToStatus& statuses,
                          PostFilterResult* result) override;
  Status PreScore(CycleState& state, const Pod& pod, NodeList nodes) const override;
  Result<int64_t, Status> Score(const CycleState& state, const Pod& pod,
                                const NodeInfo& node) const override;
  Status ScoreChunk(const CycleState& state, const Pod& pod, const NodeChunk& chunk,
                    uint64_t candidates, ChunkScores* scores) const override;
  const ScoreExtensions* Normalizer() const override;
  Status NormalizeScore(const CycleState& state, const Pod& pod,
                        std::span<NodeScore> scores) const override;
  int64_t NoteScore(const NotedScore& scored, ScoreNotes* notes) const override;
  Status Reserve(CycleState& state, const Pod& pod, const Symbol& node) override;
  void Unreserve(CycleState& state, const Pod& pod, const Symbol& node) override;
  Status PreEnqueue(const Pod& pod) const override;
  std::vector<ClusterEventWithHint> EventsToRegister() const override;
  Status Permit(CycleState& state, const Pod& pod, const Symbol& node,
                int64_t* timeout_us) override;
  // A plugin with PreBind never skips it.
  Status PreBindPreFlight(CycleState&, const Pod&, const Symbol&) override {
    return Status::Success();
  }
  Task<Status> PreBind(CycleState& state, const Pod& pod, const Symbol& node) override;
  Task<Status> Bind(CycleState& state, const Pod& pod, const Symbol& node) override;
  Task<void> PostBind(CycleState& state, const Pod& pod, const Symbol& node) override;

 private:
  PluginInstance Instance(std::unique_ptr<JsPlugin> self);
  JsPluginHost::Request RequestFor(std::string_view point, const CycleState& state,
                                   const Pod& pod) const;
  JsPluginHost::Callee Callee(std::string_view point) const {
    return {declaration_.name, handle_.profile_name().view(), point};
  }
  QueueingHint HintOf(size_t event, const Pod& pod, const EventObjects& objects) const;
  // `verb` must be static text.
  Task<Status> CallOut(std::string_view verb, const CycleState& state, const Pod& pod,
                       const Symbol& node);

  std::shared_ptr<JsPluginHost> host_;
  PluginDeclaration declaration_;
  Handle& handle_;
};

}  // namespace stowage
