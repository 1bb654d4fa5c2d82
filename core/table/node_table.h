// NodeTable holds the snapshot's nodes as columns, one row per node in visit order, and ChangeLog
// says which rows changed since a reader last looked.
//
// Columns repeat NodeInfo for code that walks many rows; NodeInfo is authoritative, and a test
// proves the two equal. When the node list changes, rows are renumbered: `numbering` rises, and
// readers that keep values by row find the new rows by the nodes' slots. Once too many nodes have
// been added and removed, `epoch` rises and all values kept by row are void.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bitset.h"
#include "core/base/check.h"
#include "core/base/shared_array.h"
#include "core/table/node_info.h"
#include "core/table/pod_log.h"
#include "core/table/renumbering.h"
#include "core/table/shared_column.h"

namespace stowage {

// A ring of the slots of changed rows with an absolute head. A reader keeps a cursor; a reader more
// than `capacity` behind must read all rows again.
class ChangeLog {
 public:
  // The ring has at least twice as many places as rows: a reader that is further behind reads all
  // rows again, which is cheaper than replaying so many changes.
  void Reset(size_t rows) {
    ring_ = SharedArray<uint32_t>(std::bit_ceil(rows < 32 ? 64 : rows * 2));
    head_ = 0;
  }
  void Append(uint32_t slot) { ring_.Mutable(PlaceOf(head_++)) = slot; }

  uint64_t head() const { return head_; }
  size_t capacity() const { return ring_.size(); }
  uint32_t At(uint64_t position) const { return ring_[PlaceOf(position)]; }
  // Visits the slots at the positions from `first` on, up to `end`.
  template <typename Visit>
  void ForEach(uint64_t first, uint64_t end, Visit visit) const {
    while (first < end) {
      std::span<const uint32_t> run = ring_.RunFrom(PlaceOf(first));
      run = run.first(static_cast<size_t>(std::min<uint64_t>(run.size(), end - first)));
      for (uint32_t slot : run) visit(slot);
      first += run.size();
    }
  }
  // The slots that changed since the head was `cursor`, of `slots` slots; nullopt if the ring does
  // not hold them all.
  std::optional<Bitset> Since(uint64_t cursor, size_t slots) const;

 private:
  size_t PlaceOf(uint64_t position) const {
    return static_cast<size_t>(position) & (ring_.size() - 1);
  }

  SharedArray<uint32_t> ring_;  // its size is a power of two, or 0
  uint64_t head_ = 0;
};

struct NodeChunk;

// The nodes' names by row, in one numbering.
class NodeNames {
 public:
  NodeNames(std::shared_ptr<const std::vector<uint32_t>> slots, SharedArray<Symbol> by_slot)
      : slots_(std::move(slots)), by_slot_(std::move(by_slot)) {}

  const Symbol& operator[](size_t row) const { return by_slot_[(*slots_)[row]]; }

 private:
  std::shared_ptr<const std::vector<uint32_t>> slots_;
  SharedArray<Symbol> by_slot_;
};

// The allocatable and requested amounts of one scalar resource, by row.
struct ScalarColumns {
  Symbol resource;
  SharedColumn<int64_t> allocatable;
  SharedColumn<int64_t> requested;
};

// An amount as a float that is not above it, and one that is not below it.
inline float FloatBelow(int64_t amount) {
  auto close = static_cast<float>(amount);
  return close - (close < 0 ? -close : close) * 0x1p-22F;
}
inline float FloatAbove(int64_t amount) { return -FloatBelow(-amount); }

// What a node's pods leave of what the node has: at least this much.
struct Room {
  float milli_cpu = 0;
  float memory = 0;
  float ephemeral_storage = 0;
  float pods = 0;

  friend bool operator==(const Room&, const Room&) = default;
};

class NodeTable {
 public:
  static constexpr size_t kChunkRows = 64;

  NodeTable();
  ~NodeTable();

