// Goal: two values are equal, differ or cannot be compared, as in Kubernetes' libraries.
// Method: expressions of all forms that compare, each with its result.
#include <gtest/gtest.h>

#include <string_view>

#include "tests/core/cel/evaluated.h"

namespace stowage::cel {
namespace {

struct Case {
  std::string_view expression;
  std::string_view wanted;
};

void Expect(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(Evaluated(c.expression), c.wanted) << c.expression;
}

constexpr std::string_view kNoOverload = "error: no such overload";

TEST(Equality, AValueOfALibraryHasNoneWithARightOperandOfAnotherType) {
  Expect({
      {"dyn(semver('1.2.3')) == '1.2.3'", kNoOverload},
      {"dyn(url('/a')) == 1", kNoOverload},
      {"dyn(ip('::1')) == '::1'", kNoOverload},
      {"dyn(cidr('::1/8')) == ip('::1')", kNoOverload},
      {"dyn(format.uri()) == 'uri'", kNoOverload},
      {"dyn(semver('1.2.3')) == '9' || true", "true"},
      {"dyn(semver('1.2.3')) != '1.2.3'", "true"},
      {"dyn('1.2.3') == semver('1.2.3')", "false"},
      {"dyn(semver('1.2.3')) == null", "false"},
      {"null == dyn(semver('1.2.3'))", "false"},
      {"semver('1.2.3') == semver('1.2.3')", "true"},
      {"dyn(quantity('1')) == 1", "false"},
  });
}

TEST(Equality, OfElementsWithoutOverload) {
  Expect({
      // Lists and maps take no notice of a failed comparison; an optional passes it on.
      {"[dyn(semver('1.2.3'))] == ['1.2.3']", "true"},
      {"['1.2.3'] == [dyn(semver('1.2.3'))]", "false"},
      {"[dyn(semver('1.2.3')), dyn(1)] == [dyn('1.2.3'), dyn(2)]", "false"},
      {"{'a': dyn(semver('1.2.3'))} == {'a': '1.2.3'}", "true"},
      {"optional.of(dyn(semver('1.2.3'))) == optional.of('1.2.3')", kNoOverload},
      {"dyn(semver('1.2.3')) in [dyn('1.2.3'), dyn(semver('1.2.3'))]", "true"},
      {"dyn(semver('1.2.3')) in [dyn('1.2.3'), dyn(semver('1.2.4'))]", "false"},
      {"[dyn(semver('1.2.3'))].indexOf('1.2.3')", "-1"},
      {"sets.contains([dyn('1.2.3')], [semver('1.2.3')])", "false"},
  });
}

}  // namespace
}  // namespace stowage::cel
