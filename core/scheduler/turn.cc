#include "core/scheduler/turn.h"

#include <utility>

namespace stowage {

// Timers of the same instant fire in this order.
const Turns::Timer Turns::kTimers[] = {
    {&Turns::NextBackoffFlush, &Turns::FlushBackoffQ},
    {&Turns::NextLeftoverFlush, &Turns::FlushLeftover},
    {&Turns::NextPermitTimeout, &Turns::ExpireWaitingPods},
    {&Turns::NextAssumedExpiry, &Turns::ExpireAssumedPods},
    {&Turns::NextEventTimer, &Turns::FireEventTimers},
    {&Turns::NextLoopTimer, &Turns::FireLoopTimers},
};

// The waiting cycle is resumed first: nothing may change what it reads.
void Turns::Step(Instant now) {
  parts_.cycle_loop.Resume();
  EndCycle();
  if (parts_.cycles.IsWaiting()) return;
  SyncControllers();
  FireTimers(now);
  ResumeTasks();
}

// Repeats until no task can continue: the outcome of Permit may let a pod be bound, which may move
// other pods.
void Turns::ResumeTasks() {
  parts_.loop.Resume();
  while (parts_.waiting_pods.HasSettled()) {
    parts_.waiting_pods.Resume();
    parts_.loop.Resume();
  }
  SyncControllers();
}

// The controllers start after the first lists of all kinds are complete.
void Turns::SyncControllers() {
  if (!parts_.sync.HasSynced()) return;
  if (parts_.simulated_volumes != nullptr) parts_.simulated_volumes->Sync();
  if (parts_.simulated_claims != nullptr) parts_.simulated_claims->Sync();
}

// Fires in order of deadlines.
void Turns::FireTimers(Instant now) {
  for (;;) {
    const Timer* next = nullptr;
    Instant next_deadline;
    for (const Timer& timer : kTimers) {
      std::optional<Instant> deadline = (this->*timer.deadline)();
      if (!deadline || *deadline > now) continue;
      if (next != nullptr && !(*deadline < next_deadline)) continue;
      next = &timer;
      next_deadline = *deadline;
    }
    if (next == nullptr) return;
    (this->*next->fire)(now);
  }
}

std::optional<Instant> Turns::NextDeadline() const {
  // All other timers wait until the cycle has ended.
  if (parts_.cycles.IsWaiting()) return parts_.cycle_loop.NextDeadline();
  std::optional<Instant> next;
  for (const Timer& timer : kTimers) {
    std::optional<Instant> deadline = (this->*timer.deadline)();
    if (deadline && (!next || *deadline < *next)) next = deadline;
  }
  return next;
}

bool Turns::HasCycleToRun() const {
  if (parts_.cycles.IsWaiting()) return false;
  return !parts_.commands.empty() || (parts_.sync.HasSynced() && parts_.queue.HasPodToPop());
}

void Turns::RunNextCycle() {
  QueuedPodRef queued = parts_.commands.empty() ? parts_.queue.Pop() : parts_.commands.Pop();
  if (queued == nullptr) return;
  ReadNextPodAhead();
  parts_.cycles.Start(std::move(queued));
  EndCycle();
}

// Thousands of queued pods are larger than a processor's second cache. A cycle would fetch some
// twenty lines of its pod one after the other; the cycle before fetches them together.
void Turns::ReadNextPodAhead() const {
  const Pod* next = parts_.queue.ReadNextAhead();
  if (next == nullptr) return;
  next->metadata.uid.ReadAhead();
  parts_.receiver.store.ReadPodAhead(ObjectKey::Of(next->metadata));
  parts_.cache.ReadPodAhead(next->metadata.uid);
}

void Turns::EndCycle() {
  if (!parts_.cycles.TakeEnded()) return;
  if (!parts_.receiver.inbox.empty()) DrainInbox(parts_.receiver);
  ResumeTasks();
}

}  // namespace stowage
