// FakeBackground is the work beside scheduling cycles in a test: writes are recorded and answered
// at once, as the test prescribes.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core/framework/handle.h"
#include "core/loop/loop.h"

namespace stowage {

class FakeApiClient final : public ApiClient {
 public:
  Task<ApiResponse> Bind(Calls&, const Pod& pod, const Symbol& node) override {
    writes.push_back("bind " + pod.metadata.name.str() + " " + node.str());
    co_return answer;
  }
  Task<ApiResponse> PatchPodStatus(Calls&, const Pod& pod, const PodStatusPatch& patch) override {
    std::string text = "patch " + pod.metadata.name.str();
    if (patch.condition) {
      text += " " + patch.condition->type.str() + "=" + patch.condition->status.str();
    }
    if (patch.nominated_node_name) text += " nominated=" + patch.nominated_node_name->str();
    writes.push_back(std::move(text));
    patches.push_back(patch);
    co_return answer;
  }
  Task<ApiResponse> PatchPodGroupStatus(Calls&, const PodGroup& group,
                                        const PodCondition& condition) override {
    writes.push_back("patch group " + group.metadata.name.str() + " " + condition.status.str());
    co_return answer;
  }
  Task<ApiResponse> DeletePod(Calls&, const Pod& pod) override {
    writes.push_back("delete " + pod.metadata.name.str());
    co_return answer;
  }
  Task<ApiResponse> Send(Calls&, const ApiRequest& request) override {
    writes.push_back(std::string(request.verb) + " " + request.path);
    requests.push_back(request);
    if (answers.empty()) co_return answer;
    ApiResponse next = std::move(answers.front());
    answers.pop_front();
    co_return next;
  }
  void RecordEvent(const Pod& pod, const Symbol&, PodEvent event) override {
    writes.push_back("event " + pod.metadata.name.str() + " " + std::string(event.reason) + ": " +
                     event.note);
  }

  ApiResponse answer{200, "", "", ""};
  std::deque<ApiResponse> answers;  // for the next requests, in turn, before `answer`
  std::vector<std::string> writes;
  std::vector<PodStatusPatch> patches;
  std::vector<ApiRequest> requests;  // calls without a method of their own
};

class FakeBackground final : public PodActivator {
 public:
  void Activate(const std::vector<PodRef>& pods) override {
    for (const PodRef& pod : pods) activated.push_back(pod->metadata.name.str());
  }

  Outbox outbox;
  Loop loop{outbox};
  FakeApiClient api;
  WaitingPods waiting_pods;
  PodsInPreBind pods_in_pre_bind;
  std::vector<std::string> activated;
  Background background{loop, loop, api, waiting_pods, pods_in_pre_bind, *this};
};

}  // namespace stowage
