// Goal: what is remembered of the volumes on nodes equals what is there, and every row is renewed
// whose volumes are others although its pods are the same. Method: seeded changes of nodes, pods
// and storage; after each, both forms.
#include "core/plugins/attached_volumes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/plugins/limited_node.h"

namespace stowage {
namespace {

using namespace limited_node;  // NOLINT: made for these tests

constexpr size_t kNodes = 4;
constexpr size_t kClaims = 6;

class VolumesOnNodes {
 public:
  VolumesOnNodes() {
    for (size_t index = 0; index < kNodes; ++index) {
      PutNode(index);
      store().Add(LimitsOf(index, 2));
    }
  }

  FakeListers& store() { return handle_.fake_listers(); }
  AttachedVolumes& attached() { return attached_; }

  void Change(Rng* rng) {
    switch (rng->Below(5)) {
      case 0:
        return AddPod(rng);
      case 1:
        return RemovePod(rng);
      case 2:
        return ToggleNode(rng->Below(kNodes));
      default:
        return ChangeStorage(rng);
    }
  }

  void ChangeStorage(Rng* rng) {
    std::string number = fmt::format("{}", rng->Below(kClaims));
    std::string volume = rng->Below(2) == 0 ? "" : "pv" + number;
    switch (rng->Below(7)) {
      case 0:
        return store().Add(Claim("c" + number, volume, rng->Below(2) == 0 ? "fast" : "slow"));
      case 1:
        store().Remove(ObjectKind::kPersistentVolumeClaim,
                       {Symbol("default"), Symbol("c" + number)});
        return;
      case 2:
        return store().Add(CsiBacked("pv" + number, kDriver, fmt::format("h{}", rng->Below(3))));
      case 3:
        store().Remove(ObjectKind::kPersistentVolume, {Symbol(), Symbol("pv" + number)});
        return;
      case 4:
        if (rng->Below(4) > 0) return;
        return store().Add(Class("fast", rng->Below(2) == 0 ? kDriver : kEbsDriver));
      case 5:
        return store().Add(Attachment(kDriver, "pv" + number, NameOf(rng->Below(kNodes)), number));
      default:
        return store().Add(LimitsOf(rng->Below(kNodes), rng->Below(3)));
    }
  }

  // Both forms on all nodes with limits.
  void ExpectCurrent() {
    attached_.Refresh(store(), handle_.snapshot());
    std::set<uint32_t> renewed;
    bool are_all_renewed =
        !attached_.use().changes.ForEachSince(cursor_, [&](const PodLog::Entry& entry) {
          renewed.insert(handle_.snapshot().table().RowOfSlot(entry.slot));
        });
    cursor_ = attached_.use().changes.head();
    for (const NodeInfo* node : handle_.snapshot().nodes()) {
      Seen now = See(attached_, *node);
      auto [before, is_new] = seen_.try_emplace(node->name(), now);
      if (!is_new && now.pods == before->second.pods && now.what != before->second.what) {
        EXPECT_TRUE(are_all_renewed || renewed.contains(node->row())) << node->name().view();
      }
      before->second = std::move(now);
    }
  }

  // Both forms, for an instance that is not refreshed at every step.
  void ExpectCurrent(AttachedVolumes* attached) {
    attached->Refresh(store(), handle_.snapshot());
    for (const NodeInfo* node : handle_.snapshot().nodes()) See(*attached, *node);
  }

 private:
  struct Seen {
    std::vector<PodInfoRef> pods;
    std::string what;  // all that NodeVolumeLimits reads of the node's storage
  };

  static std::string NameOf(size_t index) { return fmt::format("n{}", index); }
  // A node without limits if `count` is 0.
  static CsiNode LimitsOf(size_t index, uint64_t count) {
    CsiNode node = count == 0 ? Limits({}) : Limits({{kDriver, static_cast<int32_t>(count)}});
    node.metadata.name = Symbol(NameOf(index));
    return node;
  }

  void PutNode(size_t index) {
    handle_.Add(MakeNode().Name(NameOf(index)).Obj());
    seen_.erase(Symbol(NameOf(index)));
    pods_[index];
  }
  void ToggleNode(size_t index) {
    if (!pods_.contains(index)) return PutNode(index);
    for (const Pod& pod : pods_[index]) handle_.Remove(pod);
    handle_.Remove(MakeNode().Name(NameOf(index)).Obj());
    pods_.erase(index);
  }
  void AddPod(Rng* rng) {
    size_t index = rng->Below(kNodes);
    if (!pods_.contains(index)) return;
    std::string name = fmt::format("p{}", ++num_pods_);
    MakePod pod;
    pod.Name(name).Uid(name).Node(NameOf(index)).Pvc(fmt::format("c{}", rng->Below(kClaims)));
    if (rng->Below(2) == 0) pod.Pvc(fmt::format("c{}", rng->Below(kClaims)));
    pods_[index].push_back(pod.Obj());
    handle_.Add(pod.Obj());
  }
  void RemovePod(Rng* rng) {
    size_t index = rng->Below(kNodes);
    if (!pods_.contains(index) || pods_[index].empty()) return;
    auto gone = pods_[index].begin() + static_cast<int>(rng->Below(pods_[index].size()));
    handle_.Remove(*gone);
    pods_[index].erase(gone);
  }

