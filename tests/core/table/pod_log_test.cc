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

using Rows = std::vector<uint32_t>;

std::optional<Rows> RowsSince(const PodLog& log, uint64_t cursor) {
  Rows rows;
  bool is_known =
      log.ForEachSince(cursor, [&rows](const PodLog::Entry& entry) { rows.push_back(entry.row); });
  return is_known ? std::optional(rows) : std::nullopt;
}

// Goal: a reader gets all changes since its last read, or learns that it cannot. Method: one log,
// with readers at each of its heads.
TEST(PodLog, ReturnsMissedChanges) {
  PodLog log;
  PodInfoRef pod = Info("a");
  EXPECT_EQ(RowsSince(log, log.head()), Rows());
  log.Append(3, {pod, true});
  uint64_t after_first = log.head();
  log.Append(5, {pod, false});
  EXPECT_EQ(RowsSince(log, 0), (Rows{3, 5}));
  EXPECT_EQ(RowsSince(log, after_first), Rows{5});
  EXPECT_EQ(RowsSince(log, log.head()), Rows());

  uint64_t before_break = log.head();
  log.Break();
  EXPECT_EQ(RowsSince(log, before_break), std::nullopt);
  EXPECT_EQ(RowsSince(log, log.head()), Rows());

  uint64_t oldest = log.head();
  for (uint32_t row = 0; row < PodLog::kCapacity; ++row) log.Append(row, {pod, true});
  EXPECT_EQ(RowsSince(log, oldest)->size(), PodLog::kCapacity);
  log.Append(0, {pod, true});
  EXPECT_EQ(RowsSince(log, oldest), std::nullopt);
  EXPECT_EQ(RowsSince(log, oldest + 1)->size(), PodLog::kCapacity);
}

// Goal: a journal covers only changes that it has recorded from the start. Method: a table of
// generations.
TEST(PodJournal, KnowsItsStart) {
  PodJournal journal;
  EXPECT_TRUE(journal.IsSince(0));
  journal.Append(Info("a"), true);
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
