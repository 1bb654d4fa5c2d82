#include "core/scheduler/scheduler.h"

#include <tuple>

#include "core/base/deferred_code.h"
#include "core/base/format.h"
#include "core/config/expansion.h"
#include "core/config/load.h"
#include "core/dra/cel_selectors.h"
#include "core/extender/http_extender.h"
#include "core/plugins/in_tree_registry.h"
#include "core/scheduler/apply_batch.h"
#include "core/scheduler/host_api_client.h"
#include "core/scheduler/records.h"
#include "core/scheduler/savepoint.h"

namespace stowage {
namespace {

// Loads it for `option`, the name of an option and what of it needs the code.
std::optional<OptionError> RequireDeferredCode(std::string_view option) {
  std::string fault = LoadDeferredCode();
  if (fault.empty()) return std::nullopt;
  std::string_view field = option.substr(0, option.find(':'));
  return OptionError{std::string(field), Format("{}: {}", option, fault)};
}

}  // namespace

Result<std::unique_ptr<Scheduler>, Scheduler::CreationError> Scheduler::New(
    std::string_view options, std::string_view configuration, const PluginMaker& make_plugin) {
  Result<SchedulerOptions, OptionError> read = ReadSchedulerOptions(options);
  if (!read.ok()) return CreationError(read.fault());
  std::unique_ptr<Scheduler> scheduler(new Scheduler(read.Take()));
  if (!scheduler->options_.plugins.empty()) {
    if (auto fault = RequireDeferredCode("plugins")) return CreationError(*fault);
  }
  if (std::optional<OptionError> fault = scheduler->Register(make_plugin)) {
    return CreationError(*fault);
  }
  Result<Features, ConfigurationError> features =
      FeaturesFromMap(scheduler->options_.feature_gates, scheduler->options_.kubernetes_version);
  if (!features.ok()) return CreationError(features.fault());
  if (features->generic_workload) {
    if (auto fault = RequireDeferredCode("featureGates: GenericWorkload"))
      return CreationError(*fault);
  }
  scheduler->features_ = *features;
  scheduler->features_.behaviour = scheduler->options_.behaviour;
  Result<KubeSchedulerConfiguration, ConfigurationError> loaded =
      LoadConfiguration(configuration, scheduler->features_);
  if (!loaded.ok()) return CreationError(loaded.fault());
  scheduler->configuration_ = loaded.Take();
  if (!scheduler->configuration_.extenders.empty()) {
    if (auto fault = RequireDeferredCode("extenders")) return CreationError(*fault);
  }
  if (std::optional<ConfigurationError> fault = scheduler->Build()) return CreationError(*fault);
  return scheduler;
}

Scheduler::Scheduler(SchedulerOptions options)
    : options_(std::move(options)),
      registry_(InTreeRegistry(options_.behaviour)),
      rng_(options_.seed),
      jitter_(options_.seed),
      now_(options_.start_time),
      metrics_(options_.has_metrics),
      records_(options_.records),
      event_broadcaster_(loop_, jitter_, {options_.hostname, options_.api_call_timeout_us}) {}

std::optional<OptionError> Scheduler::Register(const PluginMaker& make_plugin) {
  for (const PluginDeclaration& plugin : options_.plugins) {
    if (make_plugin == nullptr)
      return OptionError{"plugins", "plugins: this engine has no host for plugins"};
    if (plugin.name.empty() || registry_.Find(plugin.name) != nullptr) {
      return OptionError{"plugins", Format("plugins: Duplicate value: \"{}\"", plugin.name)};
    }
    registry_.Register(make_plugin(plugin));
  }
  return std::nullopt;
}

std::optional<ConfigurationError> Scheduler::Build() {
  selectors_ =
      NewCelSelectors({features_.dra_consumable_capacity, features_.dra_list_type_attributes});
  dra_.emplace(features_, *selectors_);
  extenders_ = NewExtenders(configuration_.extenders, options_.extender_quirks);
  bool are_shown = !extenders_.empty() || !options_.plugins.empty();
  if (options_.keeps_objects) {
    options_.limits.sources = are_shown ? KeptSources::kAllAndShown : KeptSources::kAll;
  } else if (are_shown) {
    options_.limits.sources = KeptSources::kShown;
  }
  if (options_.api == ApiMode::kSimulated) {
    auto& watch = static_cast<WatchSink&>(*this);
    if (options_.simulate_volumes) {
      simulated_volumes_ = std::make_unique<SimulatedVolumes>(store_, watch);
    }
    if (options_.simulate_claims) {
      simulated_claims_ = std::make_unique<SimulatedClaims>(store_, watch, features_);
    }
    SimulatedApi::Controllers controllers{simulated_volumes_.get(), simulated_claims_.get()};
    auto simulated =
        std::make_unique<SimulatedApi>(watch, records_, controllers, options_.graceful_deletion);
    simulated_api_ = simulated.get();
    api_ = std::move(simulated);
  } else {
    api_ =
        std::make_unique<HostApiClient>(HostApiClient::Parts{event_broadcaster_, records_, jitter_},
                                        HostApiClientOptions{options_.api_call_timeout_us});
  }
  cache_.pod_groups().set_is_enabled(features_.generic_workload);
  background_.emplace(Background{loop_, loop_, *api_, waiting_pods_, pods_in_pre_bind_, *this,
                                 options_.pre_bind_poll_interval_us});
  if (std::optional<ConfigurationError> fault = BuildProfiles()) return fault;
  BuildQueue();
  std::set<Symbol> names;
  for (const auto& [name, profile] : profiles_) names.insert(name);
  handlers_ = std::make_unique<EventHandlers>(
      EventHandlers::Targets{store_, *dra_, cache_, *queue_, waiting_pods_, bindings_in_flight_,
                             records_, features_},
      std::move(names));
  BuildCycles();
  return std::nullopt;
}

std::unique_ptr<Scheduler> Scheduler::Fork(const PluginMaker& make_plugin) const {
  CHECK(CanFork());
  std::unique_ptr<Scheduler> fork(new Scheduler(options_));
  // What was valid for this scheduler is valid for its fork.
  CHECK(!fork->Register(make_plugin));
  fork->features_ = features_;
  fork->configuration_ = configuration_;
  CHECK(!fork->Build());
  fork->CopyStateFrom(*this);
  return fork;
}

void Scheduler::CopyStateFrom(const Scheduler& other) {
  rng_ = other.rng_;
  jitter_ = other.jitter_;
  metrics_.CopyStateFrom(other.metrics_);
  store_.CopyStateFrom(other.store_);
  dra_->CopyStateFrom(*other.dra_);
  cache_ = other.cache_;
  snapshot_ = other.snapshot_;
  cache_.AdoptSnapshot(other.cache_, &snapshot_);
  nominator_.CopyStateFrom(other.nominator_);
  sync_ = other.sync_;
  records_ = other.records_;
  outbox_.CopyStateFrom(other.outbox_);
  bindings_in_flight_ = other.bindings_in_flight_;
  event_broadcaster_.CopyStateFrom(other.event_broadcaster_);
  if (simulated_api_ != nullptr) simulated_api_->CopyStateFrom(*other.simulated_api_);
  if (simulated_volumes_ != nullptr) simulated_volumes_->CopyStateFrom(*other.simulated_volumes_);
  if (simulated_claims_ != nullptr) simulated_claims_->CopyStateFrom(*other.simulated_claims_);
  profiles_.CopyStateFrom(other.profiles_, &rng_);
  queue_->CopyStateFrom(*other.queue_);
  cycle_->CopyStateFrom(*other.cycle_);
  kept_batches_ = other.kept_batches_;
  reported_kinds_ = other.reported_kinds_;
  bindings_->CopyStateFrom(*other.bindings_);
  cycles_->set_num_cycles(other.cycles_->num_cycles());
  commands_->CopyStateFrom(*other.commands_);
  SetNow(other.now_);
}

void Scheduler::BuildCycles() {
  bool has_event_sink = simulated_api_ == nullptr || options_.records.has_events;
  cycle_ = std::make_unique<SchedulingCycle>(
      snapshot_,
      SchedulingCycle::Options{configuration_.percentage_of_nodes_to_score, options_.tie_break},
      &rng_);
  failures_.emplace(FailureHandler::Parts{features_, store_, *handlers_, *queue_, nominator_,
                                          metrics_, records_, *api_, loop_, has_event_sink});
  bindings_.emplace(BindingCycles::Parts{cache_, *queue_, waiting_pods_, pods_in_pre_bind_,
                                         bindings_in_flight_, extenders_, metrics_, records_, *api_,
                                         simulated_api_, loop_, *failures_},
                    BindingCycles::Options{features_.nominated_node_name_for_expectation,
                                           options_.assumed_pod_expiry_us, has_event_sink});
  cycles_.emplace(
      CycleRunner::Parts{cache_, snapshot_, *cycle_, profiles_, *queue_, nominator_, waiting_pods_,
                         records_, *api_, loop_, *bindings_, *failures_},
      CycleRunner::Options{options_.has_node_detail, has_event_sink, features_.generic_workload});
  commands_.emplace(ScheduleCommands::Parts{*queue_, records_, snapshot_});
  BatchReceiver::Parts receiver{options_.limits,
                                store_,
                                *handlers_,
                                sync_,
                                *queue_,
                                waiting_pods_,
                                *commands_,
                                inbox_,
                                *cycles_,
                                cycle_loop_,
                                loop_,
                                simulated_api_,
                                simulated_volumes_.get(),
                                simulated_claims_.get(),
                                records_,
                                reported_kinds_,
                                options_.keeps_batches ? &kept_batches_ : nullptr};
  turns_.emplace(Turns::Parts{*cycles_, *bindings_, cache_, *commands_, *queue_, waiting_pods_,
                              event_broadcaster_, sync_, simulated_volumes_.get(),
                              simulated_claims_.get(), cycle_loop_, loop_, receiver});
}

void Scheduler::Apply(Instant now, std::string_view bytes, BatchFormat format, std::string* out) {
  SetNow(now);
  BatchReceiver receiver(turns_->receiver());
  DecodeBatch(bytes, format, options_.limits, receiver);
  receiver.Finish(out);
}

bool Scheduler::CanApplyAgain(const Scheduler& other) const {
  auto read_by = [](const DecodeLimits& limits) {
    return std::tie(limits.object_bytes, limits.depth, limits.sources, limits.other_resources);
  };
  return other.options_.keeps_batches && &other != this &&
         read_by(other.options_.limits) == read_by(options_.limits);
}

void Scheduler::ApplyAgain(Instant now, const Scheduler& other, std::string* out) {
  SetNow(now);
  BatchReceiver receiver(turns_->receiver());
  for (const ObjectChange& kept : other.kept_batches_) {
    receiver.OnObject(kept.change, kept.object);
    receiver.OnItemEnd();
  }
  receiver.Finish(out);
}

void Scheduler::Run(Instant now, size_t max_cycles, std::string* out) {
  SetNow(now);
  turns_->Step(now);
  for (size_t cycles = 0; cycles < max_cycles && turns_->HasCycleToRun(); ++cycles) {
    turns_->RunNextCycle();
  }
  WriteTurn(out);
}

void Scheduler::WriteTurn(std::string* out) {
  for (const Call& call : outbox_.Take()) WriteCall(call, {}, out);
  records_.TakeInto(out);
  JsonWriter json(out);
  json.BeginObject().StringMember<"kind">("Turn").Key<"nextDeadline">();
  if (std::optional<Instant> deadline = turns_->NextDeadline()) {
    json.Int(deadline->ToMicros());
  } else {
    json.Null();
  }
  json.Key<"idle">().Bool(!turns_->HasCycleToRun());
  json.Key<"waiting">().Bool(cycles_->IsWaiting());
  json.Key<"busy">().Bool(turns_->IsBusy()).EndObject();
  out->push_back('\n');
}

std::optional<ConfigurationError> Scheduler::BuildProfiles() {
  auto points = [this](std::string_view name) -> std::optional<ExtensionPointSet> {
    const Registry::Entry* entry = registry_.Find(name);
    if (entry == nullptr) return std::nullopt;
    return entry->points;
  };
  const std::vector<KubeSchedulerProfile>& profiles = configuration_.profiles;
  Result<std::vector<ExpandedProfile>, ConfigurationError> expanded =
      ExpandProfiles(profiles, points);
  if (!expanded.ok()) return expanded.fault();
  FrameworkEnvironment environment{snapshot_,
                                   topology_index_,
                                   cache_.pod_groups(),
                                   nominator_,
                                   store_,
                                   *dra_,
                                   features_,
                                   registry_,
                                   extenders_,
                                   cycle_loop_,
                                   *background_,
                                   metrics_,
                                   steps_,
                                   configuration_.parallelism};
  for (size_t index = 0; index < profiles.size(); ++index) {
    Result<std::unique_ptr<Framework>, Framework::BuildFault> framework =
        Framework::New(profiles[index], (*expanded)[index], environment);
    if (!framework.ok()) {
      return PluginInitializationError(profiles[index], index, framework.fault().plugin,
                                       framework.fault().reason);
    }
    ProfileRuntime profile;
    profile.framework = framework.Take();
    profile.verdicts = std::make_unique<VerdictCache>(*profile.framework, options_.verdict_cache);
    profiles_.Add(std::move(profile));
  }
  return std::nullopt;
}

// All profiles have the same QueueSort plugin, so any of them can order the queue.
void Scheduler::BuildQueue() {
  options_.limits.other_resources.clear();
  for (const auto& [name, profile] : profiles_) {
    SchedulingQueue::Profile& queueing = queue_profiles_[name];
    const Framework& framework = *profile.framework;
    for (Framework::RegisteredEvents& registered : framework.EventsToRegister()) {
      queueing.hints.Add(registered.plugin, std::move(registered.events));
    }
    if (!extenders_.empty()) {
      queueing.hints.Add(Symbol(kExtenderName), EventsOfSilentPlugin(features_));
    }
    for (Symbol& resource : queueing.hints.OtherResources()) {
      options_.limits.other_resources.push_back(std::move(resource));
    }
    queueing.pre_enqueue = [&framework](const Pod& pod, const Symbol& first) {
      return framework.RunPreEnqueuePlugins(pod, first);
    };
  }
  queue_ = NewQueue();
}

std::unique_ptr<SchedulingQueue> Scheduler::NewQueue() {
  constexpr int64_t kSecondUs = 1'000'000;
  SchedulingQueue::Options options;
  options.initial_backoff_us = configuration_.pod_initial_backoff_seconds * kSecondUs;
  options.max_backoff_us = configuration_.pod_max_backoff_seconds * kSecondUs;
  options.max_in_unschedulable_pods_us = options_.pod_max_in_unschedulable_pods_us;
  options.start_time = options_.start_time;
  options.has_moves = options_.records.has_moves;
  return std::make_unique<SchedulingQueue>(
      options, queue_profiles_, features_, profiles_.begin()->second.framework->queue_sort(),
      nominator_, static_cast<QueueObserver&>(*this), metrics_);
}

void Scheduler::SetNow(Instant now) {
  now_ = now;
  cycle_loop_.set_now(now);
  loop_.set_now(now);
  queue_->set_now(now);
  records_.set_now(now);
  event_broadcaster_.set_now(now);
  if (simulated_api_ != nullptr) simulated_api_->set_now(now);
  profiles_.set_now(now);
}

void Scheduler::OnGated(const QueuedPodInfo& pod, const Status& status) {
  ScheduleResult none;
  records_.WriteDecision({pod.pod(), pod.attempts, {}, status, none}, snapshot_);
}

void Scheduler::OnMove(const QueuedPodInfo& pod, std::string_view from) {
  records_.WriteMove(pod, from);
}

// Nothing may change what a cycle reads: its own writes are applied after it has ended.
void Scheduler::OnPodPut(PodRef pod) {
  if (cycles_->IsReadingSnapshot()) {
    inbox_.Add(ObjectChange{ChangeType::kModified, AnyObject(std::move(pod))});
  } else {
    handlers_->OnPut(pod);
  }
}

void Scheduler::OnPodDeleted(PodRef pod) {
  if (cycles_->IsReadingSnapshot()) {
    inbox_.Add(ObjectChange{ChangeType::kDeleted, AnyObject(std::move(pod))});
  } else {
    handlers_->OnDelete(AnyObject(std::move(pod)));
  }
}

// Of the other kinds, a cycle writes claims only: PostFilter takes them back.
void Scheduler::OnObjectPut(AnyObject object) {
  if (simulated_volumes_ != nullptr) simulated_volumes_->Observe(object);
  if (simulated_claims_ != nullptr) simulated_claims_->Observe(object);
  if (cycles_->IsReadingSnapshot()) {
    inbox_.Add(ObjectChange{ChangeType::kModified, std::move(object)});
  } else {
    handlers_->OnPut(object);
  }
}

void Scheduler::OnObjectDeleted(AnyObject object) {
  if (cycles_->IsReadingSnapshot()) {
    inbox_.Add(ObjectChange{ChangeType::kDeleted, std::move(object)});
  } else {
    handlers_->OnDelete(object);
  }
}

PodRef Scheduler::LatestPod(const ObjectKey& key) const {
  if (const ObjectChange* change = inbox_.LatestChangeOf(key)) {
    return change->change == ChangeType::kDeleted ? nullptr : change->object.Ref<Pod>();
  }
  return store_.GetPod(key.namespace_, key.name);
}

}  // namespace stowage
