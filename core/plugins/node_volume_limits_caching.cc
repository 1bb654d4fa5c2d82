// NodeVolumeLimits' code for the verdict cache.
#include <algorithm>
#include <memory>
#include <utility>

#include "core/plugins/csi_translation.h"
#include "core/plugins/node_volume_limits.h"

namespace stowage {
namespace {

struct SavedVolumes final : public Plugin::State {
  explicit SavedVolumes(std::shared_ptr<const AttachedVolumes::Followed> saved)
      : attached(std::move(saved)) {}

  std::shared_ptr<const AttachedVolumes::Followed> attached;
};

void AppendVolumes(const AttachableVolumes& volumes, PodSignature* signature) {
  for (const AttachableVolume& volume : volumes.list()) {
    signature->Add(volume.driver);
    signature->Add(volume.handle);
    signature->Add(volume.claim_namespace);
  }
}

// The number of volumes of each driver.
void AppendNumbers(const AttachableVolumes& volumes, PodSignature* signature) {
  std::vector<std::pair<Symbol, size_t>> numbers;
  for (const AttachableVolume& volume : volumes.list()) {
    auto found = std::ranges::find(numbers, volume.driver, &std::pair<Symbol, size_t>::first);
    if (found == numbers.end()) found = numbers.insert(found, {volume.driver, 0});
    ++found->second;
  }
  for (const auto& [driver, number] : numbers) {
    signature->Add(driver);
    signature->AddCount(number);
  }
}

}  // namespace

std::unique_ptr<Plugin::State> NodeVolumeLimits::SaveState() const {
  return std::make_unique<SavedVolumes>(attached_.Save());
}

void NodeVolumeLimits::RestoreState(const State& state) {
  attached_.Restore(static_cast<const SavedVolumes&>(state).attached);
}

const StorageUse* NodeVolumeLimits::FollowStorage() const {
  attached_.Refresh(handle_.listers(), handle_.snapshot());
  return &attached_.use();
}

// It does not matter which volumes a pod asks for as long as no node has them: only how many. A
// nominated pod counts as if it had its volumes. Pods with inline disks are rare and not cached.
bool NodeVolumeLimits::AppendFragment(const Pod& pod, PodSignature* signature) const {
  if (std::ranges::any_of(pod.spec.volumes, IsInlineMigratable)) return false;
  bool has_claims = std::ranges::any_of(pod.spec.volumes, IsClaim);
  signature->AddCount(has_claims ? 1 : 0);
  if (!has_claims) return true;
  FollowStorage();
  const CsiNode any;
  for (const CsiNode* csi_node : {&any, static_cast<const CsiNode*>(nullptr)}) {
    AttachableVolumes asked;
    if (!CollectAttachable(handle_.listers(), pod, csi_node, true, &asked).IsSuccess()) {
      return false;
    }
    bool is_known = attached_.HasAny(asked) || handle_.nominator().size() > 0;
    signature->AddCount(asked.list().size());
    signature->AddCount(is_known ? 1 : 0);
    is_known ? AppendVolumes(asked, signature) : AppendNumbers(asked, signature);
  }
  return true;
}

}  // namespace stowage
