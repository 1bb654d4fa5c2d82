// HandledCluster is what event handlers work on, ready to be given objects.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/scheduler/event_handlers.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

class ByArrival final : public QueueSortPlugin {
 public:
  bool Less(const QueuedPodInfo&, const QueuedPodInfo&) const override { return false; }
};

class HandledCluster {
 public:
  void Put(const Pod& pod) { handlers_.OnPut(std::make_shared<const Pod>(pod)); }
  void Put(const Node& node) { handlers_.OnPut(std::make_shared<const Node>(node)); }
  void DeletePod(std::string_view name) {
    handlers_.OnDelete(ObjectKind::kPod, {Symbol("default"), Symbol(name)});
  }
  void DeleteNode(std::string_view name) {
    handlers_.OnDelete(ObjectKind::kNode, {Symbol(), Symbol(name)});
  }

  PodRef GetPod(std::string_view name) const {
    return store_.GetPod(Symbol("default"), Symbol(name));
  }
  // -1 when nothing of that name is known.
  int64_t MilliCpu(std::string_view node) const {
    const NodeInfo* info = cache_.GetNodeInfo(Symbol(node));
    return info == nullptr ? -1 : info->requested().milli_cpu;
  }

 protected:
  ByArrival by_arrival_;
  Features features_;
  ObjectStore store_;
  Cache cache_;
  PendingPods pending_{by_arrival_};
  Nominator nominator_;
  EventHandlers handlers_{{store_, cache_, pending_, nominator_, features_},
                          {Symbol("default-scheduler"), Symbol("second-scheduler")}};
};

}  // namespace stowage
