// HandledCluster holds the parts that event handlers change, and the handlers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/scheduler/event_handlers.h"
#include "tests/core/scheduler/json_tree.h"
#include "tests/support/fake_handle.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

class ByArrival final : public QueueSortPlugin {
 public:
  bool Less(const QueuedPodInfo&, const QueuedPodInfo&) const override { return false; }
};

class DeafObserver final : public QueueObserver {
 public:
  void OnGated(const QueuedPodInfo&, const Status&) override {}
  void OnMove(const QueuedPodInfo&, std::string_view) override {}
};

class HandledCluster {
 public:
  HandledCluster() {
    for (auto& [name, profile] : profiles_) {
      profile.pre_enqueue = [](const Pod&, const Symbol&) { return Status::Success(); };
    }
  }

  void Put(const Pod& pod) { handlers_.OnPut(std::make_shared<const Pod>(pod)); }
  void Put(const Node& node) { handlers_.OnPut(std::make_shared<const Node>(node)); }
  // Deletes the pod as a watch does, with its last state.
  void Delete(const Pod& pod) { handlers_.OnDelete(std::make_shared<const Pod>(pod)); }
  void DeletePod(std::string_view name) { Delete(MakePod().Name(name).Obj()); }
  void DeleteNode(std::string_view name) { handlers_.OnDelete(MakeNode().Name(name).Ref()); }
  // Deletes the pod as a list does that no longer contains it.
  void LosePod(std::string_view name) {
    handlers_.OnFinalStateUnknown(ObjectKind::kPod, {Symbol("default"), Symbol(name)});
  }

  PodRef GetPod(std::string_view name) const {
    return store_.GetPod(Symbol("default"), Symbol(name));
  }
  // -1 if no node of that name is known.
  int64_t MilliCpu(std::string_view node) const {
    const NodeInfo* info = cache_.GetNodeInfo(Symbol(node));
    return info == nullptr ? -1 : info->requested().milli_cpu;
  }
  // The inconsistencies reported since the last call: "operation: message".
  std::string Inconsistencies() {
    std::string text;
    std::string records;
    records_.TakeInto(&records);
    for (size_t begin = 0; begin < records.size();) {
      size_t end = records.find('\n', begin);
      JsonTree record = JsonTree::Parse(std::string_view(records).substr(begin, end - begin));
      begin = end + 1;
      text += record["operation"].text() + " " + record["object"].text() + ": " +
              record["message"].text() + "\n";
    }
    return text;
  }

 protected:
  QueueingHintMap& hints() { return profiles_[Symbol("default-scheduler")].hints; }

  ByArrival by_arrival_;
  DeafObserver observer_;
  Features features_;
  ObjectStore store_;
  FakeSelectors selectors_;
  DraManager dra_{features_, selectors_};
  Cache cache_;
  Nominator nominator_{store_};
  WaitingPods waiting_pods_;
  BindingsInFlight bindings_;
  RecordLog records_{{}};
  std::map<Symbol, SchedulingQueue::Profile> profiles_ = {{Symbol("default-scheduler"), {}},
                                                          {Symbol("second-scheduler"), {}}};
  Metrics metrics_{true};
  SchedulingQueue queue_{{}, profiles_, features_, by_arrival_, nominator_, observer_, metrics_};
  EventHandlers handlers_{
      {store_, dra_, cache_, queue_, waiting_pods_, bindings_, records_, features_},
      {Symbol("default-scheduler"), Symbol("second-scheduler")}};
};

}  // namespace stowage
