// LimitedNode is a node with CSI drivers, and claims for its pods, for the tests of
// NodeVolumeLimits.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/plugins/node_volume_limits.h"
#include "tests/support/from_json.h"
#include "tests/support/plugin_runner.h"

namespace stowage::limited_node {

inline const Status kFits = Status::Success();
inline const Status kExceeded = Status::Unschedulable("node(s) exceed max volume count");

inline constexpr std::string_view kDriver = "csi.example.com";
inline constexpr std::string_view kEbsDriver = "ebs.csi.aws.com";

inline Status Missing(std::string_view text) { return Status::UnschedulableAndUnresolvable(text); }

// A claim with a volume, or without one if `volume` is empty.
inline PersistentVolumeClaim Claim(std::string_view name, std::string_view volume,
                                   std::string_view class_name = "",
                                   std::string_view owner_uid = "") {
  PersistentVolumeClaim claim;
  claim.metadata.name = Symbol(name);
  claim.metadata.namespace_ = Symbol("default");
  claim.spec.volume_name = Symbol(volume);
  if (!class_name.empty()) claim.spec.storage_class_name = Symbol(class_name);
  if (!owner_uid.empty()) {
    claim.metadata.owner_references.push_back(
        {Symbol("v1"), Symbol("Pod"), Symbol(owner_uid), Symbol(owner_uid), true});
  }
  return claim;
}

inline PersistentVolume Backed(std::string_view name, std::string_view source) {
  return MakePersistentVolume(
      fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{{}}}}})", name, source));
}

inline PersistentVolume CsiBacked(std::string_view name, std::string_view driver,
                                  std::string_view handle) {
  return Backed(name,
                fmt::format(R"("csi":{{"driver":"{}","volumeHandle":"{}"}})", driver, handle));
}

inline StorageClass Class(std::string_view name, std::string_view provisioner) {
  StorageClass storage_class;
  storage_class.metadata.name = Symbol(name);
  storage_class.provisioner = Symbol(provisioner);
  return storage_class;
}

inline VolumeAttachment Attachment(std::string_view attacher, std::string_view volume,
                                   std::string_view node = "n", std::string_view name = "a") {
  VolumeAttachment attachment;
  attachment.metadata.name = Symbol(name);
  attachment.spec.attacher = Symbol(attacher);
  attachment.spec.node_name = Symbol(node);
  if (!volume.empty()) attachment.spec.source.persistent_volume_name = Symbol(volume);
  return attachment;
}

// The CSINode of "n": drivers with their limits.
inline CsiNode Limits(std::vector<std::pair<std::string_view, std::optional<int32_t>>> drivers) {
  CsiNode node;
  node.metadata.name = Symbol("n");
  for (const auto& [name, count] : drivers) {
    CsiNodeDriver& driver = node.spec.drivers.emplace_back();
    driver.name = Symbol(name);
    if (count) driver.allocatable.emplace().count = *count;
  }
  return node;
}

// The node "n" and the claims of its pods. c1, c2 and c3 have volumes of one driver; p1, p2 and p3
// wait for volumes of its class; the others are named for their peculiarity.
class LimitedNode : public PluginRunner<NodeVolumeLimits> {
 public:
  explicit LimitedNode(Features features = {})
      : PluginRunner(NewPluginArgs(NodeVolumeLimits::kName), features) {
    handle().Add(MakeNode().Name("n").Obj());
    for (std::string_view number : {"1", "2", "3"}) {
      std::string volume = fmt::format("pv{}", number);
      Put(CsiBacked(volume, kDriver, fmt::format("h{}", number)));
      Put(Claim(fmt::format("c{}", number), volume));
      Put(Claim(fmt::format("p{}", number), "", "fast"));
    }
    Put(Class("fast", kDriver));
    Put(CsiBacked("pv-other", "other.example.com", "h1"));
    Put(Claim("other", "pv-other"));
    Put(Claim("also-c1", "pv1"));
    Put(Claim("volume-gone", "gone", "fast"));
    Put(Claim("volume-and-class-gone", "gone", "x"));
    Put(Claim("volume-gone-classless", "gone"));
    Put(Claim("class-gone", "", "x"));
    Put(Claim("classless", ""));
    AddInTree();
  }

  template <typename T>
  LimitedNode& Put(T object) {
    handle().fake_listers().Add(std::move(object));
    return *this;
  }
  LimitedNode& Run(MakePod pod, std::string_view name = "q") {
    handle().Add(pod.Name(name).Node("n").Obj());
    return *this;
  }

 private:
  void AddInTree() {
    Put(Backed("pv-ebs", R"("awsElasticBlockStore":{"volumeID":"vol-1"})"));
    Put(Claim("ebs", "pv-ebs"));
    Put(CsiBacked("pv-ebs-csi", kEbsDriver, "vol-1"));
    Put(Claim("ebs-csi", "pv-ebs-csi"));
    Put(Class("gp2", "kubernetes.io/aws-ebs"));
    Put(Claim("ebs-pending", "", "gp2"));
    Put(Backed("pv-file", R"("azureFile":{"secretName":"s","shareName":"t"})"));
    Put(Claim("file", "pv-file"));
    Put(Class("file", "kubernetes.io/azure-file"));
    Put(Claim("file-pending", "", "file"));
    Put(Backed("pv-nfs", R"("nfs":{"server":"s","path":"/"})"));
    Put(Claim("nfs", "pv-nfs"));
    Put(Backed("pv-broken", R"("azureDisk":{"diskURI":"d","kind":"Dedicated"})"));
    Put(Claim("broken", "pv-broken"));
  }
};

inline MakePod Inline(std::string_view source) { return MakePod().Volumes({MakeVolume(source)}); }

inline constexpr std::string_view kEbs = R"("awsElasticBlockStore":{"volumeID":"vol-1"})";
inline constexpr std::string_view kEbs2 = R"("awsElasticBlockStore":{"volumeID":"vol-2"})";

template <typename... P>
std::vector<MakePod> Pods(const P&... pods) {
  return {pods...};
}

struct LimitCase {
  std::string_view name;
  int32_t limit;
  Pod pod;
  Status want;
  std::vector<MakePod> running = {};
};

// Checks the verdicts on a node that only limits `driver`.
inline void ExpectVerdicts(std::string_view driver, std::span<const LimitCase> cases) {
  for (const LimitCase& c : cases) {
    LimitedNode node;
    node.Put(Limits({{driver, c.limit}}));
    for (const MakePod& pod : c.running) {
      node.Run(pod, fmt::format("q{}", &pod - c.running.data()));
    }
    EXPECT_EQ(node.Filter(c.pod, "n"), c.want) << c.name;
  }
}

}  // namespace stowage::limited_node
