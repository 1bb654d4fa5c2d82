#include "core/preemption/executor.h"

#include <algorithm>
#include <utility>

#include "core/api/pod_helpers.h"
#include "core/base/check.h"
#include "core/base/format.h"

namespace stowage {
namespace {

PodStatusPatch DisruptionPatch(const Pod& victim, const PreparedCandidate& candidate, Instant now) {
  PodCondition condition;
  condition.type = Symbol("DisruptionTarget");
  condition.status = Symbol("True");
  condition.reason = Symbol("PreemptionByScheduler");
  condition.message =
      Format("{}: preempting to accommodate a higher priority {}",
             candidate.preemptors.front()->spec.scheduler_name.view(), candidate.preemptor_type());
  condition.last_transition_time = now;
  condition.observed_generation = victim.metadata.generation;
  PodStatusPatch patch;
  patch.condition = std::move(condition);
  return patch;
}

}  // namespace

std::vector<PodInfoRef> Executor::VictimsToDelete(const PreparedCandidate& candidate) const {
  if (!behaviour_.spares_terminating_victims) return candidate.victims.pods;
  std::vector<PodInfoRef> live;
  for (const PodInfoRef& victim : candidate.victims.pods) {
    if (!IsTerminating(*victim->pod)) live.push_back(victim);
  }
  return live;
}

Task<Status> Executor::PrepareCandidate(const PreparedCandidate& candidate) {
  Batch batch{candidate, VictimsToDelete(candidate)};
  co_await EvictAll(handle_.calls(), &batch);
  if (batch.error) co_return Status::Error(*batch.error);
  ObserveVictims(candidate);
  co_await ClearNominations(handle_.calls(), candidate);
  co_return Status::Success();
}

void Executor::PrepareCandidateAsync(PreparedCandidate candidate) {
  if (VictimsToDelete(candidate).empty()) return;
  Background* background = handle_.background();
  CHECK(background != nullptr);
  ObserveVictims(candidate);
  // Counted at the start: upstream fixes the result when it starts the task.
  handle_.metrics().Add(Metric::kPreemptionGoroutinesExecution, {"success"});
  preempting_[candidate.preemptor().uid] = nullptr;
  background->spawner.Spawn(PrepareInBackground(std::move(candidate)));
}

Task<void> Executor::PrepareInBackground(PreparedCandidate candidate) {
  Background* background = handle_.background();
  Calls& calls = background->calls;
  const Symbol& uid = candidate.preemptor().uid;
  bool is_cleared = co_await ClearNominations(calls, candidate);
  Batch batch{candidate, VictimsToDelete(candidate)};
  PodInfoRef last = batch.victims.back();
  batch.victims.pop_back();
  co_await EvictAll(calls, &batch);
  std::optional<std::string> error = batch.error;
  if (!error || !behaviour_.failed_eviction_spares_last_victim) {
    if (behaviour_.waits_for_last_victim) {
      preempting_[uid] = last;
    } else {
      preempting_.erase(uid);
    }
    std::optional<std::string> last_error = co_await PreemptPod(calls, candidate, last);
    if (last_error) error = std::move(last_error);
  }
  preempting_.erase(uid);
  if (error || !is_cleared) background->activator.Activate(candidate.preemptors);
}

void Executor::ObserveVictims(const PreparedCandidate& candidate) {
  auto count = static_cast<int64_t>(candidate.victims.pods.size());
  handle_.metrics().Observe(Metric::kPreemptionVictims, {}, count);
}

bool Executor::IsRunningPreemption(const Symbol& uid) const {
  auto found = preempting_.find(uid);
  if (found == preempting_.end()) return false;
  if (found->second == nullptr) return true;
  const ObjectMeta& last = found->second->pod->metadata;
  PodRef listed = handle_.listers().GetPod(last.namespace_, last.name);
  return listed != nullptr && !IsTerminating(*listed);
}

Task<bool> Executor::ClearNominations(Calls& calls, const PreparedCandidate& candidate) {
  bool is_cleared = true;
  PodStatusPatch patch;
  patch.nominated_node_name = Symbol();
  for (const PodInfoRef& nominee : candidate.cleared_nominations) {
    ApiResponse patched =
        co_await handle_.background()->api.PatchPodStatus(calls, *nominee->pod, patch);
    is_cleared = is_cleared && patched.ok();
  }
  co_return is_cleared;
}

Task<void> Executor::EvictAll(Calls& calls, Batch* batch) {
  size_t limit = static_cast<size_t>(std::max(handle_.parallelism(), 1));
  std::vector<Task<void>> workers;
  for (size_t worker = 0; worker < std::min(limit, batch->victims.size()); ++worker) {
    workers.push_back(EvictInTurn(calls, batch));
  }
  for (Task<void>& worker : workers) worker.Start();
  for (const Task<void>& worker : workers) co_await worker.Join();
}

Task<void> Executor::EvictInTurn(Calls& calls, Batch* batch) {
  while (batch->next < batch->victims.size() && !batch->error) {
    PodInfoRef victim = batch->victims[batch->next++];
    std::optional<std::string> error = co_await PreemptPod(calls, batch->candidate, victim);
    if (error && !batch->error) batch->error = std::move(error);
  }
}

Task<std::optional<std::string>> Executor::PreemptPod(Calls& calls,
                                                      const PreparedCandidate& candidate,
                                                      PodInfoRef victim) {
  Background* background = handle_.background();
  const Symbol& uid = victim->uid();
  std::string cause = Format("preempted by {}", plugin_.view());
  WaitingPod* waiting = background->waiting_pods.Get(uid);
  bool returns = behaviour_.binding_victims_return;
  bool is_stopped = waiting != nullptr;
  if (is_stopped && returns) {
    is_stopped = waiting->Preempt(plugin_, "preempted");
  } else if (is_stopped) {
    waiting->Reject(plugin_, "preempted");
  }
  if (is_stopped || (returns && background->pods_in_pre_bind.Cancel(uid, cause))) {
    RecordPreempted(candidate, *victim->pod, returns);
    co_return std::nullopt;
  }
  PodStatusPatch patch = DisruptionPatch(*victim->pod, candidate, handle_.now());
  ApiResponse patched = co_await background->api.PatchPodStatus(calls, *victim->pod, patch);
  if (patched.IsNotFound()) co_return std::nullopt;
  if (!patched.ok()) co_return patched.message;
  ApiResponse deleted = co_await background->api.DeletePod(calls, *victim->pod);
  if (deleted.IsNotFound()) co_return std::nullopt;
  if (!deleted.ok()) co_return deleted.message;
  RecordPreempted(candidate, *victim->pod, false);
  co_return std::nullopt;
}

void Executor::RecordPreempted(const PreparedCandidate& candidate, const Pod& victim,
                               bool is_in_memory) {
  const ObjectMeta& preemptor = candidate.preemptor();
  std::string note =
      Format("Preempted by {} {} on node {}{}", candidate.preemptor_type(), preemptor.uid.view(),
             candidate.victims.node.view(), is_in_memory ? " (in kube-scheduler memory)." : "");
  std::string related = Format("{}/{}", preemptor.namespace_.view(), preemptor.name.view());
  PodEvent event{false, "Preempted", "Preempting", std::move(note), std::move(related)};
  handle_.background()->api.RecordEvent(victim, handle_.profile_name(), std::move(event));
}

}  // namespace stowage