  // Whether the row is that of this node. The name decides too: a new NodeInfo may have the address
  // of a removed one.
  bool IsRowOf(size_t row, const NodeInfo& info) const {
    return row < size() && infos_[row] == &info && (*names_)[row] == info.name();
  }
  // Whether these are the nodes of its rows, in this order.
  bool Lists(std::span<const NodeInfo* const> nodes) const;
  // Takes a new list of nodes in visit order, and sets their rows. Call Update first for nodes that
  // were listed before. Logs new rows as changed. Returns what has moved.
  const Renumbering& Rebuild(std::span<const NodeInfo* const> nodes);
  // The same for a list of which the caller knows what moves. `added`: the nodes of new rows.
  const Renumbering& Renumber(Renumbering moves, std::span<const NodeInfo* const> added);
  // Reads a row's NodeInfo again, and logs the row if anything that a plugin reads has changed.
  // `journal` lists the changes of the pods, if they are known.
  void Update(size_t row, const NodeInfo& info, const PodJournal* journal = nullptr);
  // Changes the address of each row's NodeInfo, whose content is the same. Null: the node is gone,
  // and the next Rebuild drops it.
  void Relocate(std::vector<const NodeInfo*> infos) { infos_ = std::move(infos); }
  // Logs a row as changed.
  void NoteChange(uint32_t row) {
    LogChange((*slots_)[row]);
    ++num_other_changes_;
  }
  // Goes back to the state of `saved`, an earlier copy of this table whose NodeInfos are in that
  // state again. Logs the rows that have changed since, so that readers need not start again.
  void Restore(NodeTable saved);
  // Adds columns for scalar resources that were new in the last Updates. It reads every row, so
  // call it after the Rebuild that drops the rows of removed nodes.
  void FollowNewScalars();

  size_t size() const { return infos_.size(); }
  uint64_t epoch() const { return epoch_; }
  // Rises with every Rebuild.
  uint64_t numbering() const { return numbering_; }
  // By row, a small number that a node keeps while it is listed. Each numbering has a list of its
  // own.
  std::shared_ptr<const std::vector<uint32_t>> slots() const { return slots_; }
  // What has moved since slots() was `before`, in this epoch.
  std::shared_ptr<const Renumbering> RenumberingSince(
      const std::shared_ptr<const std::vector<uint32_t>>& before) const;
  // The row of the node that has this slot now. If it is another node than in an earlier numbering
  // of this epoch, the result is kNoRow or a changed row.
  uint32_t RowOfSlot(uint32_t slot) const {
    return row_of_slot_ != nullptr && slot < row_of_slot_->size() ? (*row_of_slot_)[slot] : kNoRow;
  }
  // The number of the evaluation that the table serves now, or 0. After the evaluation the table is
  // restored without an entry in the change logs, so readers must not keep what they read
  // meanwhile, or must read it again (RowReplay::Reader).
  uint64_t evaluation() const { return evaluation_; }
  void BeginEvaluation(uint64_t evaluation) {
    evaluation_ = evaluation;
    evaluation_start_ = {epoch_, numbering_, changes_.head()};
  }
  // How far epochs, numberings and changes() had come when the evaluation began.
  struct Stand {
    uint64_t epoch = 0;
    uint64_t numbering = 0;
    uint64_t num_changes = 0;
  };
  const Stand& evaluation_start() const { return evaluation_start_; }
  const ChangeLog& changes() const { return changes_; }
  // The subset of changes() in which the Node object changed, not only its pods.
  const ChangeLog& node_changes() const { return node_changes_; }
  // changes(), and the rows where a pod was replaced by a version that counts alike.
  const ChangeLog& version_changes() const { return version_changes_; }
  // Rises with every change of a row that is not only one of its pods. While it and the numbering
  // stay, rows without pods are alike whenever they are read.
  uint64_t num_other_changes() const { return num_other_changes_; }
  // The changes of the nodes' pods.
  const PodLog& pod_log() const { return pod_log_; }
  // Visits the changes since the head of the PodLog was `cursor`: calls change(row, PodLog::Entry),
  // and then renew(row) for each row whose pods must all be read, whatever was visited of them
  // before. Returns false, and visits nothing, if the log does not hold all changes.
  template <typename Change, typename Renew>
  bool ReplayPods(uint64_t cursor, const Change& change, const Renew& renew) const {
    bool has_renewals = false;
    bool are_known = pod_log_.ForEachSince(cursor, [&](const PodLog::Entry& entry) {
      has_renewals = has_renewals || entry.change.pod == nullptr;
      uint32_t row = RowOfSlot(entry.slot);
      if (row != kNoRow && entry.change.pod != nullptr) change(row, entry);
    });
    if (!are_known || !has_renewals) return are_known;
    pod_log_.ForEachSince(cursor, [&](const PodLog::Entry& entry) {
      uint32_t row = RowOfSlot(entry.slot);
      if (row != kNoRow && entry.change.pod == nullptr) renew(row);
    });
    return true;
  }
  const NodeInfo& info(size_t row) const { return *infos_[row]; }
  std::span<const NodeInfo* const> infos() const { return infos_; }
  // Each numbering has a list of its own.
  std::shared_ptr<const NodeNames> names() const { return names_; }
  // Up to kChunkRows rows, from row index × kChunkRows on.
  NodeChunk Chunk(size_t index) const;
  // All rows; there must be some.
  NodeChunk All() const;
  // Any rows, at most kChunkRows. The chunk refers to `rows`, which must outlive it.
  NodeChunk Chunk(std::span<const uint32_t> rows) const;

