#include "core/runtime/framework.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

// Whether the plugin may appear among the rejectors of a pod.
bool CanReject(const PluginInstance& plugin) {
  return plugin.pre_enqueue != nullptr || plugin.pre_filter != nullptr ||
         plugin.filter != nullptr || plugin.reserve != nullptr || plugin.permit != nullptr;
}

bool CanSign(const SignPlugin* plugin, const Pod& pod) {
  return plugin != nullptr && plugin->CanSign(pod);
}

}  // namespace

Result<std::unique_ptr<Framework>, Framework::BuildFault> Framework::New(
    const KubeSchedulerProfile& profile, const ExpandedProfile& expanded,
    const FrameworkEnvironment& environment) {
  std::unique_ptr<Framework> framework(new Framework(environment));
  if (std::optional<BuildFault> fault = framework->Build(profile, expanded)) return *fault;
  return framework;
}

std::optional<Framework::BuildFault> Framework::Build(const KubeSchedulerProfile& profile,
                                                      const ExpandedProfile& expanded) {
  profile_name_ = Symbol(profile.scheduler_name);
  percentage_ = profile.percentage_of_nodes_to_score;
  CHECK(expanded.plugins.size() <= PluginEvaluations::kPlugins);
  for (const std::string& name : expanded.plugins) {
    const Registry::Entry* entry = environment_.registry.Find(name);
    CHECK(entry != nullptr);
    auto built = std::make_unique<BuiltPlugin>();
    built->name = Symbol(name);
    built->args = profile.ArgsOf(name);
    Result<PluginInstance, std::string> instance =
        entry->factory({environment_.features, *this, built->args});
    if (!instance.ok()) return BuildFault{name, instance.fault()};
    built->instance = instance.Take();
    AddExtensions(*built);
    plugins_.push_back(std::move(built));
  }
  Collect(expanded[ExtensionPoint::kPreEnqueue], &PluginInstance::pre_enqueue, &pre_enqueue_);
  Collect(expanded[ExtensionPoint::kPreFilter], &PluginInstance::pre_filter, &pre_filter_);
  Collect(expanded[ExtensionPoint::kFilter], &PluginInstance::filter, &filter_);
  Collect(expanded[ExtensionPoint::kPostFilter], &PluginInstance::post_filter, &post_filter_);
  Collect(expanded[ExtensionPoint::kPreScore], &PluginInstance::pre_score, &pre_score_);
  Collect(expanded[ExtensionPoint::kScore], &PluginInstance::score, &score_);
  Collect(expanded[ExtensionPoint::kReserve], &PluginInstance::reserve, &reserve_);
  Collect(expanded[ExtensionPoint::kPermit], &PluginInstance::permit, &permit_);
  Collect(expanded[ExtensionPoint::kPlacementGenerate], &PluginInstance::placement_generate,
          &placement_generate_);
  Collect(expanded[ExtensionPoint::kPlacementScore], &PluginInstance::placement_score,
          &placement_score_);
  Collect(expanded[ExtensionPoint::kPreBind], &PluginInstance::pre_bind, &pre_bind_);
  Collect(expanded[ExtensionPoint::kBind], &PluginInstance::bind, &bind_);
  Collect(expanded[ExtensionPoint::kPostBind], &PluginInstance::post_bind, &post_bind_);
  std::vector<PluginAt<QueueSortPlugin>> queue_sort;
  Collect(expanded[ExtensionPoint::kQueueSort], &PluginInstance::queue_sort, &queue_sort);
  CHECK(queue_sort.size() == 1);
  queue_sort_ = queue_sort.front().plugin;
  return std::nullopt;
}

// Collects the plugins with extensions that run for every pod but that few plugins have.
void Framework::AddExtensions(const BuiltPlugin& built) {
  const PluginInstance& instance = built.instance;
  if (instance.fragment != nullptr && instance.fragment->ReadsNodeAlone()) {
    plugins_of_nodes_ |= PluginBits{1} << plugins_.size();
  }
  if (instance.note != nullptr) notes_.push_back(instance.note);
  if (instance.LooksAtNodes()) sign_.push_back(instance.sign);
}

