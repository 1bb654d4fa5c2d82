#include "core/table/node_table.h"

#include <numeric>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/lanes.h"
#include "core/base/simd.h"

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

std::optional<Bitset> ChangeLog::Since(uint64_t cursor, size_t slots) const {
  if (head_ - cursor > ring_.size()) return std::nullopt;
  Bitset changed(slots);
  for (; cursor < head_; ++cursor) {
    // A table that was restored may have fewer slots than its log names.
    if (At(cursor) < slots) changed.Set(At(cursor), true);
  }
  return changed;
}

NodeTable::NodeTable() = default;
NodeTable::~NodeTable() = default;

bool NodeTable::Lists(std::span<const NodeInfo* const> nodes) const {
  if (nodes.size() != size()) return false;
  for (size_t row = 0; row < nodes.size(); ++row) {
    if (!IsRowOf(row, *nodes[row])) return false;
  }
  return true;
}

STOWAGE_COLD const Renumbering& NodeTable::Rebuild(std::span<const NodeInfo* const> nodes) {
  std::vector<uint32_t> previous = PreviousRows(nodes);
  std::vector<const NodeInfo*> added;
  for (size_t row = 0; row < nodes.size(); ++row) {
    if (previous[row] == kNoRow) added.push_back(nodes[row]);
  }
  return Renumber(Renumbering(previous, size()), added);
}

const Renumbering& NodeTable::Renumber(Renumbering moves, std::span<const NodeInfo* const> added) {
  CHECK(moves.num_rows_before() == size());
  num_renewed_ += moves.removed().size() + added.size();
  TakeSeats(moves);
  TakeRows(moves, added);
  if (!BeginEpochIfDue()) LogNewRows(moves);
  ++numbering_;
  renumbering_ = std::make_shared<const Renumbering>(std::move(moves));
  return *renumbering_;
}

std::vector<uint32_t> NodeTable::PreviousRows(std::span<const NodeInfo* const> nodes) const {
  std::vector<uint32_t> previous(nodes.size(), kNoRow);
  for (size_t row = 0; row < nodes.size(); ++row) {
    uint32_t before = nodes[row]->row();
    if (IsRowOf(before, *nodes[row])) previous[row] = before;
  }
  return previous;
}

std::shared_ptr<const Renumbering> NodeTable::RenumberingSince(
    const std::shared_ptr<const std::vector<uint32_t>>& before) const {
  if (before == slots_before_) return renumbering_;
  if (before == last_since_.before && slots_ == last_since_.now) return last_since_.moves;
  std::vector<uint32_t> previous(size(), kNoRow);
  for (uint32_t row = 0; row < before->size(); ++row) {
    uint32_t now = RowOfSlot((*before)[row]);
    if (now != kNoRow) previous[now] = row;
  }
  last_since_ = {before, slots_, std::make_shared<const Renumbering>(previous, before->size())};
  return last_since_.moves;
}

// New nodes take the slots of removed ones, so that slots stay below the largest number of nodes.
void NodeTable::TakeSeats(const Renumbering& moves) {
  slots_before_ = std::move(slots_);
  auto slots = slots_before_ == nullptr ? std::make_shared<std::vector<uint32_t>>()
                                        : std::make_shared<std::vector<uint32_t>>(*slots_before_);
  auto row_of_slot = row_of_slot_ == nullptr
                         ? std::make_shared<std::vector<uint32_t>>()
                         : std::make_shared<std::vector<uint32_t>>(*row_of_slot_);
  // Usually a slot that is freed now, or a new one, is the first to be taken.
  size_t free = moves.removed().empty() ? row_of_slot->size() : (*slots)[moves.removed()[0]];
  for (uint32_t row : moves.removed()) (*row_of_slot)[(*slots)[row]] = kNoRow;
  row_of_slot->resize(std::max(row_of_slot->size(), moves.num_rows()), kNoRow);
  moves.Apply(slots.get(), kNoRow);
  for (const Renumbering::Move& move : moves.moves()) {
    if (!move.IsNew()) (*row_of_slot)[(*slots)[move.row]] = move.row;
  }
  for (uint32_t row : moves.added()) {
    while (free >= row_of_slot->size() || (*row_of_slot)[free] != kNoRow) {
      free = free >= row_of_slot->size() ? 0 : free + 1;
    }
    (*slots)[row] = static_cast<uint32_t>(free);
    (*row_of_slot)[free] = row;
  }
  names_by_slot_.Enlarge(row_of_slot->size());
  seen_.Enlarge(row_of_slot->size());
  slots_ = std::move(slots);
  row_of_slot_ = std::move(row_of_slot);
}

