// NodeTable holds the snapshot's nodes as columns, one row per node in visit order, and ChangeLog
// says which rows changed since a reader last looked.
//
// Columns repeat NodeInfo for code that walks many rows; NodeInfo stays the truth and a test proves
// the two equal. When the node list changes, rows are renumbered: `numbering` rises, and by their
// seats whoever keeps something by row finds where it belongs now. Once too many nodes have come
// and gone, `epoch` rises and everything that was remembered by row is void.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/framework/node_info.h"
#include "core/framework/pod_log.h"

namespace stowage {

// No row, where there might be one.
inline constexpr uint32_t kNoRow = 0xffffffff;

// A ring of changed rows with an absolute head; kNoRow where the row has gone since. A reader keeps
// a cursor; a reader that fell behind by more than `capacity` must look at all rows again.
class ChangeLog {
 public:
  // At least twice the rows, so that refilling is cheaper than replaying whenever a gap is too old.
  void Reset(size_t rows) {
    ring_.assign(rows < 32 ? 64 : rows * 2, 0);
    head_ = 0;
  }
  void Append(uint32_t row) { ring_[head_++ % ring_.size()] = row; }
  // Gives rows their new numbers, by old ones; kNoRow where a row is no more.
  void Renumber(std::span<const uint32_t> rows);

  uint64_t head() const { return head_; }
  size_t capacity() const { return ring_.size(); }
  uint32_t At(uint64_t position) const { return ring_[position % ring_.size()]; }

 private:
  std::vector<uint32_t> ring_;
  uint64_t head_ = 0;
};

struct NodeChunk;

// What nodes have of a scalar resource, and have given away; by row.
struct ScalarColumns {
  Symbol resource;
  std::vector<int64_t> allocatable;
  std::vector<int64_t> requested;
};

class NodeTable {
 public:
  static constexpr size_t kChunkRows = 64;

  NodeTable();
  ~NodeTable();

  // Takes the nodes in visit order; those that were listed before have had their Update. New rows
  // are changed rows. Sets the nodes' rows, and gives them by old ones: kNoRow where a node is
  // listed no more.
  std::vector<uint32_t> Rebuild(std::span<NodeInfo* const> nodes);
  // Reads a row's NodeInfo again; appends to the log if anything that a plugin reads has changed.
  // `journal` may know what happened to the pods.
  void Update(size_t row, const NodeInfo& info, const PodJournal* journal = nullptr);
  // Makes columns of scalar resources that no row had before the last Updates. It reads every row,
  // so that it must follow the Rebuild that drops the rows of nodes that are gone.
  void FollowNewScalars();

  size_t size() const { return infos_.size(); }
  uint64_t epoch() const { return epoch_; }
  // Rises with every Rebuild.
  uint64_t numbering() const { return numbering_; }
  // A small number by row that a node keeps while it is listed; another list in every numbering.
  std::shared_ptr<const std::vector<uint32_t>> seats() const { return seats_; }
  // The row of the node that has this seat now: kNoRow, or a changed row, when it is not the node
  // that had it in an earlier numbering of this epoch.
  uint32_t RowOfSeat(uint32_t seat) const {
    return seat < row_of_seat_.size() ? row_of_seat_[seat] : kNoRow;
  }
  // 0, or the number of the question that the table serves now. It will go back to what it was
  // before, and no change log says so.
  uint64_t question() const { return question_; }
  void set_question(uint64_t question) { question_ = question; }
  const ChangeLog& changes() const { return changes_; }
  // The rows among them whose Node changed, and not just its pods.
  const ChangeLog& node_changes() const { return node_changes_; }
  // Knows all changes of a row, unless its node changed too.
  const PodLog& pod_log() const { return pod_log_; }
  const NodeInfo& info(size_t row) const { return *infos_[row]; }
  std::span<const NodeInfo* const> infos() const { return infos_; }
  // The nodes' names by row; another list in every numbering.
  std::shared_ptr<const std::vector<Symbol>> names() const { return names_; }
  // The rows from index × kChunkRows on.
  NodeChunk Chunk(size_t index) const;
  // Any rows, at most kChunkRows of them, which outlive the chunk.
  NodeChunk Chunk(std::span<const uint32_t> rows) const;

