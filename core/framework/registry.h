// Registry lists the available plugins by name, with the extension points that each one implements.
//
// In-tree plugins come from core/plugins/in_tree_registry.cc; other plugins are added by name. The
// points follow from the class itself, so an entry is one line. Counterpart:
// framework/runtime/registry.go, v1.36.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/config/extension_points.h"
#include "core/config/features.h"
#include "core/config/types.h"
#include "core/framework/handle.h"
#include "core/framework/interface.h"

namespace stowage {

// The arguments of a plugin's constructor. `args` has the plugin's own args type, with defaults;
// monostate if the plugin has none.
struct PluginContext {
  const Features& features;
  Handle& handle;
  const PluginArgs& args;

  // The args as `T`, which must be the plugin's own args type.
  template <typename T>
  const T& Args() const {
    const T* typed = std::get_if<T>(&args);
    CHECK(typed != nullptr);
    return *typed;
  }
};

// A built plugin with the points it implements; the others are null.
struct PluginInstance {
  std::unique_ptr<Plugin> plugin;
  PreEnqueuePlugin* pre_enqueue = nullptr;
  QueueSortPlugin* queue_sort = nullptr;
  PreFilterPlugin* pre_filter = nullptr;
  FilterPlugin* filter = nullptr;
  PostFilterPlugin* post_filter = nullptr;
  PodGroupPostFilterPlugin* pod_group_post_filter = nullptr;
  PreScorePlugin* pre_score = nullptr;
  ScorePlugin* score = nullptr;
  ReservePlugin* reserve = nullptr;
  PermitPlugin* permit = nullptr;
  PlacementGeneratePlugin* placement_generate = nullptr;
  PlacementScorePlugin* placement_score = nullptr;
  PreBindPlugin* pre_bind = nullptr;
  BindPlugin* bind = nullptr;
  PostBindPlugin* post_bind = nullptr;
  EnqueueExtensions* enqueue_extensions = nullptr;
  FragmentPlugin* fragment = nullptr;
  ClassPlugin* classes = nullptr;
  SignPlugin* sign = nullptr;
  DecisionNotePlugin* note = nullptr;
  CulpritPlugin* culprit = nullptr;
  ScoreNotesPlugin* score_notes = nullptr;

  // Whether its verdicts depend on nodes, so that signatures and fragments must cover it.
  bool LooksAtNodes() const {
    return pre_filter != nullptr || filter != nullptr || pre_score != nullptr || score != nullptr;
  }

  template <typename T>
  static PluginInstance Of(std::unique_ptr<T> typed) {
    PluginInstance instance;
    T* raw = typed.get();
    instance.plugin = std::move(typed);
    Point(raw, &instance.pre_enqueue);
    Point(raw, &instance.queue_sort);
    Point(raw, &instance.pre_filter);
    Point(raw, &instance.filter);
    Point(raw, &instance.post_filter);
    Point(raw, &instance.pod_group_post_filter);
    Point(raw, &instance.pre_score);
    Point(raw, &instance.score);
    Point(raw, &instance.reserve);
    Point(raw, &instance.permit);
    Point(raw, &instance.placement_generate);
    Point(raw, &instance.placement_score);
    Point(raw, &instance.pre_bind);
    Point(raw, &instance.bind);
    Point(raw, &instance.post_bind);
    Point(raw, &instance.enqueue_extensions);
    Point(raw, &instance.fragment);
    Point(raw, &instance.classes);
    Point(raw, &instance.sign);
    Point(raw, &instance.note);
    Point(raw, &instance.culprit);
    Point(raw, &instance.score_notes);
    return instance;
  }

 private:
  template <typename T, typename P>
  static void Point(T* plugin, P** place) {
    if constexpr (std::is_base_of_v<P, T>) *place = plugin;
  }
};

class Registry {
 public:
  using Factory = std::function<Result<PluginInstance, std::string>(const PluginContext&)>;

  struct Entry {
    std::string name;
    ExtensionPointSet points;
    Factory factory;
  };

  // T has kName and a constructor from PluginContext. If its args can be invalid in a way that
  // validation does not detect, it has a static New(context) → Result<std::unique_ptr<T>,
  // std::string> instead.
  template <typename T>
  void Register() {
    // A pointer, because each lambda would be a type of its own, with code to copy it.
    entries_.push_back({std::string(T::kName), PointsOf<T>(), &Make<T>});
  }
  void Register(Entry entry) { entries_.push_back(std::move(entry)); }
  // Takes an extension point from a registered plugin.
  void Withdraw(std::string_view name, ExtensionPoint point) {
    for (Entry& entry : entries_) {
      if (entry.name == name) entry.points.Remove(point);
    }
  }

  // Null if there is no such plugin.
  const Entry* Find(std::string_view name) const {
    for (const Entry& entry : entries_) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  template <typename T>
  static Result<PluginInstance, std::string> Make(const PluginContext& context) {
    if constexpr (requires { T::New(context); }) {
      Result<std::unique_ptr<T>, std::string> plugin = T::New(context);
      if (!plugin.ok()) return plugin.fault();
      return PluginInstance::Of(plugin.Take());
    } else {
      return PluginInstance::Of(std::make_unique<T>(context));
    }
  }

  template <typename T>
  static ExtensionPointSet PointsOf() {
    ExtensionPointSet points;
    auto add = [&points](bool implements, ExtensionPoint point) {
      if (implements) points.Add(point);
    };
    add(std::is_base_of_v<PreEnqueuePlugin, T>, ExtensionPoint::kPreEnqueue);
    add(std::is_base_of_v<QueueSortPlugin, T>, ExtensionPoint::kQueueSort);
    add(std::is_base_of_v<PreFilterPlugin, T>, ExtensionPoint::kPreFilter);
    add(std::is_base_of_v<FilterPlugin, T>, ExtensionPoint::kFilter);
    add(std::is_base_of_v<PostFilterPlugin, T>, ExtensionPoint::kPostFilter);
    add(std::is_base_of_v<PreScorePlugin, T>, ExtensionPoint::kPreScore);
    add(std::is_base_of_v<ScorePlugin, T>, ExtensionPoint::kScore);
    add(std::is_base_of_v<ReservePlugin, T>, ExtensionPoint::kReserve);
    add(std::is_base_of_v<PermitPlugin, T>, ExtensionPoint::kPermit);
    add(std::is_base_of_v<PreBindPlugin, T>, ExtensionPoint::kPreBind);
    add(std::is_base_of_v<BindPlugin, T>, ExtensionPoint::kBind);
    add(std::is_base_of_v<PostBindPlugin, T>, ExtensionPoint::kPostBind);
    add(std::is_base_of_v<PlacementGeneratePlugin, T>, ExtensionPoint::kPlacementGenerate);
    add(std::is_base_of_v<PlacementScorePlugin, T>, ExtensionPoint::kPlacementScore);
    return points;
  }

  std::vector<Entry> entries_;
};

}  // namespace stowage
