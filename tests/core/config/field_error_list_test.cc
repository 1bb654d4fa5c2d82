// Goal: findings print in Kubernetes' form, one or many.
#include "core/config/field_error_list.h"

#include <gtest/gtest.h>

#include <string_view>

namespace stowage {
namespace {

TEST(FieldErrorList, PrintsEveryKind) {
  FieldErrorList errors;
  FieldPath path = FieldPath().Child("profiles").Index(1).Child("name");
  errors.Invalid(path, "-1", "must be positive");
  errors.Required(path);
  errors.Required(path, "can not be empty");
  errors.Duplicate(path, "\"a\"");
  errors.Forbidden(path, "not here");
  errors.NotSupported(path, "x", {"a", "b"});
  EXPECT_EQ(ConfigurationError::Aggregate(errors.Take()).message,
            "[profiles[1].name: Invalid value: -1: must be positive, "
            "profiles[1].name: Required value, "
            "profiles[1].name: Required value: can not be empty, "
            "profiles[1].name: Duplicate value: \"a\", "
            "profiles[1].name: Forbidden: not here, "
            "profiles[1].name: Unsupported value: \"x\": supported values: \"a\", \"b\"]");
}

TEST(FieldErrorList, AggregatesEqualTextsOnce) {
  ConfigurationError error = ConfigurationError::Aggregate({{"a", "a: x"}, {"a", "a: x"}});
  EXPECT_EQ(error.message, "a: x");
  EXPECT_EQ(error.errors.size(), 1u);
}

TEST(FieldErrorList, WritesDurationsLikeGo) {
  struct {
    int64_t nanos;
    std::string_view want;
  } cases[] = {
      {0, "0s"},
      {1, "1ns"},
      {1100, "1.1µs"},
      {2'200'000, "2.2ms"},
      {3'300'000'000, "3.3s"},
      {15'000'000'000, "15s"},
      {60'000'000'000, "1m0s"},
      {245'000'000'000, "4m5s"},
      {245'001'000'000, "4m5.001s"},
      {18'367'001'000'000, "5h6m7.001s"},
      {-500'000'000, "-500ms"},
      {-90'000'000'000, "-1m30s"},
      {INT64_MAX, "2562047h47m16.854775807s"},
      {INT64_MIN, "-2562047h47m16.854775808s"},
  };
  for (const auto& c : cases) EXPECT_EQ(DurationText(Duration{c.nanos}), c.want);
}

}  // namespace
}  // namespace stowage