template <typename Point>
void Framework::Collect(const std::vector<ExpandedPlugin>& plugins, Point* PluginInstance::*member,
                        std::vector<PluginAt<Point>>* list) const {
  for (const ExpandedPlugin& plugin : plugins) {
    size_t index = 0;
    while (plugins_[index]->name != plugin.name) ++index;
    Point* point = plugins_[index]->instance.*member;
    CHECK(point != nullptr);
    list->push_back({point, plugins_[index]->name, index, plugin.weight});
  }
}

Framework::PluginStates Framework::SaveState() const {
  PluginStates states;
  for (const auto& built : plugins_) states.push_back(built->instance.plugin->SaveState());
  return states;
}

void Framework::RestoreState(const PluginStates& states) {
  CHECK(plugins_.size() == states.size());
  for (size_t index = 0; index < plugins_.size(); ++index) {
    if (states[index] != nullptr) plugins_[index]->instance.plugin->RestoreState(*states[index]);
  }
  report_ = std::nullopt;
}

void Framework::SwapTaskStates(PluginStates* held) {
  held->resize(plugins_.size());
  for (size_t index = 0; index < plugins_.size(); ++index) {
    plugins_[index]->instance.plugin->SwapTaskState(&(*held)[index]);
  }
}

bool Framework::HasPlugin(std::string_view name) const {
  return std::any_of(plugins_.begin(), plugins_.end(),
                     [name](const auto& built) { return built->name == name; });
}

PodGroupPostFilterPlugin* Framework::pod_group_post_filter() const {
  for (const auto& entry : post_filter_) {
    PodGroupPostFilterPlugin* plugin = plugins_[entry.index]->instance.pod_group_post_filter;
    if (plugin != nullptr) return plugin;
  }
  return nullptr;
}

std::vector<Framework::RegisteredEvents> Framework::EventsToRegister() const {
  std::vector<RegisteredEvents> all;
  for (const auto& built : plugins_) {
    const EnqueueExtensions* extensions = built->instance.enqueue_extensions;
    if (extensions != nullptr) {
      all.push_back({built->name, WithImpliedNodeTaints(extensions->EventsToRegister())});
    } else if (CanReject(built->instance)) {
      all.push_back({built->name, EventsOfSilentPlugin(environment_.features)});
    }
  }
  return all;
}

void Framework::SetEvaluations() const {
  auto set = [this](EvaluatedPoint point, std::string_view name, const auto& plugins) {
    for (const auto& entry : plugins) {
      uint64_t count = evaluations_.Get(point, entry.index);
      if (count == 0) continue;
      environment_.metrics.Set(Metric::kPluginEvaluation,
                               {entry.name.view(), name, profile_name_.view()},
                               static_cast<int64_t>(count));
    }
  };
  set(EvaluatedPoint::kPreFilter, "PreFilter", pre_filter_);
  set(EvaluatedPoint::kFilter, "Filter", filter_);
  set(EvaluatedPoint::kPreScore, "PreScore", pre_score_);
  set(EvaluatedPoint::kScore, "Score", score_);
}

std::vector<DecisionNote> Framework::NotesOn(const CycleState& state, const Pod& pod,
                                             const NodeInfo& node) const {
  std::vector<DecisionNote> notes;
  for (const DecisionNotePlugin* plugin : notes_) {
    std::optional<DecisionNote> note = plugin->NoteOn(state, pod, node);
    if (note) notes.push_back(std::move(*note));
  }
  return notes;
}

std::optional<PodSignature> Framework::SignPod(const Pod& pod) const {
  // CanSign runs first because fragments cost more, and in most profiles some plugin declines every
  // pod.
  for (size_t asked = 0; asked < sign_.size(); ++asked) {
    size_t index = (last_decliner_ + asked) % sign_.size();
    if (CanSign(sign_[index], pod)) continue;
    last_decliner_ = index;
    return std::nullopt;
  }
  PodSignature signature;
  for (const SignPlugin* plugin : sign_) plugin->SignPod(pod, &signature);
  return signature;
}

}  // namespace stowage
