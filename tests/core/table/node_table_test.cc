// Goal: the columns equal the NodeInfos, and the log names exactly the rows in which a plugin could
// see a change. Method: random changes by seed, each known to matter or not.
#include "core/table/node_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/config/features.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr uint64_t kSeeds = 50;
constexpr size_t kSteps = 400;
// More scalar resources than the table has columns for.
constexpr size_t kScalars = 20;

Symbol ScalarName(size_t number) { return Symbol("example.com/r" + std::to_string(number)); }

// Nodes with their table, changed in the way of the cache: every change of the pods gets a new
// generation.
class TableUnderChange {
 public:
  explicit TableUnderChange(uint64_t seed) : rng_(seed) {
    size_t rows = 1 + rng_.Below(100);
    for (size_t row = 0; row < rows; ++row) AddNode();
    Rebuild();
  }

  void Rebuild() {
    std::vector<NodeInfo*> list;
    for (const auto& info : infos_) list.push_back(info.get());
    std::vector<const NodeInfo*> before(table_.infos().begin(), table_.infos().end());
    std::shared_ptr<const std::vector<uint32_t>> slots = table_.slots();
    std::vector<uint32_t> numbers(before.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::vector<uint32_t> next(before.size(), kNoRow);
    const Renumbering& moves = table_.Rebuild(list);
    moves.Apply(&numbers, kNoRow);
    EXPECT_EQ(numbers.size(), infos_.size());
    for (uint32_t row = 0; row < numbers.size(); ++row) {
      if (numbers[row] != kNoRow) next[numbers[row]] = row;
    }
    ExpectMoves(before, next);
    ExpectSameMoves(slots, numbers);
    if (table_.epoch() != epoch_) {
      want_changes_.clear();
      want_versions_.clear();
    }
    if (table_.epoch() == epoch_) {
      for (const auto& info : infos_) {
        if (std::ranges::find(before, info.get()) == before.end()) Want(info.get());
      }
    }
    epoch_ = table_.epoch();
  }

  // Adds and removes nodes and moves all others. Removed nodes stay in memory, so that no other
  // node gets their address.
  void Renew() {
    for (size_t count = rng_.Below(3); count > 0 && infos_.size() > 1; --count) {
      std::swap(infos_[rng_.Below(infos_.size())], infos_.back());
      gone_.push_back(std::move(infos_.back()));
      infos_.pop_back();
    }
    for (size_t count = rng_.Below(3); count > 0; --count) AddNode();
    for (auto& info : infos_) std::swap(info, infos_[rng_.Below(infos_.size())]);
    Rebuild();
  }

  // Changes some row and updates the table.
  void Step() {
    size_t row = rng_.Below(infos_.size());
    bool matters = Change(row);
    infos_[row]->set_row(static_cast<uint32_t>(row));
    table_.Update(row, *infos_[row]);
    table_.FollowNewScalars();
    if (matters) Want(infos_[row].get());
  }

  const NodeTable& table() const { return table_; }
  const NodeInfo& info(size_t row) const { return *infos_[row]; }
  // The nodes that changed in this epoch, by row; kNoRow for removed nodes.
  std::vector<uint32_t> want_changes() const { return RowsOf(want_changes_); }
  std::vector<uint32_t> want_versions() const { return RowsOf(want_versions_); }

 private:
  using NodeInfos = std::vector<const NodeInfo*>;

  std::vector<uint32_t> RowsOf(const NodeInfos& nodes) const {
    std::vector<uint32_t> rows;
    for (const NodeInfo* node : nodes) {
      auto place = std::ranges::find(infos_, node, &std::unique_ptr<NodeInfo>::get);
      rows.push_back(place == infos_.end() ? kNoRow
                                           : static_cast<uint32_t>(place - infos_.begin()));
    }
    return rows;
  }

  void Want(const NodeInfo* node) {
    want_changes_.push_back(node);
    want_versions_.push_back(node);
  }

  void AddNode() {
    size_t number = infos_.size() + gone_.size();
    infos_.push_back(std::make_unique<NodeInfo>(Symbol("n" + std::to_string(number))));
    infos_.back()->SetNode(NewNode(number));
  }

  void ExpectMoves(const std::vector<const NodeInfo*>& before, const std::vector<uint32_t>& moves) {
    ASSERT_EQ(moves.size(), before.size());
    for (size_t row = 0; row < before.size(); ++row) {
      auto place = std::ranges::find(infos_, before[row], &std::unique_ptr<NodeInfo>::get);
      bool is_gone = place == infos_.end();
      EXPECT_EQ(moves[row], is_gone ? kNoRow : static_cast<uint32_t>(place - infos_.begin()));
    }
  }

  // Expects `numbers`, the earlier rows of the rows, of readers of the last numbering and of one
  // before it. `slots`: those of the last numbering.
  void ExpectSameMoves(std::shared_ptr<const std::vector<uint32_t>> slots,
                       std::vector<uint32_t> numbers) {
    if (earlier_slots_ == nullptr || table_.epoch() != epoch_) {
      earlier_slots_ = table_.slots();
      earlier_rows_ = {};
      return;
    }
    EXPECT_EQ(MovedSince(slots), numbers);
    if (slots != earlier_slots_) {
      for (uint32_t& row : numbers) {
        if (row != kNoRow) row = earlier_rows_[row];
      }
      std::vector<uint32_t> moved = MovedSince(earlier_slots_);
      ASSERT_EQ(moved.size(), numbers.size());
      for (size_t row = 0; row < numbers.size(); ++row) {
        // A new node may have the slot of a removed one: then its row is in the log.
        if (numbers[row] == kNoRow) moved[row] = kNoRow;
      }
      EXPECT_EQ(moved, numbers);
    }
    bool is_kept = rng_.Below(3) > 0;
    if (!is_kept) earlier_slots_ = table_.slots();
    earlier_rows_ = is_kept ? numbers : std::vector<uint32_t>();
  }

  std::vector<uint32_t> MovedSince(const std::shared_ptr<const std::vector<uint32_t>>& slots) {
    std::vector<uint32_t> numbers(slots->size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    table_.RenumberingSince(slots)->Apply(&numbers, kNoRow);
    return numbers;
  }

  static NodeRef NewNode(size_t row) {
    return MakeNode()
        .Name("n" + std::to_string(row))
        .Allocatable({{"cpu", "4"}, {"memory", "8Gi"}, {"ephemeral-storage", "9Gi"}})
        .Ref();
  }

  // Returns whether a plugin could see the change.
  bool Change(size_t row) {
    switch (rng_.Below(10)) {
      case 9:
        return ReplaceSomePod(row);
      case 0:
        return false;  // updated without a change
      case 1:
        return SetNode(
            row, [](Node&) {}, false);
      case 2:
        return SetNode(
            row, [](Node& node) { node.status.conditions.emplace_back(); }, false);
      case 3:
        return SetNode(
            row, [](Node& node) { node.metadata.annotations.Set(Symbol("seen"), Symbol("again")); },
            false);
      case 4:
        return SetNode(
            row, [this](Node& node) { ChangeNode(&node); }, true);
      case 5:
        return ChangeImages(row);
      case 6:
        return RemoveSomePod(row);
      case 7:
        return Replace(row);
      default:
        return AddPod(row);
    }
  }

  template <typename Edit>
  bool SetNode(size_t row, const Edit& edit, bool matters) {
    Node node = *infos_[row]->node();
    edit(node);
    infos_[row]->SetNode(std::make_shared<const Node>(std::move(node)));
    return matters;
  }

  void ChangeNode(Node* node) {
    Symbol fresh("fresh-" + std::to_string(++count_));
    switch (rng_.Below(6)) {
      case 0:
        node->spec.unschedulable = !node->spec.unschedulable;
        break;
      case 1:
        node->metadata.labels.Set(Symbol("label"), fresh);
        break;
      case 2:
        node->spec.taints.push_back({fresh, Symbol(), Symbol("NoSchedule")});
        break;
      case 5:
        node->status.allocatable[ScalarName(rng_.Below(kScalars))] =
            Quantity(static_cast<int64_t>(count_));
        break;
      case 3:
        node->status.allocatable[Symbol("cpu")] = Quantity(static_cast<int64_t>(count_) + 5);
        break;
      default:
        node->status.declared_features.push_back(fresh);
    }
  }

  bool ChangeImages(size_t row) {
    ImageStates states = infos_[row]->image_states();
    bool matters = rng_.Below(2) == 0;
    if (matters) states = {{Symbol("image"), {1, static_cast<int64_t>(++count_)}}};
    infos_[row]->SetImageStates(std::move(states));
    return matters;
  }

  bool AddPod(size_t row) {
    MakePod pod;
    pod.Name("p" + std::to_string(++count_)).Req({{"cpu", "1"}, {"ephemeral-storage", "1"}});
    pod.Req({{ScalarName(rng_.Below(kScalars)).str(), "3"}});
    infos_[row]->AddPod(MakePodInfo(pod.Ref(), Features()));
    infos_[row]->set_pod_generation(++generation_);
    return true;
  }

  bool RemoveSomePod(size_t row) {
    if (infos_[row]->pods().empty()) return false;
    EXPECT_TRUE(infos_[row]->RemovePod(infos_[row]->pods().front()->uid()));
    infos_[row]->set_pod_generation(++generation_);
    return true;
  }

  // By a version that counts alike, which plugins do not see.
  bool ReplaceSomePod(size_t row) {
    if (infos_[row]->pods().empty()) return false;
    infos_[row]->set_pod_list_generation(++generation_);
    want_versions_.push_back(infos_[row].get());
    return false;
  }

  // The node is removed and added again: a new NodeInfo, even if its contents are equal.
  bool Replace(size_t row) {
    auto replacement = std::make_unique<NodeInfo>(infos_[row]->name());
    replacement->SetNode(infos_[row]->node_ref());
    const NodeInfo* before = infos_[row].get();
    for (NodeInfos* nodes : {&want_changes_, &want_versions_}) {
      std::ranges::replace(*nodes, before, const_cast<const NodeInfo*>(replacement.get()));
    }
    retired_.push_back(std::exchange(infos_[row], std::move(replacement)));
    return true;
  }

  Rng rng_;
  size_t count_ = 0;
  uint64_t generation_ = 0;
  std::vector<std::unique_ptr<NodeInfo>> infos_;
  std::vector<std::unique_ptr<NodeInfo>> retired_;
  NodeTable table_;
  // In this epoch.
  NodeInfos want_changes_;
  NodeInfos want_versions_;
  std::vector<std::unique_ptr<NodeInfo>> gone_;
  uint64_t epoch_ = 0;
  // Of some numbering of the epoch, and its rows by present row.
  std::shared_ptr<const std::vector<uint32_t>> earlier_slots_;
  std::vector<uint32_t> earlier_rows_;
};

// What the table knows of all rows, or of those of a word, equals a recount.
void ExpectKnownOfAll(const NodeTable& table, const std::string& where) {
  auto are_zero = [](std::span<const uint8_t> column) {
    return std::ranges::count(column, uint8_t{0}) == std::ssize(column);
  };
  EXPECT_EQ(table.are_all_schedulable(), are_zero(table.unschedulable())) << where;
  EXPECT_EQ(table.have_no_taints(), are_zero(table.has_taints())) << where;
  EXPECT_EQ(table.have_no_images(), are_zero(table.has_images())) << where;
  for (size_t word = 0; word * NodeTable::kChunkRows < table.size(); ++word) {
    const auto rows = table.room().subspan(word * NodeTable::kChunkRows);
    Room least = rows[0];
    for (const Room& room : rows.first(std::min(rows.size(), NodeTable::kChunkRows))) {
      least = {std::min(least.milli_cpu, room.milli_cpu), std::min(least.memory, room.memory),
               std::min(least.ephemeral_storage, room.ephemeral_storage),
               std::min(least.pods, room.pods)};
    }
    EXPECT_EQ(table.least_room(word), least) << where << ", word " << word;
  }
}

void ExpectColumns(const TableUnderChange& cluster, const std::string& where) {
  const NodeTable& table = cluster.table();
  ExpectKnownOfAll(table, where);
  for (size_t row = 0; row < table.size(); ++row) {
    const NodeInfo& info = cluster.info(row);
    std::string at = where + ", row " + std::to_string(row);
    EXPECT_EQ(&table.info(row), &info) << at;
    EXPECT_EQ(table.allocatable_milli_cpu()[row], info.allocatable().milli_cpu) << at;
    EXPECT_EQ(table.allocatable_memory()[row], info.allocatable().memory) << at;
    EXPECT_EQ(table.allocatable_ephemeral_storage()[row], info.allocatable().ephemeral_storage)
        << at;
    EXPECT_EQ(table.allocatable_pods()[row], info.allocatable().allowed_pod_number) << at;
    EXPECT_EQ(table.requested_milli_cpu()[row], info.requested().milli_cpu) << at;
    EXPECT_EQ(table.requested_memory()[row], info.requested().memory) << at;
    EXPECT_EQ(table.requested_ephemeral_storage()[row], info.requested().ephemeral_storage) << at;
    EXPECT_EQ(table.non_zero_milli_cpu()[row], info.non_zero_milli_cpu()) << at;
    EXPECT_EQ(table.non_zero_memory()[row], info.non_zero_memory()) << at;
    EXPECT_EQ(table.pod_count()[row], static_cast<int64_t>(info.pods().size())) << at;
    const int64_t free_cpu = info.allocatable().milli_cpu - info.requested().milli_cpu;
    const int64_t free_memory = info.allocatable().memory - info.requested().memory;
    const auto free_pods =
        info.allocatable().allowed_pod_number - static_cast<int64_t>(info.pods().size());
    const int64_t free_storage =
        info.allocatable().ephemeral_storage - info.requested().ephemeral_storage;
    EXPECT_EQ(table.room()[row], (Room{FloatBelow(free_cpu), FloatBelow(free_memory),
                                       FloatBelow(free_storage), FloatBelow(free_pods)}))
        << at;
    EXPECT_EQ(table.unschedulable()[row] != 0, info.node()->spec.unschedulable) << at;
    EXPECT_EQ(table.has_taints()[row] != 0, !info.node()->spec.taints.empty()) << at;
    EXPECT_EQ(table.has_images()[row] != 0, !info.image_states().empty()) << at;
    for (size_t number = 0; number < kScalars; ++number) {
      Symbol resource = ScalarName(number);
      const ScalarColumns* columns = table.scalar(resource);
      if (columns == nullptr) continue;
      EXPECT_EQ(columns->allocatable[row], info.allocatable().Scalar(resource)) << at;
      EXPECT_EQ(columns->requested[row], info.requested().Scalar(resource)) << at;
    }
  }
}

// The log still holds its last `capacity` entries.
void ExpectLog(const TableUnderChange& cluster, const ChangeLog& log,
               const std::vector<uint32_t>& want, const std::string& where) {
  ASSERT_EQ(log.head(), want.size()) << where;
  size_t oldest = want.size() > log.capacity() ? want.size() - log.capacity() : 0;
  for (size_t position = oldest; position < want.size(); ++position) {
    uint32_t row = cluster.table().RowOfSlot(log.At(position));
    if (row == want[position]) continue;
    EXPECT_EQ(want[position], kNoRow) << where << ", position " << position;
    bool is_logged_later = std::find(want.begin() + position, want.end(), row) != want.end();
    EXPECT_TRUE(is_logged_later) << where << ": another node has the slot since " << position;
  }
}

void ExpectChanges(const TableUnderChange& cluster, const std::string& where) {
  ExpectLog(cluster, cluster.table().changes(), cluster.want_changes(), where);
  ExpectLog(cluster, cluster.table().version_changes(), cluster.want_versions(), where);
}

void ExpectSeats(const NodeTable& table) {
  ASSERT_EQ(table.slots()->size(), table.size());
  for (uint32_t row = 0; row < table.size(); ++row) {
    EXPECT_EQ(table.RowOfSlot((*table.slots())[row]), row);
  }
}

TEST(NodeTable, FollowsRandomChanges) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    TableUnderChange cluster(seed);
    std::string where = "seed " + std::to_string(seed);
    EXPECT_EQ(cluster.table().epoch(), 1u);
    for (size_t step = 0; step < kSteps; ++step) {
      cluster.Step();
      ExpectKnownOfAll(cluster.table(), where);
    }
    EXPECT_EQ(cluster.table().epoch(), 1u) << "updates keep the rows";
    ExpectColumns(cluster, where);
    ExpectChanges(cluster, where);
  }
}

