#include "core/table/node_table.h"

#include <numeric>

#include "core/base/check.h"
#include "core/base/cold.h"

namespace stowage {
namespace {

// Whether two versions of a Node agree in every field that a plugin reads. Conditions and
// annotations only raise events, unless extenders or external plugins read the whole object.
bool SchedulingFieldsEqual(const Node& a, const Node& b) {
  return a.spec.unschedulable == b.spec.unschedulable && a.metadata.labels == b.metadata.labels &&
         a.spec.taints == b.spec.taints && a.status.allocatable == b.status.allocatable &&
         a.status.declared_features == b.status.declared_features &&
         ((!a.metadata.shows_source && !b.metadata.shows_source) ||
          a.metadata.source == b.metadata.source);
}

}  // namespace

void ChangeLog::Renumber(std::span<const uint32_t> rows) {
  auto used = static_cast<size_t>(std::min<uint64_t>(head_, ring_.size()));
  for (size_t place = 0; place < used; ++place) {
    uint32_t row = ring_[place];
    if (row != kNoRow && rows[row] != row) ring_.Mutable(place) = rows[row];
  }
}

std::optional<Bitset> ChangeLog::Since(uint64_t cursor, size_t rows) const {
  if (head_ - cursor > ring_.size()) return std::nullopt;
  Bitset changed(rows);
  for (; cursor < head_; ++cursor) {
    uint32_t row = At(cursor);
    if (row != kNoRow) changed.Set(row, true);
  }
  return changed;
}

NodeTable::NodeTable() = default;
NodeTable::~NodeTable() = default;

std::vector<uint32_t> NodeTable::Rebuild(std::span<const NodeInfo* const> nodes) {
  std::vector<uint32_t> previous = PreviousRows(nodes);
  std::vector<uint32_t> next(size(), kNoRow);
  size_t num_kept = 0;
  for (uint32_t row = 0; row < nodes.size(); ++row) {
    if (previous[row] == kNoRow) continue;
    next[previous[row]] = row;
    ++num_kept;
  }
  num_renewed_ += size() + nodes.size() - 2 * num_kept;
  TakeList(nodes, previous);
  TakeSeats(previous);
  RenumberLogs(previous, next);
  ++numbering_;
  return next;
}

// Compares addresses and names: a new NodeInfo may have the address of a removed one.
std::vector<uint32_t> NodeTable::PreviousRows(std::span<const NodeInfo* const> nodes) const {
  std::vector<uint32_t> previous(nodes.size(), kNoRow);
  for (size_t row = 0; row < nodes.size(); ++row) {
    uint32_t before = nodes[row]->row();
    bool is_kept =
        before < size() && infos_[before] == nodes[row] && (*names_)[before] == nodes[row]->name();
    if (is_kept) previous[row] = before;
  }
  return previous;
}

void NodeTable::TakeList(std::span<const NodeInfo* const> nodes,
                         std::span<const uint32_t> previous) {
  infos_.assign(nodes.begin(), nodes.end());
  pod_generations_.Gather(previous);
  nodes_.Gather(previous);
  image_states_.Gather(previous);
  for (auto* column :
       {&allocatable_milli_cpu_, &allocatable_memory_, &allocatable_ephemeral_, &allocatable_pods_,
        &requested_milli_cpu_, &requested_memory_, &requested_ephemeral_, &non_zero_milli_cpu_,
        &non_zero_memory_, &pod_count_}) {
    column->Gather(previous);
  }
  unschedulable_.Gather(previous);
  has_taints_.Gather(previous);
  for (ScalarColumns& columns : scalars_) {
    columns.allocatable.Gather(previous);
    columns.requested.Gather(previous);
  }
  auto names = std::make_shared<std::vector<Symbol>>();
  names->reserve(nodes.size());
  for (uint32_t row = 0; row < nodes.size(); ++row) {
    nodes[row]->set_row(row);
    if (previous[row] == kNoRow) ReadColumns(row, *nodes[row]);
    names->push_back(nodes[row]->name());
  }
  FollowNewScalars();
  names_ = std::move(names);
  if (row_numbers_ != nullptr && row_numbers_->size() == nodes.size()) return;
  auto numbers = std::make_shared<std::vector<uint32_t>>(nodes.size());
  std::iota(numbers->begin(), numbers->end(), uint32_t{0});
  row_numbers_ = std::move(numbers);
}

// New nodes take the slots of removed ones, so that slots stay below the largest number of nodes.
void NodeTable::TakeSeats(std::span<const uint32_t> previous) {
  auto slots = std::make_shared<std::vector<uint32_t>>(previous.size(), kNoRow);
  size_t num_slots = row_of_slot_ == nullptr ? 0 : row_of_slot_->size();
  auto row_of_slot =
      std::make_shared<std::vector<uint32_t>>(std::max(num_slots, previous.size()), kNoRow);
  for (uint32_t row = 0; row < previous.size(); ++row) {
    if (previous[row] == kNoRow) continue;
    (*slots)[row] = (*slots_)[previous[row]];
    (*row_of_slot)[(*slots)[row]] = row;
  }
  uint32_t free = 0;
  for (uint32_t row = 0; row < previous.size(); ++row) {
    if (previous[row] != kNoRow) continue;
    while ((*row_of_slot)[free] != kNoRow) ++free;
    (*slots)[row] = free;
    (*row_of_slot)[free] = row;
  }
  slots_ = std::move(slots);
  row_of_slot_ = std::move(row_of_slot);
}

bool NodeTable::BeginEpochIfDue() {
  if (num_renewed_ <= max_renewed_) return false;
  BeginEpoch();
  return true;
}

void NodeTable::BeginEpoch() {
  num_renewed_ = 0;
  max_renewed_ = size();
  changes_.Reset(size());
  node_changes_.Reset(size());
  ++epoch_;
}

void NodeTable::RenumberLogs(std::span<const uint32_t> previous, std::span<const uint32_t> next) {
  pod_log_.Break();
  if (BeginEpochIfDue()) return;
  for (ChangeLog* log : {&changes_, &node_changes_}) {
    log->Renumber(next);
    for (uint32_t row = 0; row < previous.size(); ++row) {
      if (previous[row] == kNoRow) log->Append(row);
    }
  }
}

// Logs, numberings and epochs go on, because readers have followed them: what has happened since
// is undone by further changes.
void NodeTable::Restore(NodeTable saved) {
  CHECK(evaluation_ == 0 && saved.evaluation_ == 0);
  std::swap(*this, saved);
  const NodeTable& before = saved;
  bool is_unchanged = epoch_ == before.epoch_ && numbering_ == before.numbering_ &&
                      changes_.head() == before.changes_.head() &&
                      pod_log_.head() == before.pod_log_.head();
  if (is_unchanged) return;
  bool is_followed = epoch_ == before.epoch_ && FollowRestored(before);
  pod_log_ = before.pod_log_;
  pod_log_.Break();
  epoch_ = before.epoch_;
  if (numbering_ != before.numbering_) numbering_ = before.numbering_ + 1;
  num_renewed_ = before.num_renewed_;
  max_renewed_ = before.max_renewed_;
  if (!is_followed) BeginEpoch();
}

// Takes the logs of `before`, which has been restored to this table, and appends the rows that
// differ: those that have changed, and those whose node had left the list. A slot that another node
// has taken meanwhile is in the log, because new rows are. Returns false if the logs do not hold
// all changes.
bool NodeTable::FollowRestored(const NodeTable& before) {
  const uint64_t cursor = changes_.head();
  const uint64_t node_cursor = node_changes_.head();
  std::optional<Bitset> changed = before.changes_.Since(cursor, before.size());
  std::optional<Bitset> changed_nodes = before.node_changes_.Since(node_cursor, before.size());
  if (!changed || !changed_nodes) return false;
  changes_ = before.changes_;
  node_changes_ = before.node_changes_;
  std::vector<uint32_t> next(before.size(), kNoRow);
  for (uint32_t row = 0; row < size(); ++row) {
    uint32_t then = before.RowOfSlot((*slots_)[row]);
    if (then != kNoRow) next[then] = row;
  }
  if (numbering_ != before.numbering_) {
    changes_.Renumber(next);
    node_changes_.Renumber(next);
  }
  for (uint32_t row = 0; row < size(); ++row) {
    uint32_t then = before.RowOfSlot((*slots_)[row]);
    if (then == kNoRow || changed->Test(then)) changes_.Append(row);
    if (then == kNoRow || changed_nodes->Test(then)) node_changes_.Append(row);
  }
  return true;
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

// The columns of a Node are read only if it is another object: usually only pods have changed.
void NodeTable::ReadColumns(size_t row, const NodeInfo& info) {
  if (nodes_[row] != info.node_ref()) ReadNode(row, info);
  pod_generations_.Set(row, info.pod_generation());
  image_states_.Set(row, info.image_states());
  requested_milli_cpu_.Set(row, info.requested().milli_cpu);
  requested_memory_.Set(row, info.requested().memory);
  requested_ephemeral_.Set(row, info.requested().ephemeral_storage);
  non_zero_milli_cpu_.Set(row, info.non_zero_milli_cpu());
  non_zero_memory_.Set(row, info.non_zero_memory());
  pod_count_.Set(row, static_cast<int64_t>(info.pods().size()));
  for (ScalarColumns& columns : scalars_) {
    columns.requested.Set(row, info.requested().Scalar(columns.resource));
  }
}

STOWAGE_COLD void NodeTable::ReadNode(size_t row, const NodeInfo& info) {
  nodes_.Set(row, info.node_ref());
  allocatable_milli_cpu_.Set(row, info.allocatable().milli_cpu);
  allocatable_memory_.Set(row, info.allocatable().memory);
  allocatable_ephemeral_.Set(row, info.allocatable().ephemeral_storage);
  allocatable_pods_.Set(row, info.allocatable().allowed_pod_number);
  unschedulable_.Set(row, info.node()->spec.unschedulable ? 1 : 0);
  has_taints_.Set(row, info.node()->spec.taints.empty() ? 0 : 1);
  for (ScalarColumns& columns : scalars_) {
    columns.allocatable.Set(row, info.allocatable().Scalar(columns.resource));
  }
  for (const auto& [resource, amount] : info.allocatable().scalars) {
    if (scalars_.size() < kScalarsMax && scalar(resource) == nullptr) {
      new_scalars_.push_back(resource);
    }
  }
}

STOWAGE_COLD void NodeTable::FollowNewScalars() {
  for (const Symbol& resource : new_scalars_) {
    if (scalars_.size() == kScalarsMax || scalar(resource) != nullptr) continue;
    ScalarColumns& columns = scalars_.emplace_back(ScalarColumns{resource, {}, {}});
    for (const NodeInfo* info : infos_) {
      columns.allocatable.Append(info->allocatable().Scalar(resource));
      columns.requested.Append(info->requested().Scalar(resource));
    }
  }
  new_scalars_.clear();
}

const ScalarColumns* NodeTable::scalar(const Symbol& resource) const {
  for (const ScalarColumns& columns : scalars_) {
    if (columns.resource == resource) return &columns;
  }
  return nullptr;
}

}  // namespace stowage
