// Goal: the deferred code is loaded once, and its loader is asked again after a failure.
#include "core/base/deferred_code.h"

#include <gtest/gtest.h>

namespace stowage {
namespace {

int g_loads = 0;

TEST(DeferredCode, IsThereWithoutALoader) { EXPECT_EQ(LoadDeferredCode(), ""); }

TEST(DeferredCode, IsLoadedOnce) {
  g_loads = 0;
  SetDeferredCodeLoader([] { return std::string(++g_loads == 1 ? "no file" : ""); });
  EXPECT_EQ(LoadDeferredCode(), "no file");
  EXPECT_EQ(LoadDeferredCode(), "");
  EXPECT_EQ(LoadDeferredCode(), "");
  EXPECT_EQ(g_loads, 2);
}

}  // namespace
}  // namespace stowage
