#include "core/table/pod_log.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/config/features.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

PodInfoRef Info(std::string_view name) {
  return MakePodInfo(MakePod().Name(name).Ref(), Features());
}

using Slots = std::vector<uint32_t>;

std::optional<Slots> SlotsSince(const PodLog& log, uint64_t cursor) {
  Slots slots;
  bool is_known = log.ForEachSince(
      cursor, [&slots](const PodLog::Entry& entry) { slots.push_back(entry.slot); });
  return is_known ? std::optional(slots) : std::nullopt;
}

// Goal: a reader gets all changes since its last read, or learns that it cannot. Method: one log,
// with readers at each of its heads.
TEST(PodLog, ReturnsMissedChanges) {
  PodLog log;
  PodInfoRef pod = Info("a");
  EXPECT_EQ(SlotsSince(log, log.head()), Slots());
  log.Append(3, {pod, true});
  uint64_t after_first = log.head();
  log.Append(5, {pod, false});
  EXPECT_EQ(SlotsSince(log, 0), (Slots{3, 5}));
  EXPECT_EQ(SlotsSince(log, after_first), Slots{5});
  EXPECT_EQ(SlotsSince(log, log.head()), Slots());

  uint64_t before_break = log.head();
  log.Break();
  EXPECT_EQ(SlotsSince(log, before_break), std::nullopt);
  EXPECT_EQ(SlotsSince(log, log.head()), Slots());

  uint64_t oldest = log.head();
  for (uint32_t slot = 0; slot < PodLog::kCapacity; ++slot) log.Append(slot, {pod, true});
  EXPECT_EQ(SlotsSince(log, oldest)->size(), PodLog::kCapacity);
  log.Append(0, {pod, true});
  EXPECT_EQ(SlotsSince(log, oldest), std::nullopt);
  EXPECT_EQ(SlotsSince(log, oldest + 1)->size(), PodLog::kCapacity);
}

// Goal: the added pod of a journal's only change can be replaced. Method: by versions that were
// added, were not, or were removed.
TEST(PodJournal, ReplacesTheAddedPod) {
  PodInfoRef assumed = Info("a");
  PodInfoRef bound = Info("a");
  PodJournal journal;
  journal.ReplaceAdded(*assumed, bound);
  EXPECT_TRUE(journal.changes().empty());
  journal.Append(assumed, true);
  journal.ReplaceAdded(*bound, assumed);
  EXPECT_EQ(journal.changes()[0].pod, assumed);
  journal.ReplaceAdded(*assumed, bound);
  ASSERT_EQ(journal.changes().size(), 1u);
  EXPECT_EQ(journal.changes()[0].pod, bound);
  EXPECT_TRUE(journal.changes()[0].is_added);
  journal.Restart(1);
  journal.Append(bound, false);
  journal.ReplaceAdded(*bound, assumed);
  EXPECT_EQ(journal.changes()[0].pod, bound);
}

// Goal: a journal covers only changes that it has recorded from the start. Method: a table of
// generations.
TEST(PodJournal, KnowsItsStart) {
  PodJournal journal;
  EXPECT_TRUE(journal.IsSince(0));
  journal.Append(Info("a"), true);
  ASSERT_EQ(journal.changes().size(), 1u);
  EXPECT_TRUE(journal.changes()[0].is_added);
  journal.Append(Info("a"), false);
  ASSERT_EQ(journal.changes().size(), 2u);
  EXPECT_TRUE(journal.changes()[0].is_added);
  EXPECT_FALSE(journal.changes()[1].is_added);
  journal.Restart(7);
  EXPECT_TRUE(journal.changes().empty());
  for (size_t count = 0; count < PodJournal::kMax; ++count) journal.Append(Info("b"), count % 2);
  EXPECT_TRUE(journal.IsSince(7));
  EXPECT_FALSE(journal.IsSince(8));
  EXPECT_EQ(journal.changes().size(), PodJournal::kMax);
  EXPECT_TRUE(journal.changes()[1].is_added);
  journal.Append(Info("c"), true);
  EXPECT_FALSE(journal.IsSince(7));
  journal.Append(Info("d"), true);
  EXPECT_TRUE(journal.changes().empty());
  journal.Restart(9);
  EXPECT_TRUE(journal.IsSince(9));
}

}  // namespace
}  // namespace stowage