// Goal: columns, log and slots follow nodes that are added, removed and moved. Method: changes
// between rebuilds, in clusters where some rebuilds start an epoch.
TEST(NodeTable, FollowsMovedNodes) {
  size_t num_epochs = 0;
  size_t num_rebuilds = 0;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    TableUnderChange cluster(seed);
    std::string where = "seed " + std::to_string(seed);
    for (size_t rebuild = 0; rebuild < 20; ++rebuild) {
      for (size_t step = 0; step < 5; ++step) cluster.Step();
      cluster.Renew();
      ExpectColumns(cluster, where);
      ExpectChanges(cluster, where);
      ExpectSeats(cluster.table());
    }
    num_epochs += cluster.table().epoch();
    num_rebuilds += cluster.table().numbering();
  }
  EXPECT_GT(num_epochs, kSeeds + kSeeds / 2);
  EXPECT_LT(num_epochs, num_rebuilds / 2);
}

TEST(NodeTable, RebuildsFromAnotherList) {
  NodeInfo a{Symbol("a")};
  NodeInfo b{Symbol("b")};
  a.SetNode(MakeNode().Name("a").Allocatable({{"cpu", "1"}}).Ref());
  b.SetNode(MakeNode().Name("b").Allocatable({{"cpu", "2"}}).Unschedulable(true).Ref());
  NodeTable table;
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.epoch(), 0u);
  std::vector<NodeInfo*> list = {&b, &a};
  table.Rebuild(list);
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table.allocatable_milli_cpu()[0], 2000);
  EXPECT_EQ(table.unschedulable()[0], 1);
  list = {&a};
  table.Rebuild(list);
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table.allocatable_milli_cpu()[0], 1000);
  EXPECT_EQ(table.unschedulable()[0], 0);
  EXPECT_TRUE(table.are_all_schedulable());
  EXPECT_EQ(table.epoch(), 1u);
  EXPECT_EQ(table.numbering(), 2u);
  list = {&b};
  table.Rebuild(list);
  EXPECT_EQ(table.allocatable_milli_cpu()[0], 2000);
  EXPECT_FALSE(table.are_all_schedulable());
  EXPECT_EQ(table.epoch(), 2u) << "more nodes came and went than there had been";
}

