// Goal: a RevertibleMap has the same contents as a std::map, and after Restore those that it had at
// the savepoint. Method: seeded changes with nested savepoints.
#include "core/base/revertible_map.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "core/base/rng.h"

namespace stowage {
namespace {

struct Spread {
  size_t operator()(uint64_t key) const { return key * 0x9e3779b97f4a7c15u; }
};
using Map = RevertibleMap<uint64_t, std::string, Spread>;
using Plain = std::map<uint64_t, std::string>;

Plain ContentsOf(const Map& map) {
  Plain contents;
  for (const auto& entry : map.entries()) contents.emplace(entry.first, entry.second);
  EXPECT_EQ(map.size(), contents.size());
  return contents;
}

class RevertibleMapTest : public testing::Test {
 protected:
  void Change() {
    uint64_t key = rng_.Below(60);
    if (rng_.Below(3) > 0) {
      map_[key] += std::to_string(++num_changes_);
      plain_[key] += std::to_string(num_changes_);
    } else {
      map_.erase(key);
      plain_.erase(key);
    }
    EXPECT_EQ(map_.contains(key), plain_.contains(key));
  }

  void TryOut(size_t depth) {
    const Plain before = plain_;
    map_.Save();
    for (size_t count = rng_.Below(8); count > 0; --count) {
      Change();
      if (depth < 3 && rng_.Below(2) == 0) TryOut(depth + 1);
    }
    EXPECT_EQ(ContentsOf(map_), plain_);
    if (rng_.Below(3) == 0) return map_.Release();
    map_.Restore();
    plain_ = before;
    EXPECT_EQ(ContentsOf(map_), plain_);
  }

  Rng rng_{1};
  Map map_;
  Plain plain_;
  size_t num_changes_ = 0;
};

TEST_F(RevertibleMapTest, RestoresItsContents) {
  for (size_t step = 0; step < 500 && !HasFailure(); ++step) {
    Change();
    TryOut(0);
  }
  EXPECT_GT(plain_.size(), 20u);
}

TEST(RevertibleMap, ACopyHasNoSavepoint) {
  Map map;
  map[1] = "a";
  map.Save();
  map[2] = "b";
  Map copy = map;
  copy[3] = "c";
  map.Restore();
  EXPECT_EQ(ContentsOf(map), (Plain{{1, "a"}}));
  EXPECT_EQ(ContentsOf(copy), (Plain{{1, "a"}, {2, "b"}, {3, "c"}}));
  copy.Save();
  copy.erase(1);
  copy.Restore();
  EXPECT_EQ(ContentsOf(copy), (Plain{{1, "a"}, {2, "b"}, {3, "c"}}));
}

TEST(RevertibleMap, ReleasesWhatItKept) {
  auto value = std::make_shared<int>(1);
  RevertibleMap<uint64_t, std::shared_ptr<int>, Spread> map;
  map[1] = value;
  map.Save();
  map.Save();
  map.erase(1);
  map.Release();
  EXPECT_EQ(value.use_count(), 2);
  map.Release();
  EXPECT_EQ(value.use_count(), 1);
}

}  // namespace
}  // namespace stowage
