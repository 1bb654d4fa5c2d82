#include "tests/support/fake_handle.h"

#include <utility>

#include "core/base/check.h"

namespace stowage {

FakeListers::~FakeListers() = default;

void FakeListers::AddDeviceClass() {
  DeviceClass object;
  object.metadata.name = Symbol("class");
  Add(std::move(object));
}

Result<bool, std::string> FakeSelectors::Matches(const Symbol& expression, const ResourceSliceRef&,
                                                 const Device& device, bool) {
  if (expression == "fault") return std::string("CEL runtime error: fault");
  return expression == "true" || expression == device.name;
}

const std::vector<PodInfoRef>& FakeNominator::NominatedPodsForNode(const Symbol& node) const {
  static const std::vector<PodInfoRef> kNone;
  auto found = pods_.find(node);
  return found == pods_.end() ? kNone : found->second;
}

void FakeNominator::Add(const Symbol& node, PodInfoRef pod) {
  pods_[node].push_back(std::move(pod));
  changes_.Append(node);
  nodes_.clear();
  for (const auto& [name, pods] : pods_) nodes_.push_back(name);
  ++size_;
}

FakeHandle::FakeHandle() = default;
FakeHandle::~FakeHandle() = default;

FakeHandle& FakeHandle::Add(Node node) {
  cache_.AddNode(std::make_shared<const Node>(std::move(node)));
  is_snapshot_stale_ = true;
  return *this;
}

FakeHandle& FakeHandle::Add(Pod pod) {
  CHECK(!pod.spec.node_name.empty());
  PodRef ref = std::make_shared<const Pod>(std::move(pod));
  CHECK(cache_.AddPod(MakePodInfo(std::move(ref), features_)).IsSuccess());
  is_snapshot_stale_ = true;
  return *this;
}

FakeHandle& FakeHandle::Update(Node node) {
  const Node old_node = *cache_.GetNodeInfo(node.metadata.name)->node();
  cache_.UpdateNode(old_node, std::make_shared<const Node>(std::move(node)));
  is_snapshot_stale_ = true;
  return *this;
}

FakeHandle& FakeHandle::Remove(const Node& node) {
  CHECK(cache_.RemoveNode(node).IsSuccess());
  is_snapshot_stale_ = true;
  return *this;
}

FakeHandle& FakeHandle::Remove(const Pod& pod) {
  CHECK(cache_.RemovePod(pod).IsSuccess());
  is_snapshot_stale_ = true;
  return *this;
}

const Snapshot& FakeHandle::snapshot() const {
  if (std::exchange(is_snapshot_stale_, false)) cache_.UpdateSnapshot(&snapshot_);
  return snapshot_;
}

const NodeInfo& FakeHandle::node(std::string_view name) const {
  const NodeInfo* info = snapshot().Get(Symbol(name));
  CHECK(info != nullptr);
  return *info;
}

Status FakeHandle::RunFilterPluginsWithNominatedPods(const CycleState&, const Pod&,
                                                     const NodeInfo&) const {
  return Status::Success();
}

Status FakeHandle::RunPreFilterExtensionAddPod(CycleState&, const Pod&, const PodInfo&,
                                               const NodeInfo&) const {
  return Status::Success();
}

Status FakeHandle::RunPreFilterExtensionRemovePod(CycleState&, const Pod&, const PodInfo&,
                                                  const NodeInfo&) const {
  return Status::Success();
}

void FakeHandle::ReportPreemption(PreemptionReport report) {
  reports_.push_back(std::move(report));
}

}  // namespace stowage