TEST(NodeTable, LimitsScalarColumns) {
  NodeInfo few{Symbol("few")};
  NodeInfo many{Symbol("many")};
  few.SetNode(MakeNode().Name("few").Allocatable({{"example.com/r0", "2"}}).Ref());
  Node node = MakeNode().Name("many");
  for (size_t number = 0; number < kScalars; ++number) {
    node.status.allocatable[ScalarName(number)] = Quantity(7);
  }
  many.SetNode(std::make_shared<const Node>(node));
  NodeTable table;
  std::vector<NodeInfo*> list = {&few, &many};
  table.Rebuild(list);
  ASSERT_NE(table.scalar(ScalarName(0)), nullptr);
  std::span<const int64_t> amounts = table.scalar(ScalarName(0))->allocatable.values();
  EXPECT_EQ(std::vector<int64_t>(amounts.begin(), amounts.end()), (std::vector<int64_t>{2, 7}));
  EXPECT_EQ(table.scalar(Symbol("example.com/other")), nullptr);
  size_t num_followed = 0;
  for (size_t number = 0; number < kScalars; ++number) {
    if (table.scalar(ScalarName(number)) != nullptr) ++num_followed;
  }
  EXPECT_EQ(num_followed, 16u);
}

TEST(ChangeLog, HoldsAtLeastTwiceTheRows) {
  for (size_t rows : {0u, 1u, 31u, 32u, 33u, 5000u}) {
    ChangeLog log;
    log.Reset(rows);
    EXPECT_GE(log.capacity(), 2 * rows) << rows;
    EXPECT_GE(log.capacity(), 64u) << rows;
    for (uint32_t change = 0; change < log.capacity() + 3; ++change) log.Append(change);
    EXPECT_EQ(log.head(), log.capacity() + 3);
    EXPECT_EQ(log.At(3), 3u) << "the oldest that is kept";
    EXPECT_EQ(log.At(log.head() - 1), log.capacity() + 2);
  }
}

}  // namespace
}  // namespace stowage
