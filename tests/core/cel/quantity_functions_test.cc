#include <gtest/gtest.h>

#include "core/api/quantity.h"
#include "core/cel/libraries.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

class QuantityFunctionsTest : public testing::Test {
 protected:
  Value Q(std::string_view text) { return quantities_.Call("quantity", {S(text)}); }
  std::string Text(const Value& value) { return value.As<Quantity>(kQuantityKind)->ToString(); }

  LibraryCaller quantities_{QuantityFunctions()};
};

TEST_F(QuantityFunctionsTest, Convert) {
  EXPECT_EQ(PrintValue(Q("100Mi")), "kubernetes.Quantity");
  EXPECT_EQ(PrintValue(Q("ten")),
            "error: quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  EXPECT_EQ(quantities_.Print("isQuantity", {S("1.3Gi")}), "true");
  EXPECT_EQ(quantities_.Print("isQuantity", {S("1.3GiX")}), "false");
  EXPECT_EQ(quantities_.Print("isQuantity", {S("")}), "false");
  EXPECT_EQ(quantities_.Print("asInteger", {Q("50k")}), "50000");
  EXPECT_EQ(quantities_.Print("asInteger", {Q("0")}), "0");
  EXPECT_EQ(quantities_.Print("asInteger", {Q("50000000G")}), "50000000000000000");
  EXPECT_EQ(quantities_.Print("asInteger", {Q("1.5")}), "error: cannot convert value to integer");
  EXPECT_EQ(quantities_.Print("isInteger", {Q("50000000G")}), "true");
  EXPECT_EQ(quantities_.Print("isInteger", {Q("1000m")}), "false");
  EXPECT_EQ(quantities_.Print("isInteger", {Q("9999999999999999999999G")}), "false");
  EXPECT_EQ(quantities_.Print("asApproximateFloat", {Q("50.703k")}), "50703");
  EXPECT_EQ(quantities_.Print("asApproximateFloat", {Q("1500m")}), "1.5");
  EXPECT_EQ(quantities_.Print("asApproximateFloat", {Q("-0.5")}), "-0.5");
  EXPECT_EQ(quantities_.Print("asApproximateFloat", {Q("1e40")}), "1e+40");
  EXPECT_EQ(quantities_.Print("asApproximateFloat", {Q("1e400")}), "+Inf");
}

TEST_F(QuantityFunctionsTest, Compare) {
  EXPECT_EQ(quantities_.Print("sign", {Q("-1k")}), "-1");
  EXPECT_EQ(quantities_.Print("sign", {Q("0")}), "0");
  EXPECT_EQ(quantities_.Print("sign", {Q("1m")}), "1");
  EXPECT_EQ(quantities_.Print("compareTo", {Q("200M"), Q("0.2G")}), "0");
  EXPECT_EQ(quantities_.Print("compareTo", {Q("50M"), Q("50Mi")}), "-1");
  EXPECT_EQ(quantities_.Print("compareTo", {Q("50Mi"), Q("50M")}), "1");
  EXPECT_EQ(quantities_.Print("isGreaterThan", {Q("150Mi"), Q("100Mi")}), "true");
  EXPECT_EQ(quantities_.Print("isLessThan", {Q("50Mi"), Q("100Mi")}), "true");
  EXPECT_EQ(quantities_.Print("isLessThan", {Q("100Mi"), Q("100Mi")}), "false");
  EXPECT_TRUE(Equal(Q("1Ki"), Q("1024")));
  EXPECT_FALSE(Equal(Q("1Ki"), Q("1k")));
}

TEST_F(QuantityFunctionsTest, Calculate) {
  struct {
    std::string_view name;
    Value a;
    Value b;
    std::string_view result;
  } cases[] = {
      {"add", Q("50k"), Q("20"), "50020"},
      {"add", Q("50k"), I(20), "50020"},
      {"add", Q("1Gi"), Q("1Gi"), "2Gi"},
      {"add", Q("0"), I(20), "20"},
      {"sub", Q("50k"), Q("20"), "49980"},
      {"sub", Q("50k"), I(20), "49980"},
      {"sub", Q("50k"), Q("60k"), "-10k"},
      {"sub", Q("1Gi"), Q("1Gi"), "0"},
      {"sub", Q("0"), I(INT64_MIN), "9223372036854775808"},
      {"sub", Q("1e30"), Q("1"), "999999999999999999999999999999"},
      {"sub", Q("1"), Q("1e30"), "-999999999999999999999999999999"},
      {"sub", Q("0.5"), Q("1n"), "499999999n"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Text(quantities_.Call(c.name, {c.a, c.b})), c.result) << Text(c.a) << c.name;
  }
  EXPECT_EQ(quantities_.Cost("quantity", {S("100000000Mi")}), 2u);
  EXPECT_EQ(quantities_.Cost("add", {Q("1"), Q("2")}), 1u);
}

}  // namespace
}  // namespace stowage::cel