template <typename Visit>
void NodeTable::ForEachColumn(Visit visit) {
  for (auto* column :
       {&allocatable_milli_cpu_, &allocatable_memory_, &allocatable_ephemeral_, &allocatable_pods_,
        &requested_milli_cpu_, &requested_memory_, &requested_ephemeral_, &non_zero_milli_cpu_,
        &non_zero_memory_, &pod_count_}) {
    visit(*column);
  }
  for (auto* column : {&unschedulable_, &has_taints_, &has_images_}) visit(*column);
  visit(room_);
  for (ScalarColumns& columns : scalars_) {
    visit(columns.allocatable);
    visit(columns.requested);
  }
}

void NodeTable::TakeRows(const Renumbering& moves, std::span<const NodeInfo* const> added) {
  const NodeInfo* none = nullptr;
  moves.Apply(&infos_, none);
  least_room_.assign(size() / kChunkRows + 1, {.pods = kUnknownPods});
  occupied_.clear();
  ForEachColumn([&moves](auto& column) { column.Move(moves); });
  auto next = added.begin();
  for (uint32_t row : moves.added()) {
    const NodeInfo& info = **next++;
    infos_[row] = &info;
    ReadNode(row, info);
    ReadColumns(row, info);
    names_by_slot_.Mutable((*slots_)[row]) = info.name();
  }
  for (const Renumbering::Move& move : moves.moves()) infos_[move.row]->set_row(move.row);
  FollowNewScalars();
  names_ = std::make_shared<const NodeNames>(slots_, names_by_slot_);
  if (row_numbers_ != nullptr && row_numbers_->size() >= size()) return;
  auto numbers = std::make_shared<std::vector<uint32_t>>(std::bit_ceil(size()));
  std::iota(numbers->begin(), numbers->end(), uint32_t{0});
  row_numbers_ = std::move(numbers);
}

bool NodeTable::BeginEpochIfDue() {
  if (num_renewed_ <= max_renewed_) return false;
  BeginEpoch();
  return true;
}

STOWAGE_COLD void NodeTable::BeginEpoch() {
  num_renewed_ = 0;
  max_renewed_ = size();
  changes_.Reset(size());
  node_changes_.Reset(size());
  version_changes_.Reset(size());
  pod_log_.Break();
  ForEachColumn([](auto& column) { column.FindUniform(); });
  ++epoch_;
}

void NodeTable::LogNewRows(const Renumbering& moves) {
  for (uint32_t row : moves.added()) {
    uint32_t slot = (*slots_)[row];
    LogChange(slot);
    node_changes_.Append(slot);
    pod_log_.AppendRenewal(slot);
  }
}