  // Columns; amounts in milli units (cpu) and bytes.
  std::span<const int64_t> allocatable_milli_cpu() const { return allocatable_milli_cpu_; }
  std::span<const int64_t> allocatable_memory() const { return allocatable_memory_; }
  std::span<const int64_t> allocatable_ephemeral_storage() const { return allocatable_ephemeral_; }
  std::span<const int64_t> allocatable_pods() const { return allocatable_pods_; }
  std::span<const int64_t> requested_milli_cpu() const { return requested_milli_cpu_; }
  std::span<const int64_t> requested_memory() const { return requested_memory_; }
  std::span<const int64_t> requested_ephemeral_storage() const { return requested_ephemeral_; }
  std::span<const int64_t> non_zero_milli_cpu() const { return non_zero_milli_cpu_; }
  std::span<const int64_t> non_zero_memory() const { return non_zero_memory_; }
  std::span<const int64_t> pod_count() const { return pod_count_; }
  std::span<const uint8_t> unschedulable() const { return unschedulable_; }
  std::span<const uint8_t> has_taints() const { return has_taints_; }
  // Of an extended or other scalar resource that a node has. Null where no node ever had it, or
  // where there are more of them than the table follows: NodeInfo knows.
  const ScalarColumns* scalar(const Symbol& resource) const;

 private:
  static constexpr size_t kScalarsMax = 16;

  void ReadColumns(size_t row, const NodeInfo& info);
  void ReadScalars(size_t row, const NodeInfo& info);
  void LogPods(size_t row, const PodJournal* journal);
  std::vector<uint32_t> PreviousRows(std::span<NodeInfo* const> nodes) const;
  void TakeList(std::span<NodeInfo* const> nodes, std::span<const uint32_t> previous);
  void TakeSeats(std::span<const uint32_t> previous);
  void RenumberLogs(std::span<const uint32_t> previous, std::span<const uint32_t> next);

  std::vector<const NodeInfo*> infos_;
  std::shared_ptr<const std::vector<Symbol>> names_;
  std::shared_ptr<const std::vector<uint32_t>> seats_;
  std::vector<uint32_t> row_of_seat_;
  // What the row's NodeInfo looked like at its last Update, to tell whether a change matters.
  std::vector<uint64_t> pod_generations_;
  std::vector<NodeRef> nodes_;
  std::vector<ImageStates> image_states_;

  std::vector<int64_t> allocatable_milli_cpu_;
  std::vector<int64_t> allocatable_memory_;
  std::vector<int64_t> allocatable_ephemeral_;
  std::vector<int64_t> allocatable_pods_;
  std::vector<int64_t> requested_milli_cpu_;
  std::vector<int64_t> requested_memory_;
  std::vector<int64_t> requested_ephemeral_;
  std::vector<int64_t> non_zero_milli_cpu_;
  std::vector<int64_t> non_zero_memory_;
  std::vector<int64_t> pod_count_;
  std::vector<uint8_t> unschedulable_;
  std::vector<uint8_t> has_taints_;
  std::vector<ScalarColumns> scalars_;
  std::vector<Symbol> new_scalars_;  // have no columns yet

  std::vector<uint32_t> row_numbers_;  // each its own place
  ChangeLog changes_;
  ChangeLog node_changes_;
  PodLog pod_log_;
  uint64_t epoch_ = 0;
  uint64_t numbering_ = 0;
  // Nodes that came or went since the epoch began, and how many may.
  size_t num_renewed_ = 0;
  size_t max_renewed_ = 0;
  uint64_t question_ = 0;
};

// Up to 64 rows, by offset: the unit in which nodes are filtered and scored.
struct NodeChunk {
  const NodeTable& table;
  std::span<const uint32_t> rows;

  size_t row(size_t offset) const { return rows[offset]; }
  const NodeInfo& node(size_t offset) const { return table.info(rows[offset]); }
  uint64_t all() const {
    return rows.size() == 64 ? ~uint64_t{0} : (uint64_t{1} << rows.size()) - 1;
  }
  // Those of the candidates of which a column of the table says 1.
  uint64_t Select(std::span<const uint8_t> column, uint64_t candidates) const {
    uint64_t selected = 0;
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      selected |= uint64_t{column[rows[offset]]} << offset;
    }
    return selected;
  }
};

inline NodeChunk NodeTable::Chunk(size_t index) const {
  size_t first_row = index * kChunkRows;
  std::span<const uint32_t> rows = row_numbers_;
  return {*this, rows.subspan(first_row, std::min(size() - first_row, kChunkRows))};
}

inline NodeChunk NodeTable::Chunk(std::span<const uint32_t> rows) const { return {*this, rows}; }

}  // namespace stowage
