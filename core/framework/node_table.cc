#include "core/framework/node_table.h"

#include <numeric>

#include "core/base/check.h"

namespace stowage {
namespace {

// Whether two versions of a Node agree in all that a plugin reads. Conditions and annotations only
// raise events, unless somebody outside the core gets to see the whole object.
bool SchedulingFieldsEqual(const Node& a, const Node& b) {
  return a.spec.unschedulable == b.spec.unschedulable && a.metadata.labels == b.metadata.labels &&
         a.spec.taints == b.spec.taints && a.status.allocatable == b.status.allocatable &&
         a.status.declared_features == b.status.declared_features &&
         a.metadata.source == b.metadata.source;
}

}  // namespace

NodeTable::NodeTable() = default;
NodeTable::~NodeTable() = default;

void NodeTable::Rebuild(std::span<NodeInfo* const> nodes) {
  size_t size = nodes.size();
  infos_.assign(nodes.begin(), nodes.end());
  pod_generations_.assign(size, 0);
  nodes_.assign(size, nullptr);
  image_states_.assign(size, {});
  for (auto* column :
       {&allocatable_milli_cpu_, &allocatable_memory_, &allocatable_ephemeral_, &allocatable_pods_,
        &requested_milli_cpu_, &requested_memory_, &requested_ephemeral_, &non_zero_milli_cpu_,
        &non_zero_memory_, &pod_count_}) {
    column->assign(size, 0);
  }
  unschedulable_.assign(size, 0);
  auto names = std::make_shared<std::vector<Symbol>>();
  for (size_t row = 0; row < size; ++row) {
    ReadColumns(row, *nodes[row]);
    names->push_back(nodes[row]->name());
  }
  names_ = std::move(names);
  row_numbers_.resize(size);
  std::iota(row_numbers_.begin(), row_numbers_.end(), uint32_t{0});
  changes_.Reset(size);
  node_changes_.Reset(size);
  pod_log_.Break();
  ++epoch_;
}

void NodeTable::Update(size_t row, const NodeInfo& info, const PodJournal* journal) {
  CHECK(row < size());
  bool is_same_node = nodes_[row] == info.node_ref() ||
                      (infos_[row] == &info && SchedulingFieldsEqual(*nodes_[row], *info.node()));
  bool is_unchanged = is_same_node && infos_[row] == &info &&
                      pod_generations_[row] == info.pod_generation() &&
                      image_states_[row] == info.image_states();
  if (!is_same_node) {
    node_changes_.Append(static_cast<uint32_t>(row));
    pod_log_.Break();
  } else if (pod_generations_[row] != info.pod_generation() || infos_[row] != &info) {
    LogPods(row, journal);
  }
  infos_[row] = &info;
  ReadColumns(row, info);
  if (!is_unchanged) changes_.Append(static_cast<uint32_t>(row));
}

void NodeTable::LogPods(size_t row, const PodJournal* journal) {
  if (journal == nullptr || !journal->IsSince(pod_generations_[row])) return pod_log_.Break();
  for (const PodChange& change : journal->changes()) {
    pod_log_.Append(static_cast<uint32_t>(row), change);
  }
}

void NodeTable::ReadColumns(size_t row, const NodeInfo& info) {
  pod_generations_[row] = info.pod_generation();
  nodes_[row] = info.node_ref();
  if (image_states_[row] != info.image_states()) image_states_[row] = info.image_states();
  allocatable_milli_cpu_[row] = info.allocatable().milli_cpu;
  allocatable_memory_[row] = info.allocatable().memory;
  allocatable_ephemeral_[row] = info.allocatable().ephemeral_storage;
  allocatable_pods_[row] = info.allocatable().allowed_pod_number;
  requested_milli_cpu_[row] = info.requested().milli_cpu;
  requested_memory_[row] = info.requested().memory;
  requested_ephemeral_[row] = info.requested().ephemeral_storage;
  non_zero_milli_cpu_[row] = info.non_zero_milli_cpu();
  non_zero_memory_[row] = info.non_zero_memory();
  pod_count_[row] = static_cast<int64_t>(info.pods().size());
  unschedulable_[row] = info.node()->spec.unschedulable ? 1 : 0;
}

}  // namespace stowage