  Seen See(const AttachedVolumes& attached, const NodeInfo& node) {
    Seen seen{node.pods_with_attachable_volumes(), "-"};
    CsiNodeRef csi_node = store().GetCsiNode(node.name());
    if (csi_node == nullptr || !HasLimits(*csi_node)) return seen;
    AttachableVolumes want;
    for (const PodInfoRef& pod : node.pods_with_attachable_volumes()) {
      EXPECT_TRUE(CollectAttachable(store(), *pod->pod, csi_node.get(), false, &want).IsSuccess());
    }
    const AttachableVolumes* got = nullptr;
    EXPECT_TRUE(attached.Read(store(), node, *csi_node, &got).IsSuccess());
    EXPECT_EQ(got->list(), want.list());
    EXPECT_GE(attached.AtMost(store(), node), want.list().size());
    EXPECT_EQ(attached.HasAny(want), !want.list().empty());
    seen.what = fmt::format("{}", *csi_node->spec.drivers[0].allocatable->count);
    for (const AttachableVolume& volume : want.list()) {
      seen.what += fmt::format(" {}/{}", volume.driver.view(), volume.handle.view());
    }
    for (const VolumeAttachmentRef& attachment : store().VolumeAttachmentsOf(node.name())) {
      auto volume = store().GetPersistentVolume(*attachment->spec.source.persistent_volume_name);
      if (volume == nullptr) continue;
      seen.what += fmt::format(" +{}", volume->spec.source.csi->volume_handle.view());
    }
    return seen;
  }

  FakeHandle handle_;
  AttachedVolumes attached_;
  std::map<size_t, std::vector<Pod>> pods_;  // by node
  std::map<Symbol, Seen> seen_;
  uint64_t cursor_ = 0;
  size_t num_pods_ = 0;
};

TEST(AttachedVolumes, EqualWhatIsThere) {
  Rng rng(33);
  VolumesOnNodes cluster;
  for (size_t step = 0; step < 1'000; ++step) {
    for (size_t more = rng.Below(3); more > 0; --more) cluster.Change(&rng);
    cluster.ExpectCurrent();
  }
}

// Goal: after the storage has gone back to an earlier state, its changes are read again.
TEST(AttachedVolumes, FollowRestoredStorage) {
  Rng rng(34);
  VolumesOnNodes cluster;
  for (size_t round = 0; round < 200; ++round) {
    cluster.Change(&rng);
    if (rng.Below(4) > 0) cluster.ExpectCurrent();
    ObjectStore::Savepoint savepoint = cluster.store().Save();
    auto saved = cluster.attached().Save();
    for (size_t more = rng.Below(4); more > 0; --more) cluster.ChangeStorage(&rng);
    if (rng.Below(4) > 0) cluster.ExpectCurrent();
    cluster.store().Restore(std::move(savepoint));
    cluster.attached().Restore(saved);
    cluster.ExpectCurrent();
  }
}

// Goal: instances that share what was followed do not change each other's, whichever is refreshed.
TEST(AttachedVolumes, ShareWhatWasFollowed) {
  Rng rng(36);
  VolumesOnNodes cluster;
  for (size_t round = 0; round < 100; ++round) {
    cluster.Change(&rng);
    cluster.ExpectCurrent();
    AttachedVolumes fork;
    fork.Restore(cluster.attached().Save());
    AttachedVolumes late;
    late.Restore(cluster.attached().Save());
    for (size_t step = 0; step < 6; ++step) {
      cluster.Change(&rng);
      if (rng.Below(2) == 0) cluster.ExpectCurrent();
      if (rng.Below(2) == 0) cluster.ExpectCurrent(&fork);
    }
    cluster.ExpectCurrent(&late);
    cluster.ExpectCurrent();
    cluster.ExpectCurrent(&fork);
  }
}

// Goal: after more changes than the store remembers, everything is read again.
TEST(AttachedVolumes, SurviveManyChanges) {
  Rng rng(35);
  VolumesOnNodes cluster;
  for (size_t round = 0; round < 10; ++round) {
    for (size_t step = 0; step < 1'000; ++step) cluster.Change(&rng);
    cluster.ExpectCurrent();
  }
}

// Goal: nothing is known of volumes on no node, and volumes that may fail to be read have no bound.
TEST(AttachedVolumes, BoundOnlyWhatCannotFail) {
  struct {
    std::string_view name;
    MakePod pod;
    std::optional<size_t> want;
  } cases[] = {
      {"no volumes", MakePod(), 0},
      {"a claim", MakePod().Pvc("c"), 1},
      {"a claim without a name", MakePod().Pvc(""), std::nullopt},
  };
  for (auto& c : cases) {
    NodeInfo node{Symbol("n")};
    node.AddPod(MakePodInfo(c.pod.Name("p").Ref(), Features()));
    EXPECT_EQ(AttachedVolumes().AtMost(FakeListers(), node), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
