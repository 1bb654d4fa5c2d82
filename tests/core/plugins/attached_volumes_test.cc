// Goal: what is remembered of the volumes on nodes equals what is there. Method: seeded changes of
// pods, claims, volumes and classes, in a cluster and in copies of it; after each, both forms.
#include "core/plugins/attached_volumes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/plugins/limited_node.h"

namespace stowage {
namespace {

using namespace limited_node;  // NOLINT: made for these tests

constexpr size_t kNodes = 3;
constexpr size_t kClaims = 6;

class VolumesOnNodes {
 public:
  VolumesOnNodes() {
    for (size_t row = 0; row < kNodes; ++row) {
      nodes_.emplace_back(Symbol(fmt::format("n{}", row)));
      nodes_.back().set_row(static_cast<uint32_t>(row));
    }
  }
  VolumesOnNodes(const VolumesOnNodes& other) : nodes_(other.nodes_), attached_(other.attached_) {
    store_.CopyStateFrom(other.store_);
  }

  void Change(Rng* rng) {
    std::string number = fmt::format("{}", rng->Below(kClaims));
    std::string volume = rng->Below(2) == 0 ? "" : "pv" + number;
    switch (rng->Below(7)) {
      case 0:
        return store_.Add(Claim("c" + number, volume, rng->Below(2) == 0 ? "fast" : "slow"));
      case 1:
        store_.Remove(ObjectKind::kPersistentVolumeClaim,
                      {Symbol("default"), Symbol("c" + number)});
        return;
      case 2:
        return store_.Add(CsiBacked("pv" + number, kDriver, fmt::format("h{}", rng->Below(3))));
      case 3:
        store_.Remove(ObjectKind::kPersistentVolume, {Symbol(), Symbol("pv" + number)});
        return;
      case 4:
        return store_.Add(Class("fast", rng->Below(2) == 0 ? kDriver : kEbsDriver));
      case 5:
        return AddPod("c" + number, rng);
      default:
        return RemovePod(rng);
    }
  }

  // Both forms on all nodes.
  void ExpectCurrent() {
    CsiNode csi_node;
    for (const NodeInfo& node : nodes_) {
      AttachableVolumes want;
      for (const PodInfoRef& pod : node.pods_with_attachable_volumes()) {
        ASSERT_TRUE(CollectAttachable(store_, *pod->pod, &csi_node, false, &want).IsSuccess());
      }
      const AttachableVolumes* got = nullptr;
      ASSERT_TRUE(attached_.Read(store_, node, csi_node, &got).IsSuccess());
      EXPECT_EQ(got->list(), want.list());
      EXPECT_GE(attached_.AtMost(node), want.list().size());
    }
  }

 private:
  void AddPod(const std::string& claim, Rng* rng) {
    MakePod pod;
    pod.Name(fmt::format("p{}", ++num_pods_)).Pvc(claim);
    if (rng->Below(2) == 0) pod.Pvc(fmt::format("c{}", rng->Below(kClaims)));
    nodes_[rng->Below(kNodes)].AddPod(MakePodInfo(pod.Ref(), Features()));
  }
  void RemovePod(Rng* rng) {
    NodeInfo& node = nodes_[rng->Below(kNodes)];
    if (node.pods().empty()) return;
    node.RemovePod(node.pods()[rng->Below(node.pods().size())]->uid());
  }

  std::vector<NodeInfo> nodes_;
  FakeListers store_;
  AttachedVolumes attached_;
  size_t num_pods_ = 0;
};

TEST(AttachedVolumes, EqualWhatIsThere) {
  Rng rng(33);
  VolumesOnNodes cluster;
  for (size_t step = 0; step < 400; ++step) {
    for (size_t more = rng.Below(3); more > 0; --more) cluster.Change(&rng);
    cluster.ExpectCurrent();
  }
}

// Goal: copies go different ways, through equal numbers of changes.
TEST(AttachedVolumes, CopiesAreIndependent) {
  Rng rng(34);
  VolumesOnNodes cluster;
  for (size_t step = 0; step < 40; ++step) cluster.Change(&rng);
  cluster.ExpectCurrent();
  VolumesOnNodes copy(cluster);
  for (size_t step = 0; step < 200; ++step) {
    cluster.Change(&rng);
    copy.Change(&rng);
    cluster.ExpectCurrent();
    copy.ExpectCurrent();
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

// Goal: volumes that may fail to be read have no bound.
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
    EXPECT_EQ(AttachedVolumes().AtMost(node), c.want) << c.name;
  }
}

}  // namespace
}  // namespace stowage
