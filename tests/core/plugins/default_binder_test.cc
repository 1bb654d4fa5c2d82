#include "core/plugins/default_binder.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_runner.h"

namespace stowage {
namespace {

// Goal: binding is one POST that names pod, uid and node.
TEST(DefaultBinder, PostsABinding) {
  PluginRunner<DefaultBinder> runner;
  ApiCall call;
  Status status = runner.plugin().Bind(
      runner.state(), MakePod().Namespace("shop").Name("web-0").Uid("u-1"), Symbol("n1"), &call);
  EXPECT_TRUE(status.IsSuccess());
  EXPECT_EQ(call.verb, "bind");
  EXPECT_EQ(call.method, "POST");
  EXPECT_EQ(call.path, "/api/v1/namespaces/shop/pods/web-0/binding");
  EXPECT_EQ(call.content_type, "application/json");
  EXPECT_EQ(call.body, R"({"apiVersion":"v1","kind":"Binding",)"
                       R"("metadata":{"name":"web-0","namespace":"shop","uid":"u-1"},)"
                       R"("target":{"kind":"Node","name":"n1"}})");
}

}  // namespace
}  // namespace stowage
