#include "core/framework/cycle_state.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace stowage {
namespace {

struct SharedText {
  std::string text;
};

// Same members as SharedText, but of another plugin.
struct OtherShared {
  std::string text;
};

struct Count final : StateData {
  int value = 0;

  std::unique_ptr<StateData> Clone() const override { return std::make_unique<Count>(*this); }
};

TEST(CycleState, KeepsOneValuePerType) {
  CycleState state;
  EXPECT_EQ(state.Read<SharedText>(), nullptr);
  EXPECT_EQ(state.ReadData<Count>(), nullptr);
  EXPECT_EQ(state.MutableData<Count>(), nullptr);
  state.Write(SharedText{"first"});
  EXPECT_EQ(state.Read<OtherShared>(), nullptr);
  state.Write(OtherShared{"other"});
  state.Write(SharedText{"second"});
  EXPECT_EQ(state.Read<SharedText>()->text, "second");
  EXPECT_EQ(state.Read<OtherShared>()->text, "other");
}

TEST(CycleState, ClonesOfChangingDataAreIndependent) {
  CycleState state;
  state.WriteData(std::make_unique<Count>());
  state.MutableData<Count>()->value = 1;
  CycleState clone = state.Clone();
  clone.MutableData<Count>()->value = 2;
  EXPECT_EQ(state.ReadData<Count>()->value, 1);
  state.MutableData<Count>()->value = 3;
  EXPECT_EQ(clone.ReadData<Count>()->value, 2);
  CycleState clone_of_clone = clone.Clone();
  EXPECT_EQ(clone_of_clone.ReadData<Count>()->value, 2);
}

TEST(CycleState, ClonesShareConstantData) {
  CycleState clone;
  {
    CycleState state;
    state.Write(SharedText{"kept"});
    clone = state.Clone();
    EXPECT_EQ(clone.Read<SharedText>(), state.Read<SharedText>());
    state.Write(SharedText{"replaced"});
    EXPECT_EQ(clone.Read<SharedText>()->text, "kept");
    EXPECT_EQ(state.Read<SharedText>()->text, "replaced");
  }
  EXPECT_EQ(clone.Read<SharedText>()->text, "kept");
}

TEST(CycleState, ClonesKeepTheSkippedPlugins) {
  CycleState state;
  state.SkipFilter(0);
  state.SkipFilter(63);
  state.SkipScore(5);
  CycleState clone = state.Clone();
  clone.SkipFilter(7);
  clone.SkipScore(8);
  for (size_t plugin = 0; plugin < 64; ++plugin) {
    bool skips_filter = plugin == 0 || plugin == 63;
    EXPECT_EQ(state.SkipsFilter(plugin), skips_filter) << plugin;
    EXPECT_EQ(clone.SkipsFilter(plugin), skips_filter || plugin == 7) << plugin;
    EXPECT_EQ(state.SkipsScore(plugin), plugin == 5) << plugin;
    EXPECT_EQ(clone.SkipsScore(plugin), plugin == 5 || plugin == 8) << plugin;
  }
}

}  // namespace
}  // namespace stowage