// Logs, numberings and epochs go on, because readers have followed them: what has happened since
// is undone by further changes.
STOWAGE_COLD void NodeTable::Restore(NodeTable saved) {
  CHECK(evaluation_ == 0 && saved.evaluation_ == 0);
  std::swap(*this, saved);
  const NodeTable& before = saved;
  num_other_changes_ = before.num_other_changes_ + 1;
  // A node in the same place of both lists knows its row.
  for (uint32_t row = 0; row < size(); ++row) {
    const NodeInfo* info = infos_[row];
    bool is_in_place = row < before.size() && before.infos_[row] == info;
    if (!is_in_place && info != nullptr) info->set_row(row);
  }
  bool is_unchanged = epoch_ == before.epoch_ && numbering_ == before.numbering_ &&
                      version_changes_.head() == before.version_changes_.head() &&
                      pod_log_.head() == before.pod_log_.head();
  if (is_unchanged) return;
  bool is_followed = epoch_ == before.epoch_ && FollowRestored(before);
  if (!is_followed) pod_log_ = before.pod_log_;
  epoch_ = before.epoch_;
  if (numbering_ != before.numbering_) {
    numbering_ = before.numbering_ + 1;
    // Usually a single list was made since.
    if (before.slots_before_ == slots_ && before.renumbering_ != nullptr) {
      slots_before_ = before.slots_;
      renumbering_ = std::make_shared<const Renumbering>(before.renumbering_->Inverse());
    }
  }
  num_renewed_ = before.num_renewed_;
  max_renewed_ = before.max_renewed_;
  if (!is_followed) BeginEpoch();
}

// Takes the logs of `before`, which has been restored to this table, and appends the rows that
// differ: those that have changed, and those whose node had left the list. A slot that another node
// has taken meanwhile is in the log, because new rows are. Returns false if the logs do not hold
// all changes.
STOWAGE_COLD bool NodeTable::FollowRestored(const NodeTable& before) {
  size_t num_slots = before.row_of_slot_ == nullptr ? 0 : before.row_of_slot_->size();
  std::optional<Bitset> changed = before.changes_.Since(changes_.head(), num_slots);
  std::optional<Bitset> changed_nodes = before.node_changes_.Since(node_changes_.head(), num_slots);
  std::optional<Bitset> changed_versions =
      before.version_changes_.Since(version_changes_.head(), num_slots);
  if (!changed || !changed_nodes || !changed_versions) return false;
  changes_ = before.changes_;
  node_changes_ = before.node_changes_;
  version_changes_ = before.version_changes_;
  std::vector<uint32_t> returned;
  for (uint32_t slot : *slots_) {
    if (before.RowOfSlot(slot) == kNoRow) returned.push_back(slot);
  }
  for (uint32_t slot : returned) {
    LogChange(slot);
    node_changes_.Append(slot);
  }
  changed->ForEach([this](size_t slot) { changes_.Append(static_cast<uint32_t>(slot)); });
  changed_nodes->ForEach(
      [this](size_t slot) { node_changes_.Append(static_cast<uint32_t>(slot)); });
  changed_versions->ForEach(
      [this](size_t slot) { version_changes_.Append(static_cast<uint32_t>(slot)); });
  UndoPods(before.pod_log_, returned);
  return true;
}

// Takes a log that goes on from this table's, and appends what undoes the rest. `returned`: slots
// whose nodes are listed again.
STOWAGE_COLD void NodeTable::UndoPods(const PodLog& log, std::span<const uint32_t> returned) {
  std::vector<PodLog::Entry> undone;
  bool are_known = log.ForEachSince(pod_log_.head(), [&undone](const PodLog::Entry& entry) {
    undone.push_back(entry);
    undone.back().change.is_added = !entry.change.is_added;
  });
  pod_log_ = log;
  if (!are_known) return pod_log_.Break();
  for (auto entry = undone.rbegin(); entry != undone.rend(); ++entry) {
    if (entry->change.pod == nullptr) {
      pod_log_.AppendRenewal(entry->slot);
    } else {
      pod_log_.Append(entry->slot, entry->change);
    }
  }
  for (uint32_t slot : returned) pod_log_.AppendRenewal(slot);
}

