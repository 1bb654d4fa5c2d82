// Options and configurations that do not create a scheduler, and their error messages.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>

#include "core/scheduler/scheduler.h"

namespace stowage {
namespace {

Scheduler::CreationError Fault(std::string_view options, std::string_view configuration) {
  auto scheduler = Scheduler::New(options, configuration);
  EXPECT_FALSE(scheduler.ok()) << options << configuration;
  return scheduler.ok() ? Scheduler::CreationError() : scheduler.fault();
}

std::string Configuration(std::string_view members) {
  return R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)" +
         std::string(members) + "}";
}

TEST(SchedulerNew, UsesDefaultsForEmptyInput) {
  EXPECT_TRUE(Scheduler::New("{}", "").ok());
  EXPECT_TRUE(Scheduler::New("{}", Configuration(R"("parallelism":1)")).ok());
}

TEST(SchedulerNew, RefusesBadOptions) {
  Scheduler::CreationError fault = Fault(R"({"seeds":1})", "");
  ASSERT_TRUE(std::holds_alternative<OptionError>(fault));
  EXPECT_EQ(std::get<OptionError>(fault).message, "options: unknown field \"seeds\"");
}

TEST(SchedulerNew, RefusesBadConfigurations) {
  struct {
    std::string_view name;
    std::string_view options;
    std::string configuration;
    std::string_view want_field;
    std::string_view want;  // part of the message
  } cases[] = {
      {"no JSON", "{}", "{", "", ""},
      {"unknown gate", R"({"featureGates":{"NoSuchGate":true}})", "", "featureGates.NoSuchGate",
       "unrecognized feature gate: NoSuchGate"},
      {"unknown field", "{}", Configuration(R"("bogus":1)"), "bogus", "unknown field \"bogus\""},
      {"unknown plugin", "{}",
       Configuration(R"("profiles":[{"plugins":{"score":{"enabled":[{"name":"NoSuch"}]}}}])"), "",
       "NoSuch"},
      {"a plugin that would not be built", "{}",
       Configuration(
           R"("profiles":[{"pluginConfig":[{"name":"NodeResourcesFit",
                                           "args":{"scoringStrategy":{"type":"foo"}}}]}])"),
       "profiles[0].pluginConfig[0]",
       R"(initializing plugin "NodeResourcesFit": scoringStrategy.type: Unsupported value: "foo")"},
      {"two profiles of a name", "{}",
       Configuration(R"("profiles":[{"schedulerName":"s"},{"schedulerName":"s"}])"),
       "profiles[1].schedulerName", "profiles[1].schedulerName: Duplicate value"},
  };
  for (const auto& c : cases) {
    Scheduler::CreationError fault = Fault(c.options, c.configuration);
    ASSERT_TRUE(std::holds_alternative<ConfigurationError>(fault)) << c.name;
    const auto& error = std::get<ConfigurationError>(fault);
    EXPECT_NE(error.message.find(c.want), std::string::npos) << c.name << ": " << error.message;
    EXPECT_FALSE(error.message.empty()) << c.name;
    ASSERT_FALSE(error.errors.empty()) << c.name;
    if (c.want_field.empty()) continue;
    EXPECT_EQ(error.errors[0].field, c.want_field) << c.name;
  }
}

}  // namespace
}  // namespace stowage
