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

TEST(Equality, InASetOfConstantsIsALookupThatSomeValuesCannotDo) {
  constexpr std::string_view kSemver =
      "error: internal error: runtime error: hash of unhashable type cel.Semver";
  Expect({
      {"dyn(semver('1.2.3')) in ['1.2.3', '2.0.0']", kSemver},
      {"dyn(b'a') in ['a']",
       "error: internal error: runtime error: hash of unhashable type types.Bytes"},
      // It ends the evaluation: no other operand decides instead.
      {"dyn(semver('1.2.3')) in ['1.2.3'] || true", kSemver},
      {"[1].exists(x, dyn(semver('1.2.3')) in ['1.2.3'] || x == 1)", kSemver},
      {"true || dyn(semver('1.2.3')) in ['1.2.3']", "true"},
      {"dyn(semver('1.2.3')) in []", "false"},
      {"dyn(semver('1.2.3')) in [semver('1.2.3')]", "true"},
      {"dyn(url('/a')) in ['/a']", "false"},
      {"dyn(quantity('1')) in [1]", "false"},
      {"dyn([1]) in [1]", "false"},
  });
}

TEST(Equality, NoQuantityEqualsASumOnTheRight) {
  Expect({
      {"quantity('2') == quantity('1').add(1)", "false"},
      {"quantity('2') != quantity('1').add(1)", "true"},
      {"quantity('1').add(1) == quantity('2')", "true"},
      {"quantity('1').add(1) == quantity('1').add(1)", "false"},
      {"quantity('2') == quantity('3').sub(quantity('1'))", "false"},
      {"quantity('3').sub(1) == quantity('2')", "true"},
      {"quantity('1').add(1).compareTo(quantity('3').sub(1))", "0"},
      {"quantity('2') in [quantity('1').add(1)]", "false"},
      {"quantity('1').add(1) in [quantity('2')]", "true"},
      {"[quantity('1').add(1)].indexOf(quantity('2'))", "0"},
      {"[quantity('2')].indexOf(quantity('1').add(1))", "-1"},
      {"[quantity('1').add(1)] == [quantity('2')]", "true"},
      {"[quantity('2')] == [quantity('1').add(1)]", "false"},
      {"sets.contains([quantity('2')], [quantity('1').add(1)])", "true"},
      {"sets.contains([quantity('1').add(1)], [quantity('2')])", "false"},
      {"sets.intersects([quantity('1').add(1)], [quantity('2')])", "true"},
      {"sets.intersects([quantity('2')], [quantity('1').add(1)])", "false"},
      {"[quantity('2'), quantity('1').add(1)].distinct().size()", "1"},
      {"[quantity('1').add(1), quantity('2')].distinct().size()", "2"},
  });
}

}  // namespace
}  // namespace stowage::cel
