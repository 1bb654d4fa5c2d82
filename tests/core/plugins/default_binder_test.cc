#include "core/plugins/default_binder.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

// Goal: one write binds the pod; its failure is an Error with the API's message.
TEST(DefaultBinder, BindsThroughTheApi) {
  PluginRunner<DefaultBinder> runner;
  Pod pod = MakePod().Namespace("shop").Name("web-0").Uid("u-1");
  Symbol node("n1");
  FakeApiClient& api = runner.handle().fake_background().api;
  EXPECT_TRUE(RunToEnd(runner.plugin().Bind(runner.state(), pod, node)).IsSuccess());
  EXPECT_EQ(api.writes, std::vector<std::string>{"bind web-0 n1"});
  api.answer = {409, "Conflict", "already bound", ""};
  EXPECT_EQ(RunToEnd(runner.plugin().Bind(runner.state(), pod, node)),
            Status::Error("already bound"));
}

}  // namespace
}  // namespace stowage