  // Columns; amounts in milli units (cpu) and bytes.
  std::span<const int64_t> allocatable_milli_cpu() const { return allocatable_milli_cpu_.values(); }
  std::span<const int64_t> allocatable_memory() const { return allocatable_memory_.values(); }
  std::span<const int64_t> allocatable_ephemeral_storage() const {
    return allocatable_ephemeral_.values();
  }
  std::span<const int64_t> allocatable_pods() const { return allocatable_pods_.values(); }
  std::span<const int64_t> requested_milli_cpu() const { return requested_milli_cpu_.values(); }
  std::span<const int64_t> requested_memory() const { return requested_memory_.values(); }
  std::span<const int64_t> requested_ephemeral_storage() const {
    return requested_ephemeral_.values();
  }
  std::span<const int64_t> non_zero_milli_cpu() const { return non_zero_milli_cpu_.values(); }
  std::span<const int64_t> non_zero_memory() const { return non_zero_memory_.values(); }
  std::span<const int64_t> pod_count() const { return pod_count_.values(); }
  std::span<const Room> room() const { return room_.values(); }
  // The rows with pods, as bits, 64 rows a word.
  const std::vector<uint64_t>& occupied() const {
    if (occupied_.empty()) FindOccupied();
    return occupied_;
  }
  // The head of changes() before the last change of the row's pods, or a later one.
  uint64_t last_change(size_t row) const { return seen_[(*slots_)[row]].last_change; }
  // The least that a row of the word has left of each resource, for 64 rows a word.
  const Room& least_room(size_t word) const {
    if (least_room_[word].pods == kUnknownPods) FindLeastRoom(word);
    return least_room_[word];
  }
  std::span<const uint8_t> unschedulable() const { return unschedulable_.values(); }
  std::span<const uint8_t> has_taints() const { return has_taints_.values(); }
  std::span<const uint8_t> has_images() const { return has_images_.values(); }
  // Whether these columns are 0 for all rows.
  bool are_all_schedulable() const { return unschedulable_.AreAll(0); }
  bool have_no_taints() const { return has_taints_.AreAll(0); }
  bool have_no_images() const { return has_images_.AreAll(0); }
  // The columns of a scalar resource. Null if no node has had it, or if the table already has
  // kScalarsMax resources: then read NodeInfo.
  const ScalarColumns* scalar(const Symbol& resource) const;

 private:
  static constexpr size_t kScalarsMax = 16;
  static constexpr float kUnknownPods = -std::numeric_limits<float>::infinity();

  // A node's state at its last Update, to see whether a change matters to plugins.
  struct Seen {
    uint64_t pod_generation = 0;
    uint64_t pod_list_generation = 0;
    NodeRef node;
    ImageStates image_states;
    uint64_t last_change = 0;  // the head of changes_
  };

  // An answer of RenumberingSince, kept because usually several readers were at one numbering.
  struct Since {
    std::shared_ptr<const std::vector<uint32_t>> before;
    std::shared_ptr<const std::vector<uint32_t>> now;
    std::shared_ptr<const Renumbering> moves;
  };

  template <typename Visit>
  void ForEachColumn(Visit visit);
  static Room RoomOn(const NodeInfo& info);
  void FindLeastRoom(size_t word) const;
  void FindOccupied() const;
  // What changes with pods, and what only another Node object changes.
  void ReadColumns(size_t row, const NodeInfo& info);
  void ReadNode(size_t row, const NodeInfo& info);
  void LogChange(uint32_t slot) {
    changes_.Append(slot);
    version_changes_.Append(slot);
  }
  void LogPods(uint32_t slot, const PodJournal* journal);
  std::vector<uint32_t> PreviousRows(std::span<const NodeInfo* const> nodes) const;
  void TakeSeats(const Renumbering& moves);
  void TakeRows(const Renumbering& moves, std::span<const NodeInfo* const> added);
  void LogNewRows(const Renumbering& moves);
  bool BeginEpochIfDue();
  void BeginEpoch();
  bool FollowRestored(const NodeTable& before);
  void UndoPods(const PodLog& log, std::span<const uint32_t> returned);

