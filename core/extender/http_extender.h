// HttpExtender calls a configured extender by JSON over HTTP POST (spec 05 §12).
// Counterpart: pkg/scheduler/extender.go (HTTPExtender), v1.36.
#pragma once

#include <string>
#include <vector>

#include "core/config/types.h"
#include "core/framework/extender.h"

namespace stowage {

struct ExtenderQuirks {
  // True, as in v1.36: nodes that an extender without nodeCacheCapable returns are scored as if no
  // pods ran on them. False: they are scored as in the snapshot.
  bool nodes_without_pods = true;
};

class HttpExtender final : public Extender {
 public:
  HttpExtender(ExtenderConfig config, ExtenderQuirks quirks)
      : config_(std::move(config)), quirks_(quirks) {}

  std::string_view Name() const override { return config_.url_prefix; }
  bool IsIgnorable() const override { return config_.ignorable; }
  bool IsFilter() const override { return !config_.filter_verb.empty(); }
  bool IsPrioritizer() const override { return !config_.prioritize_verb.empty(); }
  bool SupportsPreemption() const override { return !config_.preempt_verb.empty(); }
  bool IsBinder() const override { return !config_.bind_verb.empty(); }
  int64_t Weight() const override { return IsPrioritizer() ? config_.weight : 0; }
  bool IsInterested(const Pod& pod) const override;

  Call FilterCall(const Pod& pod, NodeList nodes) const override;
  Result<ExtenderVerdict, Status> FilterVerdict(const Completion& answer,
                                                NodeList nodes) const override;
  Call PrioritizeCall(const Pod& pod, NodeList nodes) const override;
  Result<std::vector<HostPriority>, Status> Priorities(const Completion& answer) const override;
  Call PreemptCall(const Pod& pod,
                   const std::vector<const PreemptionVictims*>& candidates) const override;
  Result<std::vector<PreemptionVictims>, Status> Candidates(
      const Completion& answer, const Snapshot& snapshot) const override;
  Call BindCall(const Pod& pod, const Symbol& node) const override;
  Status BindStatus(const Completion& answer) const override;

 private:
  Call CallOf(const Pod& pod, std::string_view verb, std::string_view configured_verb,
              std::string body) const;
  std::string ExtenderArgs(const Pod& pod, NodeList nodes) const;
  std::string UrlOf(std::string_view verb) const;
  // The error of a call without an HTTP 200 answer; nullopt if there is one.
  std::optional<Status> FaultOf(const Completion& answer, std::string_view verb) const;
  Result<ExtenderVerdict, Status> SurvivorsOf(const ExtenderFilterResult& result,
                                              NodeList nodes) const;
  Result<ExtenderVerdict, Status> TakeNames(const std::vector<Symbol>& names, NodeList nodes) const;
  Result<ExtenderVerdict, Status> TakeObjects(const std::vector<NodeRef>& objects,
                                              NodeList nodes) const;

  ExtenderConfig config_;
  ExtenderQuirks quirks_;
};

// The configured extenders in calling order: those that are not ignorable first.
Extenders NewExtenders(const std::vector<ExtenderConfig>& configs, ExtenderQuirks quirks);

}  // namespace stowage
