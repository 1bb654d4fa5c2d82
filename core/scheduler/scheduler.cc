#include "core/scheduler/scheduler.h"

#include <fmt/format.h>

#include "core/config/expansion.h"
#include "core/config/load.h"
#include "core/extender/http_extender.h"
#include "core/plugins/in_tree_registry.h"
#include "core/scheduler/records.h"

namespace stowage {

Result<std::unique_ptr<Scheduler>, Scheduler::CreationError> Scheduler::New(
    std::string_view options, std::string_view configuration, const PluginMaker& make_plugin) {
  Result<SchedulerOptions, OptionError> read = ReadSchedulerOptions(options);
  if (!read.ok()) return CreationError(read.fault());
  std::unique_ptr<Scheduler> scheduler(new Scheduler(read.Take()));
  if (std::optional<OptionError> fault = scheduler->Register(make_plugin)) {
    return CreationError(*fault);
  }
  Result<Features, ConfigurationError> features =
      FeaturesFromMap(scheduler->options_.feature_gates);
  if (!features.ok()) return CreationError(features.fault());
  scheduler->features_ = *features;
  Result<KubeSchedulerConfiguration, ConfigurationError> loaded =
      LoadConfiguration(configuration, scheduler->features_);
  if (!loaded.ok()) return CreationError(loaded.fault());
  scheduler->configuration_ = loaded.Take();
  if (std::optional<ConfigurationError> fault = scheduler->Build()) return CreationError(*fault);
  return scheduler;
}

Scheduler::Scheduler(SchedulerOptions options)
    : options_(std::move(options)),
      registry_(InTreeRegistry()),
      rng_(options_.seed),
      now_(options_.start_time) {}

std::optional<OptionError> Scheduler::Register(const PluginMaker& make_plugin) {
  for (const PluginDeclaration& plugin : options_.plugins) {
    if (make_plugin == nullptr) return OptionError{"plugins", "plugins: nobody runs them"};
    if (plugin.name.empty() || registry_.Find(plugin.name) != nullptr) {
      return OptionError{"plugins", fmt::format("plugins: Duplicate value: \"{}\"", plugin.name)};
    }
    registry_.Register(make_plugin(plugin));
  }
  return std::nullopt;
}

std::optional<ConfigurationError> Scheduler::Build() {
  extenders_ = NewExtenders(configuration_.extenders, options_.extender_quirks);
  options_.limits.has_sources = !extenders_.empty() || !options_.plugins.empty();
  if (std::optional<ConfigurationError> fault = BuildProfiles()) return fault;
  std::set<Symbol> names;
  for (const auto& [name, profile] : profiles_) names.insert(name);
  // All profiles sort alike; any of them orders the one queue.
  pending_ = std::make_unique<PendingPods>(profiles_.begin()->second.framework->queue_sort());
  handlers_ = std::make_unique<EventHandlers>(
      EventHandlers::Targets{store_, cache_, *pending_, nominator_, features_}, std::move(names));
  if (options_.api == ApiMode::kSimulated) {
    simulated_api_ = std::make_unique<SimulatedApi>(*handlers_, store_, options_.graceful_deletion);
  }
  cycle_ = std::make_unique<SchedulingCycle>(
      snapshot_,
      SchedulingCycle::Options{configuration_.percentage_of_nodes_to_score, options_.tie_break},
      &rng_);
  return std::nullopt;
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
  FrameworkEnvironment environment{snapshot_, topology_index_, nominator_, store_,
                                   features_, registry_,       extenders_, loop_};
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
    Symbol name = profile.framework->profile_name();
    profiles_.emplace(std::move(name), std::move(profile));
  }
  return std::nullopt;
}

ProfileRuntime& Scheduler::ProfileOf(const Pod& pod) {
  auto found = profiles_.find(pod.spec.scheduler_name);
  CHECK(found != profiles_.end());
  return found->second;
}

void Scheduler::SetNow(Instant now) {
  now_ = now;
  loop_.set_now(now);
  for (auto& [name, profile] : profiles_) profile.framework->set_now(now);
}

bool Scheduler::HasCycleToRun() const {
  if (IsCycleWaiting()) return false;
  return !commands_.empty() || (sync_.HasSynced() && pending_->NumActive() > 0);
}

void Scheduler::Run(Instant now, size_t max_cycles, std::string* out) {
  SetNow(now);
  loop_.Resume();
  EndCycle();
  for (size_t cycles = 0; cycles < max_cycles && HasCycleToRun(); ++cycles) RunNextCycle();
  for (const Call& call : loop_.TakeOutbox()) WriteCall(call, {}, out);
  out->append(records_);
  records_.clear();
  JsonWriter json(out);
  json.BeginObject().StringMember("kind", "Turn").Key("nextDeadline");
  if (std::optional<Instant> deadline = loop_.NextDeadline()) {
    json.Int(deadline->ToMicros());
  } else {
    json.Null();
  }
  json.BoolMember("idle", !HasCycleToRun()).BoolMember("waiting", IsCycleWaiting()).EndObject();
  out->push_back('\n');
}

void Scheduler::RunNextCycle() {
  if (!commands_.empty()) {
    ObjectKey key = commands_.front();
    commands_.pop_front();
    RunCommand(key);
  } else {
    Start(pending_->Pop());
  }
}