void NodeTable::Update(size_t row, const NodeInfo& info, const PodJournal* journal) {
  CHECK(row < size());
  const uint32_t slot = (*slots_)[row];
  const Seen& seen = seen_[slot];
  bool is_same_node = seen.node == info.node_ref() ||
                      (infos_[row] == &info && SchedulingFieldsEqual(*seen.node, *info.node()));
  bool is_same_but_pods =
      is_same_node && infos_[row] == &info && seen.image_states == info.image_states();
  bool is_unchanged = is_same_but_pods && seen.pod_generation == info.pod_generation();
  bool has_other_versions = seen.pod_list_generation != info.pod_list_generation();
  if (is_unchanged && has_other_versions) version_changes_.Append(slot);
  if (is_unchanged && seen.node == info.node_ref()) {
    if (has_other_versions) seen_.Mutable(slot).pod_list_generation = info.pod_list_generation();
    return;
  }
  if (!is_same_but_pods) ++num_other_changes_;
  if (!is_same_node) {
    node_changes_.Append(slot);
    pod_log_.AppendRenewal(slot);
  } else if (seen.pod_generation != info.pod_generation() || infos_[row] != &info) {
    LogPods(slot, journal);
  }
  infos_[row] = &info;
  if (seen.node != info.node_ref()) ReadNode(row, info);
  ReadColumns(row, info);
  if (!is_unchanged) LogChange(slot);
}

void NodeTable::LogPods(uint32_t slot, const PodJournal* journal) {
  if (journal == nullptr || !journal->IsSince(seen_[slot].pod_generation)) {
    return pod_log_.AppendRenewal(slot);
  }
  for (const PodChange& change : journal->changes()) pod_log_.Append(slot, change);
}

Room NodeTable::RoomOn(const NodeInfo& info) {
  const Resource& has = info.allocatable();
  const Resource& used = info.requested();
  const auto pods = static_cast<int64_t>(info.pods().size());
  return {FloatBelow(has.milli_cpu - used.milli_cpu), FloatBelow(has.memory - used.memory),
          FloatBelow(has.ephemeral_storage - used.ephemeral_storage),
          FloatBelow(has.allowed_pod_number - pods)};
}

STOWAGE_SIMD void NodeTable::FindLeastRoom(size_t word) const {
  const auto rows = room().subspan(word * kChunkRows);
  auto least = LoadLanes<FourFloats>(&rows[0]);
  for (const Room& room : rows.first(std::min(rows.size(), kChunkRows))) {
    least = Smaller(LoadLanes<FourFloats>(&room), least);
  }
  least_room_[word] = {least[0], least[1], least[2], least[3]};
}

STOWAGE_COLD void NodeTable::FindOccupied() const {
  occupied_.assign((size() + kChunkRows - 1) / kChunkRows, 0);
  for (size_t row = 0; row < size(); ++row) {
    occupied_[row / kChunkRows] |= uint64_t{pod_count()[row] != 0} << (row % kChunkRows);
  }
}

void NodeTable::ReadColumns(size_t row, const NodeInfo& info) {
  seen_.Mutable((*slots_)[row]) = {info.pod_generation(), info.pod_list_generation(),
                                   info.node_ref(), info.image_states(), changes_.head()};
  requested_milli_cpu_.Set(row, info.requested().milli_cpu);
  requested_memory_.Set(row, info.requested().memory);
  requested_ephemeral_.Set(row, info.requested().ephemeral_storage);
  non_zero_milli_cpu_.Set(row, info.non_zero_milli_cpu());
  non_zero_memory_.Set(row, info.non_zero_memory());
  pod_count_.Set(row, static_cast<int64_t>(info.pods().size()));
  if (!occupied_.empty()) {
    const uint64_t bit = uint64_t{1} << (row % kChunkRows);
    uint64_t& word = occupied_[row / kChunkRows];
    word = info.pods().empty() ? word & ~bit : word | bit;
  }
  room_.Set(row, RoomOn(info));
  least_room_[row / kChunkRows].pods = kUnknownPods;
  has_images_.Set(row, info.image_states().empty() ? 0 : 1);
  for (ScalarColumns& columns : scalars_) {
    columns.requested.Set(row, info.requested().Scalar(columns.resource));
  }
}

STOWAGE_COLD void NodeTable::ReadNode(size_t row, const NodeInfo& info) {
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
