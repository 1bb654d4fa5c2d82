// Goal: volumes are found by size and by claim after any changes. Method: seeded changes, compared
// with all volumes, sorted.
#include "core/framework/class_volumes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/api/volume_helpers.h"
#include "core/base/rng.h"
#include "tests/support/make_pv.h"

namespace stowage {
namespace {

std::vector<std::string> NamesOf(const ClassVolumes::List& volumes) {
  std::vector<std::string> names;
  for (const PersistentVolumeRef& volume : volumes) names.push_back(volume->metadata.name.str());
  return names;
}

ObjectKey KeyOf(std::string_view claim) { return {Symbol("default"), Symbol(claim)}; }

class ChangedVolumes {
 public:
  void Change(Rng* rng) {
    std::string name = fmt::format("pv-{}", rng->Below(12));
    auto known = all_.find(name);
    if (known != all_.end()) {
      volumes_.Remove(*known->second);
      all_.erase(known);
      if (rng->Below(2) == 0) return;
    }
    MakePv volume(name);
    volume.Capacity(fmt::format("{}Gi", 1 + rng->Below(4)));
    if (rng->Below(3) == 0) volume.For(rng->Below(2) == 0 ? "c" : "d", "");
    auto made = std::make_shared<const PersistentVolume>(volume.Obj());
    all_[name] = made;
    volumes_.Add(made);
  }

  void ExpectCurrent() const {
    std::vector<std::string> free;
    std::map<std::string, std::vector<std::string>> reserved{{"c", {}}, {"d", {}}};
    for (int size = 1; size <= 4; ++size) {
      for (const auto& [name, volume] : all_) {
        bool is_of_size = StorageIn(volume->spec.capacity).Value() == int64_t{size} << 30;
        if (is_of_size && !volume->spec.claim_ref) free.push_back(name);
      }
    }
    for (const auto& [name, volume] : all_) {
      const auto& claim = volume->spec.claim_ref;
      if (claim) reserved[claim->name.str()].push_back(name);
    }
    EXPECT_EQ(NamesOf(*volumes_.Free()), free);
    for (const auto& [claim, names] : reserved) {
      EXPECT_EQ(NamesOf(volumes_.ReservedFor(KeyOf(claim))), names) << claim;
    }
    EXPECT_EQ(volumes_.empty(), all_.empty());
  }

  std::shared_ptr<const ClassVolumes::List> Free() const { return volumes_.Free(); }

 private:
  ClassVolumes volumes_;
  std::map<std::string, PersistentVolumeRef> all_;
};

TEST(ClassVolumes, EqualAllVolumesSorted) {
  Rng rng(7);
  ChangedVolumes volumes;
  for (size_t step = 0; step < 500; ++step) {
    for (size_t more = rng.Below(4); more > 0; --more) volumes.Change(&rng);
    volumes.ExpectCurrent();
  }
}

// Goal: a list that is held, and a copy, keep what they had.
TEST(ClassVolumes, ListsAndCopiesKeepTheirVolumes) {
  Rng rng(8);
  ChangedVolumes volumes;
  for (size_t step = 0; step < 20; ++step) volumes.Change(&rng);
  std::shared_ptr<const ClassVolumes::List> list = volumes.Free();
  std::vector<std::string> names = NamesOf(*list);
  ChangedVolumes copy = volumes;
  for (size_t step = 0; step < 100; ++step) {
    volumes.Change(&rng);
    volumes.ExpectCurrent();
    copy.ExpectCurrent();
    EXPECT_EQ(NamesOf(*list), names);
  }
}

TEST(ClassVolumes, FindsTheFirstOfASize) {
  ClassVolumes volumes;
  for (std::string_view size : {"1Gi", "5Gi", "3Gi"}) {
    MakePv volume(fmt::format("pv-{}", size));
    volumes.Add(std::make_shared<const PersistentVolume>(volume.Capacity(size).Obj()));
  }
  struct {
    std::string_view capacity;
    size_t want;
  } cases[] = {{"0", 0}, {"1Gi", 0}, {"2Gi", 1}, {"3Gi", 1}, {"4Gi", 2}, {"6Gi", 3}};
  for (const auto& [capacity, want] : cases) {
    MakePv asked("asked");
    asked.Capacity(capacity);
    Quantity size = StorageIn(asked.Obj().spec.capacity);
    EXPECT_EQ(FirstOfSize(*volumes.Free(), size), want) << capacity;
  }
}

}  // namespace
}  // namespace stowage