void Scheduler::RunCommand(const ObjectKey& key) {
  std::shared_ptr<QueuedPodInfo> queued = pending_->Take(key);
  if (queued == nullptr) {
    WriteSkipped(key, "the pod is not pending");
  } else {
    Start(std::move(queued));
  }
}

void Scheduler::Start(std::shared_ptr<QueuedPodInfo> queued) {
  cycle_task_ = ScheduleOne(std::move(queued));
  cycle_task_->Start();
  EndCycle();
}

void Scheduler::EndCycle() {
  if (!cycle_task_ || !cycle_task_->IsDone()) return;
  cycle_task_.reset();
  if (!inbox_.empty()) DrainInbox();
}

Task<void> Scheduler::ScheduleOne(std::shared_ptr<QueuedPodInfo> queued) {
  PodRef pod = queued->pod_info->pod;
  if (pod->metadata.deletion_timestamp) {
    WriteSkipped(ObjectKey::Of(pod->metadata),
                 fmt::format("skip schedule deleting pod: {}", PodText(*pod)));
    co_return;
  }
  ProfileRuntime& profile = ProfileOf(*pod);
  Status gated = profile.framework->RunPreEnqueuePlugins(*pod);
  ScheduleResult result;
  if (gated.IsSuccess()) {
    ++queued->attempts;
    cache_.UpdateSnapshot(&snapshot_);
    CycleOptions options{options_.has_node_detail, true, CycleStamp{++num_cycles_, now_}};
    result = co_await cycle_->Run(profile, *pod, options);
    if (result.status.IsSuccess()) Reserve(*profile.framework, *pod, &result);
  }
  WriteDecision({++seq_, now_, *pod, queued->attempts, gated, result}, snapshot_, &records_);
  if (!gated.IsSuccess()) {
    pending_->AddUnschedulable(std::move(queued));
  } else if (result.status.IsSuccess()) {
    Place(*queued, result.host);
  } else {
    HandleFailure(std::move(queued), result);
  }
}

// Makes `result` a failure when a plugin objects (spec 05 §2, §8).
void Scheduler::Reserve(const Framework& framework, const Pod& pod, ScheduleResult* result) const {
  Symbol host = std::exchange(result->host, Symbol());
  Status status = framework.RunReservePluginsReserve(result->state, pod, host);
  if (status.IsSuccess()) {
    result->host = host;
    return;
  }
  framework.RunReservePluginsUnreserve(result->state, pod, host);
  result->status = status;
  result->nominated_node_name = Symbol();
  result->message = status.Message();
  if (!status.IsRejected()) return;
  result->num_all_nodes = 1;
  result->diagnosis = Diagnosis();
  result->diagnosis.node_to_status = NodeToStatus(snapshot_.NumNodes());
  result->diagnosis.node_to_status.Set(snapshot_.Get(host)->row(), status);
  result->diagnosis.unschedulable_plugins.insert(status.plugin());
  if (status.code() == Code::kPending) result->diagnosis.pending_plugins.insert(status.plugin());
  result->message = FitErrorMessage(1, result->diagnosis);
}

void Scheduler::Place(const QueuedPodInfo& queued, const Symbol& node) {
  const Pod& pod = queued.pod();
  nominator_.DeleteNominatedPod(pod.metadata.uid);
  if (simulated_api_ != nullptr) {
    simulated_api_->Bind(pod, node, now_);
    return;
  }
  Pod assumed = pod;
  assumed.spec.node_name = node;
  PodInfoRef info = WithPod(*queued.pod_info, std::make_shared<const Pod>(std::move(assumed)));
  CHECK(cache_.AssumePod(info).IsSuccess());
}

void Scheduler::HandleFailure(std::shared_ptr<QueuedPodInfo> queued, const ScheduleResult& result) {
  Symbol nominated = result.nominated_node_name.value_or(queued->pod().status.nominated_node_name);
  bool is_preemptor = result.preemption && result.preemption->selected.has_value();
  if (simulated_api_ != nullptr) {
    if (is_preemptor) simulated_api_->Preempt(*result.preemption, now_);
    PodRef pod = simulated_api_->SetNomination(queued->pod(), nominated);
    CHECK(pod != nullptr);
    // Writing the nomination brought the pod back as a changed one; it waits here instead.
    pending_->Delete(ObjectKey::Of(pod->metadata));
    queued->pod_info = WithPod(*queued->pod_info, pod);
  }
  nominator_.AddNominatedPod(queued->pod_info, nominated);
  bool are_victims_gone =
      is_preemptor && simulated_api_ != nullptr && !simulated_api_->has_graceful_deletion();
  if (are_victims_gone && !queued->follows_preemption) {
    queued->follows_preemption = true;
    pending_->Activate(std::move(queued));
  } else {
    queued->follows_preemption = false;
    pending_->AddUnschedulable(std::move(queued));
  }
}

void Scheduler::WriteSkipped(const ObjectKey& key, std::string_view message) {
  JsonWriter json(&records_);
  json.BeginObject().StringMember("kind", "Decision").IntMember("seq", ++seq_);
  json.StringMember("at", now_.ToMicroTime());
  json.StringMember("pod", fmt::format("{}/{}", key.namespace_.view(), key.name.view()));
  json.StringMember("result", "skipped").Key("node").Null();
  json.StringMember("message", message).EndObject();
  records_.push_back('\n');
}

}  // namespace stowage
