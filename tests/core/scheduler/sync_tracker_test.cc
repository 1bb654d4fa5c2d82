#include "core/scheduler/sync_tracker.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace stowage {
namespace {

ObjectKey Key(std::string_view name) { return {Symbol("default"), Symbol(name)}; }

std::string SyncedNames(const std::vector<ObjectKey>& keys) {
  std::string names;
  for (const ObjectKey& key : keys) names += key.name.str() + " ";
  return names;
}

TEST(SyncTracker, ReturnsWhatAListDidNotMention) {
  SyncTracker sync;
  sync.Mention(ObjectKind::kPod, Key("before"));
  sync.Begin(ObjectKind::kPod);
  sync.Mention(ObjectKind::kPod, Key("a"));
  sync.Mention(ObjectKind::kNode, Key("b"));
  std::vector<ObjectKey> known = {Key("a"), Key("b"), Key("before")};
  EXPECT_EQ(SyncedNames(sync.End(ObjectKind::kPod, known)), "b before ");
  EXPECT_EQ(SyncedNames(sync.End(ObjectKind::kPod, known)), "") << "an end without a beginning";
  EXPECT_EQ(SyncedNames(sync.End(ObjectKind::kNode, known)), "");
}

TEST(SyncTracker, RestartsAListThatBeginsAgain) {
  SyncTracker sync;
  sync.Begin(ObjectKind::kPod);
  sync.Mention(ObjectKind::kPod, Key("a"));
  sync.Begin(ObjectKind::kPod);
  sync.Mention(ObjectKind::kPod, Key("b"));
  EXPECT_EQ(SyncedNames(sync.End(ObjectKind::kPod, {Key("a"), Key("b")})), "a ");
}

TEST(SyncTracker, TracksEveryRegisteredResourceSeparately) {
  SyncTracker sync;
  const KindKey foos = KindKey::Other(Symbol("foos.v1.example.com"));
  const KindKey bars = KindKey::Other(Symbol("bars.v1.example.com"));
  sync.Begin(foos);
  sync.Begin(bars);
  sync.Mention(foos, Key("a"));
  sync.Mention(bars, Key("b"));
  std::vector<ObjectKey> known = {Key("a"), Key("b")};
  EXPECT_EQ(SyncedNames(sync.End(foos, known)), "b ");
  EXPECT_FALSE(sync.HasSynced());
  EXPECT_EQ(SyncedNames(sync.End(bars, known)), "a ");
  EXPECT_TRUE(sync.HasSynced());
}

TEST(SyncTracker, HasSyncedAfterTheFirstListOfEveryKind) {
  SyncTracker sync;
  EXPECT_TRUE(sync.HasSynced()) << "without marks there is nothing to wait for";
  sync.Begin(ObjectKind::kPod);
  sync.Begin(ObjectKind::kNode);
  EXPECT_FALSE(sync.HasSynced());
  sync.End(ObjectKind::kPod, {});
  EXPECT_FALSE(sync.HasSynced());
  sync.End(ObjectKind::kService, {});
  EXPECT_FALSE(sync.HasSynced()) << "of a kind that never began";
  sync.End(ObjectKind::kNode, {});
  EXPECT_TRUE(sync.HasSynced());
  sync.Begin(ObjectKind::kNode);
  EXPECT_TRUE(sync.HasSynced()) << "a later list pauses nothing";
  sync.Begin(ObjectKind::kService);
  EXPECT_FALSE(sync.HasSynced()) << "a new kind does";
}

}  // namespace
}  // namespace stowage
