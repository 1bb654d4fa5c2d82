// Goal: a HashMap has the same contents as a std::map, and so has each copy of it. Method: seeded
// additions, removals and lookups of keys, many of which want the same place.
#include "core/base/hash_map.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.h"

namespace stowage {
namespace {

struct Crowded {
  size_t operator()(uint64_t key) const { return key % 7; }
};
struct Spread {
  size_t operator()(uint64_t key) const { return key * 0x9e3779b97f4a7c15u; }
};

template <typename Hash>
void ExpectSame(HashMap<uint64_t, std::string, Hash>& map,
                const std::map<uint64_t, std::string>& plain, uint64_t keys) {
  EXPECT_EQ(map.size(), plain.size());
  EXPECT_EQ(map.empty(), plain.empty());
  for (uint64_t key = 0; key < keys; ++key) {
    auto expected = plain.find(key);
    auto found = map.find(key);
    ASSERT_EQ(found == map.end(), expected == plain.end()) << key;
    EXPECT_EQ(map.contains(key), expected != plain.end());
    if (expected == plain.end()) continue;
    EXPECT_EQ(found->first, key);
    EXPECT_EQ(found->second, expected->second);
  }
  std::map<uint64_t, std::string> iterated;
  for (const auto& entry : map) EXPECT_TRUE(iterated.emplace(entry.first, entry.second).second);
  EXPECT_EQ(iterated, plain);
}

template <typename Hash>
void RunSeed(uint64_t seed, uint64_t keys) {
  Rng rng(seed);
  HashMap<uint64_t, std::string, Hash> map;
  std::map<uint64_t, std::string> plain;
  for (size_t step = 0; step < 2000; ++step) {
    uint64_t key = rng.Below(keys);
    std::string value = std::to_string(step);
    map.ReadAhead(key);  // whether or not the map has the key, or any
    switch (rng.Below(5)) {
      case 0:
        EXPECT_EQ(map.try_emplace(key, value).is_new, plain.try_emplace(key, value).second);
        break;
      case 1:
        map[key] = value;
        plain[key] = value;
        break;
      case 2:
        if (auto found = map.find(key); found != map.end()) map.erase(found);
        plain.erase(key);
        break;
      default:
        EXPECT_EQ(map.erase(key), plain.erase(key));
    }
    if (rng.Below(1000) == 0) {
      map.clear();
      plain.clear();
    }
    if (step % 50 == 0) ExpectSame(map, plain, keys);
  }
  ExpectSame(map, plain, keys);
}

TEST(HashMap, EqualsAMap) {
  for (uint64_t seed = 1; seed <= 10 && !testing::Test::HasFailure(); ++seed) {
    RunSeed<Crowded>(seed, 60);
    RunSeed<Spread>(seed, 400);
  }
}

// Maps that are copied from each other, each beside its std::map.
template <typename Hash>
void RunCopies(uint64_t seed, uint64_t keys) {
  Rng rng(seed);
  std::vector<HashMap<uint64_t, std::string, Hash>> maps(4);
  std::vector<std::map<uint64_t, std::string>> plain(4);
  for (size_t step = 0; step < 2000; ++step) {
    size_t at = rng.Below(maps.size());
    uint64_t key = rng.Below(keys);
    switch (rng.Below(8)) {
      case 0: {
        size_t from = rng.Below(maps.size());
        maps[at] = maps[from];
        plain[at] = plain[from];
        break;
      }
      case 1:
      case 2:
        EXPECT_EQ(maps[at].erase(key), plain[at].erase(key));
        break;
      case 3:
        if (auto found = maps[at].find(key); found != maps[at].end()) {
          maps[at].Mutable(found) += "+";
          plain[at][key] += "+";
        }
        break;
      default:
        maps[at][key] = std::to_string(step);
        plain[at][key] = std::to_string(step);
    }
    if (step % 100 != 0) continue;
    for (size_t map = 0; map < maps.size(); ++map) ExpectSame(maps[map], plain[map], keys);
  }
}

TEST(HashMap, CopiesAreIndependent) {
  for (uint64_t seed = 1; seed <= 10 && !testing::Test::HasFailure(); ++seed) {
    RunCopies<Crowded>(seed, 60);
    RunCopies<Spread>(seed, 400);
  }
}

// The mean number of taken places that the search for a free one passes.
double MeanSteps(uint32_t spacing) {
  constexpr size_t kPlaces = 65'536;
  constexpr size_t kKeys = 25'000;
  std::vector<bool> is_taken(kPlaces);
  size_t steps = 0;
  uint32_t number = 12'345;
  for (size_t key = 0; key < kKeys; ++key, number += spacing) {
    size_t place = HomePlace(number, kPlaces);
    for (; is_taken[place]; place = (place + 1) % kPlaces) ++steps;
    is_taken[place] = true;
  }
  return static_cast<double>(steps) / kKeys;
}

// Goal: objects of equal size, one after the other in memory, do not crowd a few places. Method:
// every distance from 32 bytes to 8 KiB; numbers are addresses in units of 16 bytes.
TEST(HashMap, SpreadsNumbersOfEveryDistance) {
  for (uint32_t spacing = 2; spacing <= 512; ++spacing) EXPECT_LT(MeanSteps(spacing), 2) << spacing;
}

TEST(HashMap, ReleasesErasedValues) {
  HashMap<uint64_t, std::shared_ptr<int>, Spread> map;
  auto value = std::make_shared<int>(1);
  for (uint64_t key = 0; key < 100; ++key) map[key] = value;
  EXPECT_EQ(value.use_count(), 101);
  for (uint64_t key = 0; key < 99; ++key) map.erase(key);
  EXPECT_EQ(value.use_count(), 2);
  map.clear();
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_TRUE(map.begin() == map.end());
}

}  // namespace
}  // namespace stowage
