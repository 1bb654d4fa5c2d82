// Collects the plugins' fragments for a pod, and which plugins vouch for how much.
#include "core/base/cold.h"
#include "core/runtime/framework.h"

#include <algorithm>

namespace stowage {

PluginBits Framework::AppendFragments(const Pod& pod, PodSignature* signature) const {
  PluginBits uncached = 0;
  for (size_t index = 0; index < plugins_.size(); ++index) {
    const PluginInstance& instance = plugins_[index]->instance;
    bool is_vouched = instance.fragment != nullptr
                          ? instance.fragment->AppendFragment(pod, signature)
                          : !instance.LooksAtNodes();
    if (!is_vouched) uncached |= PluginBits{1} << index;
  }
  uncached |= PluginsReadingDevices(pod);
  signature->Add(static_cast<int64_t>(StorageVersionFor(pod)));
  return uncached;
}

STOWAGE_COLD PluginBits Framework::ClusterDependentPlugins(const Pod& pod) const {
  PodSignature unread;
  PluginBits dependent = AppendFragments(pod, &unread);
  if (StorageVersionFor(pod) == 0) return dependent;
  for (size_t index = 0; index < plugins_.size(); ++index) {
    const FragmentPlugin* fragment = plugins_[index]->instance.fragment;
    if (fragment != nullptr && fragment->ReadsStorage()) dependent |= PluginBits{1} << index;
  }
  return dependent;
}

PluginBits Framework::PluginsReadingDevices(const Pod& pod) const {
  PluginBits reading = 0;
  for (size_t index = 0; index < plugins_.size(); ++index) {
    const FragmentPlugin* fragment = plugins_[index]->instance.fragment;
    if (fragment != nullptr && fragment->ReadsDevices(pod)) reading |= PluginBits{1} << index;
  }
  return reading;
}

STOWAGE_COLD bool Framework::RunPreFilterOf(PluginBits plugins, CycleState& state,
                                            const Pod& pod) const {
  for (const auto& at : pre_filter_) {
    if ((plugins >> at.index & 1) == 0) continue;
    PreFilterResult result;
    if (!at.plugin->PreFilter(state, pod, snapshot().nodes(), &result).IsSuccess()) return false;
  }
  return true;
}

UncachedPlugins Framework::AppendAllFragments(const Pod& pod, PodSignature* signature) const {
  UncachedPlugins uncached;
  for (size_t index = 0; index < plugins_.size(); ++index) {
    const PluginInstance& instance = plugins_[index]->instance;
    if (!instance.LooksAtNodes()) continue;
    PluginBits bit = PluginBits{1} << index;
    if (instance.fragment != nullptr && instance.fragment->AppendFragment(pod, signature)) {
      if (!instance.fragment->ReadsDevices(pod)) continue;
      uncached.reads_devices = true;
      if (instance.reserve != nullptr) uncached.allocating |= bit;
      continue;
    }
    bool has_classes =
        instance.classes != nullptr && instance.classes->AppendClassFragment(pod, signature);
    (has_classes ? uncached.per_class : uncached.per_node) |= bit;
  }
  signature->Add(static_cast<int64_t>(uncached.per_class));
  signature->Add(static_cast<int64_t>(uncached.per_node));
  signature->AddCount(uncached.reads_devices ? 1 : 0);
  return uncached;
}

STOWAGE_COLD void Framework::AppendBaseFragments(const Pod& pod, UncachedPlugins uncached,
                                                 PodSignature* signature) const {
  for (const auto& at : score_) {
    const FragmentPlugin* fragment = plugins_[at.index]->instance.fragment;
    bool is_uncached = ((uncached.per_class | uncached.per_node) >> at.index & 1) != 0;
    if (fragment == nullptr || is_uncached || at.plugin->Normalizer() != nullptr) continue;
    signature->Add(static_cast<int64_t>(at.index));
    fragment->AppendFragment(pod, signature);
  }
}

FragmentSources Framework::FragmentSourcesFor(const Pod& pod) const {
  const ExistingTerms& terms = topology_index().Terms();
  return {topology_index().TermKeys().version(),
          listers().ServiceKeys().version(),
          StorageSourcesFor(pod),
          terms.num_terms() != 0,
          !listers().Services().empty(),
          listers().device_class_version()};
}

uint64_t Framework::StorageVersionFor(const Pod& pod) const {
  bool has_claims = std::ranges::any_of(pod.spec.volumes, [](const Volume& volume) {
    return volume.persistent_volume_claim || volume.is_ephemeral();
  });
  return has_claims ? listers().storage_version() : 0;
}

const StorageUse* Framework::FollowStorage(const Pod& pod) const {
  if (StorageVersionFor(pod) == 0) return nullptr;
  const StorageUse* use = nullptr;
  for (const auto& plugin : plugins_) {
    const FragmentPlugin* fragment = plugin->instance.fragment;
    if (fragment != nullptr && use == nullptr) use = fragment->FollowStorage();
  }
  return use;
}

// A sum, because no version ever falls: it differs whenever one of them does.
uint64_t Framework::StorageSourcesFor(const Pod& pod) const {
  uint64_t version = StorageVersionFor(pod);
  if (version == 0) return 0;
  if (const StorageUse* use = FollowStorage(pod)) version += use->version;
  for (const auto& plugin : plugins_) {
    const FragmentPlugin* fragment = plugin->instance.fragment;
    if (fragment != nullptr) version += fragment->AssumedVersion();
  }
  return version * 2 + (nominator().size() > 0 ? 1 : 0);
}

std::vector<uint32_t> Framework::RowsCountingNodes(const Pod& pod) const {
  std::vector<uint32_t> rows;
  for (const auto& plugin : plugins_) {
    const FragmentPlugin* fragment = plugin->instance.fragment;
    if (fragment != nullptr) {
      fragment->AppendRowsCountingNodes(pod, snapshot().table(), &rows);
    }
  }
  return rows;
}

Framework::Derivation Framework::derivation() const {
  const NodeTable& table = snapshot().table();
  return {table.numbering(), table.node_changes().head(), listers().selection_version(),
          topology_index().Terms().version()};
}

bool Framework::Derive(PluginBits classes, const Pod& pod, CycleState& derived, RowKey* key) const {
  for (size_t index = 0; index < plugins_.size(); ++index) {
    if ((classes >> index & 1) == 0) continue;
    if (!plugins_[index]->instance.classes->Derive(pod, derived, key)) return false;
  }
  return !key->IsTooLong();
}

}  // namespace stowage
