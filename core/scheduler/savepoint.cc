#include "core/scheduler/savepoint.h"

#include <utility>

namespace stowage {
namespace {

template <typename T>
std::optional<T> CopyOf(const T* part) {
  if (part == nullptr) return std::nullopt;
  return *part;
}

}  // namespace

// Defined where Savepoint is complete.
Scheduler::~Scheduler() = default;

Scheduler::Savepoint::Savepoint(Scheduler* scheduler)
    : rng(scheduler->rng_),
      jitter(scheduler->jitter_),
      now(scheduler->now_),
      metrics(scheduler->metrics_),
      store(scheduler->store_.Save()),
      dra(scheduler->features_, *scheduler->selectors_),
      cache(scheduler->cache_.Save(scheduler->snapshot_)),
      nominator(scheduler->nominator_),
      sync(scheduler->sync_),
      records(scheduler->records_),
      bindings_in_flight(scheduler->bindings_in_flight_),
      event_broadcaster(scheduler->loop_, scheduler->jitter_, {}),
      simulated_api(CopyOf(scheduler->simulated_api_)),
      simulated_volumes(CopyOf(scheduler->simulated_volumes_.get())),
      simulated_claims(CopyOf(scheduler->simulated_claims_.get())),
      profiles(scheduler->profiles_.Save()),
      cycle(*scheduler->cycle_),
      num_kept(scheduler->kept_batches_.size()),
      reported_kinds(scheduler->reported_kinds_),
      bindings(*scheduler->bindings_),
      num_cycles(scheduler->cycles_->num_cycles()),
      commands(*scheduler->commands_),
      queue(scheduler->NewQueue()) {
  dra.CopyStateFrom(*scheduler->dra_);
  event_broadcaster.CopyStateFrom(scheduler->event_broadcaster_);
  event_broadcaster.set_num_retries(scheduler->event_broadcaster_.num_retries());
  scheduler->event_broadcaster_.set_num_retries(0);
  queue->Swap(scheduler->queue_.get());
  scheduler->queue_->CopyStateFrom(*queue);
  outbox.CopyStateFrom(scheduler->outbox_);
  outbox.SwapCalls(&scheduler->outbox_);
  loop.SwapTasks(&scheduler->loop_);
  waiting_pods.Swap(&scheduler->waiting_pods_);
  pods_in_pre_bind.Swap(&scheduler->pods_in_pre_bind_);
}

void Scheduler::Begin() {
  CHECK(CanFork());
  // Otherwise the first cycle of each transaction would make a snapshot that Revert throws away.
  if (!cycles_->HasStarted()) cache_.UpdateSnapshotForEvaluations(&snapshot_);
  savepoints_.push_back(std::make_unique<Savepoint>(this));
}

bool Scheduler::CanCommit() const {
  const Savepoint& saved = *savepoints_.back();
  return CanFork() && !saved.loop.IsBusy() && saved.waiting_pods.pods().empty() &&
         saved.queue->InFlightPods().empty();
}

void Scheduler::Commit() {
  CHECK(HasTransaction() && CanCommit());
  std::unique_ptr<Savepoint> saved = std::move(savepoints_.back());
  savepoints_.pop_back();
  store_.Release();
  cache_.Release(saved->cache);
}

// Ends what the transaction has under way.
void Scheduler::AbandonTasks() {
  if (cycles_->IsWaiting()) {
    profiles_.ForgetVerdicts();
    topology_index_.Forget();
  }
  cycles_->Abandon();
  cycle_loop_.Abandon();
  loop_.Abandon();
  inbox_.Take();
  outbox_.Take();
}

void Scheduler::Revert() {
  CHECK(HasTransaction());
  AbandonTasks();
  std::unique_ptr<Savepoint> saved = std::move(savepoints_.back());
  savepoints_.pop_back();
  rng_ = saved->rng;
  jitter_ = saved->jitter;
  metrics_.CopyStateFrom(saved->metrics);
  store_.Restore(std::move(saved->store));
  dra_->Restore(saved->dra);
  cache_.Restore(std::move(saved->cache), &snapshot_);
  nominator_.CopyStateFrom(saved->nominator);
  sync_ = std::move(saved->sync);
  records_ = std::move(saved->records);
  bindings_in_flight_ = std::move(saved->bindings_in_flight);
  event_broadcaster_.CopyStateFrom(saved->event_broadcaster);
  event_broadcaster_.set_num_retries(saved->event_broadcaster.num_retries());
  if (simulated_api_ != nullptr) simulated_api_->CopyStateFrom(*saved->simulated_api);
  if (simulated_volumes_ != nullptr) simulated_volumes_->CopyStateFrom(*saved->simulated_volumes);
  if (simulated_claims_ != nullptr) simulated_claims_->CopyStateFrom(*saved->simulated_claims);
  profiles_.Restore(std::move(saved->profiles));
  cycle_->CopyStateFrom(saved->cycle);
  kept_batches_.erase(kept_batches_.begin() + static_cast<ptrdiff_t>(saved->num_kept),
                      kept_batches_.end());
  reported_kinds_ = std::move(saved->reported_kinds);
  bindings_->CopyStateFrom(saved->bindings);
  cycles_->set_num_cycles(saved->num_cycles);
  commands_->CopyStateFrom(saved->commands);
  queue_->Swap(saved->queue.get());
  outbox_.CopyStateFrom(saved->outbox);
  outbox_.SwapCalls(&saved->outbox);
  loop_.SwapTasks(&saved->loop);
  waiting_pods_.Swap(&saved->waiting_pods);
  pods_in_pre_bind_.Swap(&saved->pods_in_pre_bind);
  SetNow(saved->now);
}

}  // namespace stowage