  std::vector<const NodeInfo*> infos_;
  std::shared_ptr<const NodeNames> names_;
  std::shared_ptr<const std::vector<uint32_t>> slots_;
  std::shared_ptr<const std::vector<uint32_t>> row_of_slot_;
  // What the last list changed, and the slots of the numbering before it.
  std::shared_ptr<const Renumbering> renumbering_;
  std::shared_ptr<const std::vector<uint32_t>> slots_before_;
  mutable Since last_since_;
  SharedArray<Symbol> names_by_slot_;
  SharedArray<Seen> seen_;  // by slot

  SharedColumn<int64_t> allocatable_milli_cpu_;
  SharedColumn<int64_t> allocatable_memory_;
  SharedColumn<int64_t> allocatable_ephemeral_;
  SharedColumn<int64_t> allocatable_pods_;
  SharedColumn<int64_t> requested_milli_cpu_;
  SharedColumn<int64_t> requested_memory_;
  SharedColumn<int64_t> requested_ephemeral_;
  SharedColumn<int64_t> non_zero_milli_cpu_;
  SharedColumn<int64_t> non_zero_memory_;
  SharedColumn<int64_t> pod_count_;
  SharedColumn<Room> room_;
  // By word; kUnknownPods stands for one that must be found again.
  mutable std::vector<Room> least_room_;
  mutable std::vector<uint64_t> occupied_;  // by word; empty: to be found again
  SharedColumn<uint8_t> unschedulable_;
  SharedColumn<uint8_t> has_taints_;
  SharedColumn<uint8_t> has_images_;
  std::vector<ScalarColumns> scalars_;
  std::vector<Symbol> new_scalars_;  // without columns yet

  // 0, 1, 2, …, at least one for each row: for Chunk(index).
  std::shared_ptr<const std::vector<uint32_t>> row_numbers_;
  ChangeLog changes_;
  ChangeLog node_changes_;
  ChangeLog version_changes_;
  PodLog pod_log_;
  uint64_t num_other_changes_ = 0;
  uint64_t epoch_ = 0;
  uint64_t numbering_ = 0;
  // Nodes added or removed since the epoch began, and the most that one epoch allows.
  size_t num_renewed_ = 0;
  size_t max_renewed_ = 0;
  uint64_t evaluation_ = 0;
  Stand evaluation_start_;
};

// Up to 64 rows, addressed by offset: the unit in which nodes are filtered and scored. Where more
// neighbours are allowed, the code says so.
struct NodeChunk {
  const NodeTable& table;
  std::span<const uint32_t> rows;
  bool is_consecutive = false;  // the rows are neighbours, in order

  size_t row(size_t offset) const { return rows[offset]; }
  const NodeInfo& node(size_t offset) const { return table.info(rows[offset]); }
  // The rows of one word of a chunk with more of them.
  NodeChunk Part(size_t word) const {
    const size_t first = word * NodeTable::kChunkRows;
    const size_t count = std::min(rows.size() - first, NodeTable::kChunkRows);
    return {table, rows.subspan(first, count), is_consecutive};
  }
  uint64_t all() const {
    return rows.size() == 64 ? ~uint64_t{0} : (uint64_t{1} << rows.size()) - 1;
  }
  // The candidates (bits by offset) whose value in a 0/1 column is 1.
  uint64_t Select(std::span<const uint8_t> column, uint64_t candidates) const {
    if (is_consecutive && rows.size() == NodeTable::kChunkRows) return BitsOf(column) & candidates;
    uint64_t selected = 0;
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      selected |= uint64_t{column[rows[offset]]} << offset;
    }
    return selected;
  }

 private:
  // The values of 64 consecutive rows.
  uint64_t BitsOf(std::span<const uint8_t> column) const {
    // The product's last byte has the lowest bits of all bytes.
    constexpr uint64_t kGathered = 0x0102040810204080;
    std::array<uint64_t, NodeTable::kChunkRows / sizeof(uint64_t)> values;
    std::memcpy(values.data(), column.data() + rows[0], sizeof(values));
    uint64_t bits = 0;
    for (size_t at = 0; at < values.size(); ++at) bits |= values[at] * kGathered >> 56 << (at * 8);
    return bits;
  }
};

inline NodeChunk NodeTable::Chunk(size_t index) const {
  CHECK(index * kChunkRows < size());
  return All().Part(index);
}

inline NodeChunk NodeTable::All() const {
  CHECK(size() > 0);
  return {*this, std::span(*row_numbers_).first(size()), true};
}

inline NodeChunk NodeTable::Chunk(std::span<const uint32_t> rows) const {
  CHECK(rows.size() <= kChunkRows);
  return {*this, rows};
}

}  // namespace stowage
