// A turn of the engine: timers, answers, scheduling cycles, in this order and at one time.
#include "core/scheduler/apply_batch.h"
#include "core/scheduler/records.h"
#include "core/scheduler/scheduler.h"

namespace stowage {

void Scheduler::Run(Instant now, size_t max_cycles, std::string* out) {
  SetNow(now);
  Step();
  for (size_t cycles = 0; cycles < max_cycles && HasCycleToRun(); ++cycles) RunNextCycle();
  WriteTurn(out);
}

// The cycle under way comes first: nothing may change what it reads.
void Scheduler::Step() {
  cycle_loop_.Resume();
  EndCycle();
  if (IsCycleWaiting()) return;
  SyncSimulatedVolumes();
  FireTimers();
  GoOnBesideCycles();
}

// Until nothing more can go on: an outcome in Permit may let a pod go, whose binding may move
// others.
void Scheduler::GoOnBesideCycles() {
  loop_.Resume();
  while (waiting_pods_.HasSettled()) {
    waiting_pods_.Resume();
    loop_.Resume();
  }
  SyncSimulatedVolumes();
}

// Controllers do nothing before they have seen all there is.
void Scheduler::SyncSimulatedVolumes() {
  if (simulated_volumes_ != nullptr && sync_.HasSynced()) simulated_volumes_->Sync();
}

// In the order of their deadlines; at one instant in the order below.
void Scheduler::FireTimers() {
  using Fire = void (Scheduler::*)();
  struct Timer {
    std::optional<Instant> deadline;
    Fire fire;
  };
  for (;;) {
    std::optional<Instant> expiry;
    if (!assumed_until_.empty()) expiry = assumed_until_.begin()->first;
    Timer timers[] = {
        {queue_->NextBackoffFlush(), &Scheduler::FlushBackoffQ},
        {queue_->NextLeftoverFlush(), &Scheduler::FlushLeftover},
        {waiting_pods_.NextDeadline(), &Scheduler::ExpireWaitingPods},
        {expiry, &Scheduler::ExpireAssumedPods},
        {event_broadcaster_.NextDeadline(), &Scheduler::FireEventTimers},
        {loop_.NextDeadline(), &Scheduler::FireLoopTimers},
    };
    const Timer* next = nullptr;
    for (const Timer& timer : timers) {
      if (!timer.deadline || *timer.deadline > now_) continue;
      if (next == nullptr || *timer.deadline < *next->deadline) next = &timer;
    }
    if (next == nullptr) return;
    (this->*next->fire)();
  }
}

void Scheduler::ExpireAssumedPods() {
  while (!assumed_until_.empty() && assumed_until_.begin()->first <= now_) {
    Symbol uid = assumed_until_.begin()->second;
    assumed_until_.erase(assumed_until_.begin());
    if (!cache_.IsAssumedPod(uid)) continue;
    PodInfoRef pod = cache_.GetPod(uid);
    CHECK(cache_.ForgetPod(*pod->pod).IsSuccess());
    records_.WriteInconsistency("ExpirePod", ObjectKey::Of(pod->pod->metadata), "Pod expired");
  }
}

std::optional<Instant> Scheduler::NextDeadline() {
  // What else is due is done when the cycle that waits has ended.
  if (IsCycleWaiting()) return cycle_loop_.NextDeadline();
  std::optional<Instant> next;
  auto consider = [&next](std::optional<Instant> deadline) {
    if (deadline && (!next || *deadline < *next)) next = deadline;
  };
  consider(loop_.NextDeadline());
  consider(queue_->NextBackoffFlush());
  consider(queue_->NextLeftoverFlush());
  consider(waiting_pods_.NextDeadline());
  consider(event_broadcaster_.NextDeadline());
  if (!assumed_until_.empty()) consider(assumed_until_.begin()->first);
  return next;
}

bool Scheduler::HasCycleToRun() const {
  if (IsCycleWaiting()) return false;
  return !commands_.empty() || (sync_.HasSynced() && queue_->HasPodToPop());
}

void Scheduler::RunNextCycle() {
  if (!commands_.empty()) {
    ObjectKey key = commands_.front();
    commands_.pop_front();
    RunCommand(key);
  } else if (QueuedPodRef queued = queue_->Pop(); queued != nullptr) {
    StartCycle(std::move(queued));
  }
}

void Scheduler::RunCommand(const ObjectKey& key) {
  Status gated;
  std::string_view queue;
  QueuedPodRef waiting = queue_->Find(key, &queue);
  QueuedPodRef queued = queue_->PopSpecific(key, &gated);
  if (queued != nullptr) {
    StartCycle(std::move(queued));
  } else if (!gated.IsSuccess()) {
    ScheduleResult none;
    records_.WriteDecision({waiting->pod(), waiting->attempts, {}, gated, none}, snapshot_);
  } else {
    records_.WriteSkipped(key, nullptr, "the pod is not pending");
  }
}

void Scheduler::StartCycle(QueuedPodRef queued) {
  cycle_task_ = ScheduleOne(std::move(queued));
  cycle_task_->Start();
  EndCycle();
}

void Scheduler::EndCycle() {
  if (!cycle_task_ || !cycle_task_->IsDone()) return;
  cycle_task_.reset();
  if (!inbox_.empty()) DrainInbox();
  GoOnBesideCycles();
}

void Scheduler::WriteTurn(std::string* out) {
  for (const Call& call : outbox_.Take()) WriteCall(call, {}, out);
  records_.TakeInto(out);
  JsonWriter json(out);
  json.BeginObject().StringMember("kind", "Turn").Key("nextDeadline");
  if (std::optional<Instant> deadline = NextDeadline()) {
    json.Int(deadline->ToMicros());
  } else {
    json.Null();
  }
  bool is_busy = loop_.IsBusy() || IsCycleWaiting();
  json.BoolMember("idle", !HasCycleToRun()).BoolMember("waiting", IsCycleWaiting());
  json.BoolMember("busy", is_busy).EndObject();
  out->push_back('\n');
}

}  // namespace stowage
