#include "core/framework/waiting_pods.h"

#include <algorithm>
#include <utility>

#include "core/api/decode/duration.h"
#include "core/base/check.h"
#include "core/base/format.h"
#include "core/loop/trampoline.h"

namespace stowage {

WaitingPod::WaitingPod(PodRef pod, const std::vector<PermitWait>& waits, Instant now)
    : pod_(std::move(pod)) {
  for (const PermitWait& wait : waits) {
    Instant deadline = Instant::FromMicros(now.ToMicros() + wait.timeout_us);
    pending_.push_back({wait.plugin, deadline, wait.timeout_us});
  }
}

std::optional<Instant> WaitingPod::NextDeadline() const {
  if (outcome_ || pending_.empty()) return std::nullopt;
  auto earlier = [](const Pending& a, const Pending& b) { return a.deadline < b.deadline; };
  return std::min_element(pending_.begin(), pending_.end(), earlier)->deadline;
}

bool WaitingPod::Settle(Status outcome) {
  if (outcome_) return false;
  if (owner_ != nullptr) owner_->Unindex(*this);
  outcome_ = std::move(outcome);
  if (owner_ != nullptr) owner_->Index(*this);
  return true;
}

void WaitingPod::Allow(const Symbol& plugin) {
  if (owner_ != nullptr) owner_->Unindex(*this);
  std::erase_if(pending_, [&plugin](const Pending& one) { return one.plugin == plugin; });
  if (owner_ != nullptr) owner_->Index(*this);
  if (pending_.empty()) Settle(Status::Success());
}

bool WaitingPod::Reject(const Symbol& plugin, std::string_view message) {
  return Settle(Status::Unschedulable(message).WithPlugin(plugin));
}

bool WaitingPod::Preempt(const Symbol& plugin, std::string_view message) {
  return Settle(Status::Error(message).WithPlugin(plugin));
}

void WaitingPod::Expire(Instant now) {
  std::optional<Instant> deadline = NextDeadline();
  if (!deadline || now < *deadline) return;
  auto overdue = std::find_if(pending_.begin(), pending_.end(),
                              [&](const Pending& one) { return one.deadline == *deadline; });
  Reject(overdue->plugin,
         Format("rejected due to timeout after waiting {} at plugin {}",
                Duration::FromMicros(overdue->timeout_us).ToText(), overdue->plugin.view()));
}

void WaitingPods::Add(WaitingPod pod) {
  Symbol uid = pod.pod()->metadata.uid;
  pod.owner_ = this;
  auto [place, is_new] = pods_.emplace(std::move(uid), std::move(pod));
  CHECK(is_new);
  Index(place->second);
}

void WaitingPods::Index(const WaitingPod& pod) {
  const Symbol& uid = pod.pod_->metadata.uid;
  if (pod.outcome_) {
    settled_.insert(uid);
  } else if (std::optional<Instant> deadline = pod.NextDeadline()) {
    deadlines_.emplace(*deadline, uid);
  }
}

void WaitingPods::Unindex(const WaitingPod& pod) {
  const Symbol& uid = pod.pod_->metadata.uid;
  settled_.erase(uid);
  if (std::optional<Instant> deadline = pod.NextDeadline()) deadlines_.erase({*deadline, uid});
}

WaitingPod* WaitingPods::Get(const Symbol& uid) {
  auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second;
}

const WaitingPod* WaitingPods::Get(const Symbol& uid) const {
  auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second;
}

void WaitingPods::Remove(const Symbol& uid) {
  auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  Unindex(found->second);
  pods_.erase(found);
}

void WaitingPods::Expire(Instant now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    Get(deadlines_.begin()->second)->Expire(now);
  }
}

std::optional<Instant> WaitingPods::NextDeadline() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first;
}

bool WaitingPods::HasSettled() const {
  return std::any_of(settled_.begin(), settled_.end(),
                     [this](const Symbol& uid) { return static_cast<bool>(Get(uid)->waiting_); });
}

void WaitingPods::Resume() {
  std::vector<std::coroutine_handle<>> resumed;
  for (const Symbol& uid : settled_) {
    std::coroutine_handle<> waiting = std::exchange(Get(uid)->waiting_, nullptr);
    if (waiting) resumed.push_back(waiting);
  }
  for (std::coroutine_handle<> waiting : resumed) Trampoline::Run(waiting);
}

Status WaitingPods::Take(const Symbol& uid) {
  auto found = pods_.find(uid);
  CHECK(found != pods_.end());
  CHECK(found->second.outcome_.has_value());
  Status outcome = std::move(*found->second.outcome_);
  settled_.erase(uid);
  pods_.erase(found);
  return outcome;
}

std::optional<std::string> PodsInPreBind::Remove(const Symbol& uid) {
  auto found = cancellations_.find(uid);
  if (found == cancellations_.end()) return std::nullopt;
  std::optional<std::string> cause = std::move(found->second);
  cancellations_.erase(found);
  return cause;
}

bool PodsInPreBind::Cancel(const Symbol& uid, std::string_view cause) {
  auto found = cancellations_.find(uid);
  if (found == cancellations_.end()) return false;
  if (!found->second) found->second = std::string(cause);
  return true;
}

const std::string* PodsInPreBind::CauseOf(const Symbol& uid) const {
  auto found = cancellations_.find(uid);
  return found != cancellations_.end() && found->second ? &*found->second : nullptr;
}

}  // namespace stowage
