#include "tests/support/fake_handle.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace stowage {
namespace {

template <typename T>
using Refs = std::vector<std::shared_ptr<const T>>;

template <typename T>
void Insert(Refs<T>* list, T object) {
  list->push_back(std::make_shared<const T>(std::move(object)));
  std::sort(list->begin(), list->end(), [](const auto& a, const auto& b) {
    const ObjectMeta& left = a->metadata;
    const ObjectMeta& right = b->metadata;
    return left.namespace_ != right.namespace_ ? left.namespace_ < right.namespace_
                                               : left.name < right.name;
  });
}

template <typename T>
std::shared_ptr<const T> Find(const Refs<T>& list, const Symbol& namespace_, const Symbol& name) {
  for (const auto& object : list) {
    if (object->metadata.namespace_ == namespace_ && object->metadata.name == name) return object;
  }
  return nullptr;
}

}  // namespace

void FakeListers::Add(Service object) { Insert(&services_, std::move(object)); }
void FakeListers::Add(PodDisruptionBudget object) { Insert(&budgets_, std::move(object)); }
void FakeListers::Add(Namespace object) { Insert(&namespaces_, std::move(object)); }
void FakeListers::Add(ReplicationController object) {
  Insert(&replication_controllers_, std::move(object));
}
void FakeListers::Add(ReplicaSet object) { Insert(&replica_sets_, std::move(object)); }
void FakeListers::Add(StatefulSet object) { Insert(&stateful_sets_, std::move(object)); }
void FakeListers::Add(Pod object) {
  RemovePod(object.metadata.namespace_, object.metadata.name);
  Insert(&pods_, std::move(object));
}
void FakeListers::RemovePod(const Symbol& namespace_, const Symbol& name) {
  std::erase(pods_, GetPod(namespace_, name));
}

PodRef FakeListers::GetPod(const Symbol& namespace_, const Symbol& name) const {
  return Find(pods_, namespace_, name);
}
const std::vector<PodDisruptionBudgetRef>& FakeListers::PodDisruptionBudgets() const {
  return budgets_;
}
const std::vector<ServiceRef>& FakeListers::Services() const { return services_; }
NamespaceRef FakeListers::GetNamespace(const Symbol& name) const {
  return Find(namespaces_, Symbol(), name);
}
ReplicationControllerRef FakeListers::GetReplicationController(const Symbol& namespace_,
                                                               const Symbol& name) const {
  return Find(replication_controllers_, namespace_, name);
}
ReplicaSetRef FakeListers::GetReplicaSet(const Symbol& namespace_, const Symbol& name) const {
  return Find(replica_sets_, namespace_, name);
}
StatefulSetRef FakeListers::GetStatefulSet(const Symbol& namespace_, const Symbol& name) const {
  return Find(stateful_sets_, namespace_, name);
}

const std::vector<PodInfoRef>& FakeNominator::NominatedPodsForNode(const Symbol& node) const {
  static const std::vector<PodInfoRef> kNone;
  auto found = pods_.find(node);
  return found == pods_.end() ? kNone : found->second;
}

void FakeNominator::Add(const Symbol& node, PodInfoRef pod) {
  pods_[node].push_back(std::move(pod));
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
