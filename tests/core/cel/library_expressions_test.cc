#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/cel/device_environment.h"

namespace stowage::cel {
namespace {

// What an expression is on a device without attributes: "true", "false", or its error.
std::string Selects(std::string_view expression) {
  DeviceGates gates;
  gates.list_attributes = true;
  Result<DeviceSelector, CelError> selector = DeviceSelector::Compile(expression, gates);
  if (!selector.ok()) return selector.fault().message;
  DeviceView device;
  device.driver = "gpu.example.com";
  DeviceInput input(device, gates);
  Result<bool, CelError> selects = selector->Evaluate(input);
  if (!selects.ok()) return selects.fault().message;
  return *selects ? "true" : "false";
}

void ExpectTrue(std::initializer_list<std::string_view> expressions) {
  for (std::string_view expression : expressions) {
    EXPECT_EQ(Selects(expression), "true") << expression;
  }
}

// Goal: the signatures of all functions are those of the reference. Method: expressions that use
// every function in every form; all are true.
TEST(LibraryExpressions, SelectTheOverloadsOfTextsAndLists) {
  ExpectTrue({
      // strings
      "'tacocat'.charAt(3) == 'o'",
      "'tacocat'.indexOf('a') == 1 && 'tacocat'.indexOf('a', 3) == 5",
      "'tacocat'.lastIndexOf('a') == 5 && 'tacocat'.lastIndexOf('a', 3) == 1",
      "'Ab'.lowerAscii() + 'Ab'.upperAscii() == 'abAB'",
      "'aa'.replace('a', 'b') + 'aa'.replace('a', 'b', 1) == 'bbba'",
      "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c']",
      "'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco'",
      "' a '.trim() == 'a'",
      "['a', 'b'].join() == 'ab' && ['a', 'b'].join('-') == 'a-b'",
      "'%s is %d'.format([dyn('a'), 1]) == 'a is 1'",
      "'%s %.1f'.format([dyn([1, 2]), 2.55]) == '[1, 2] 2.5'",
      "strings.quote('a\"b') == '\"a\\\\\"b\"'",
      // regex
      "'abc 123'.find('[0-9]+') == '123'",
      "'1 2 3'.findAll('[0-9]') == ['1', '2', '3'] && '1 2 3'.findAll('[0-9]', 1) == ['1']",
      "'abc'.matches('^[a-c]+$') && matches('abc', 'b') && !'abc'.matches('^b')",
      // sets
      "sets.contains([1, 2, 3], [2]) && sets.equivalent([1, 1], [1])",
      "sets.intersects(['a'], ['a', 'b']) && sets.contains([], [])",
      // lists
      "[1, 2, 3, 4].slice(1, 3) == [2, 3]",
      "[[1], [2, 3]].flatten() == [1, 2, 3] && [dyn(1), [dyn(2), [3]]].flatten(2) == [1, 2, 3]",
      "lists.range(3) == [0, 1, 2]",
      "[1, 2].reverse() == [2, 1] && [1, 1, 2].distinct() == [1, 2]",
      "[2, 1].sort() == [1, 2] && ['b', 'a'].sort() == ['a', 'b'] && [].sort() == []",
      "['bb', 'a'].sortBy(s, size(s)) == ['a', 'bb']",
      "[{'a': 2}, {'a': 1}].sortBy(m, m.a)[0].a == 1",
      "[1, 2].first() == optional.of(1) && [1, 2].last().value() == 2 && ![].first().hasValue()",
      // Kubernetes lists
      "[1, 2].isSorted() && ![2.0, 1.0].isSorted() && ['a'].isSorted() && [].isSorted()",
      "[1, 2].sum() == 3 && [1.5].sum() == 1.5 && [].sum() == 0",
      "[duration('1s'), duration('2s')].sum() == duration('3s')",
      "[1, 2].min() == 1 && ['a', 'b'].max() == 'b' && [true, false].max()",
      "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && ['a'].indexOf('b') == -1",
      "[1, 2, 3].map(x, x * 2).filter(x, x > 2).sum() == 10",
  });
}

TEST(LibraryExpressions, SelectTheOverloadsOfKubernetesTypes) {
  ExpectTrue({
      // URLs
      "isURL('https://example.com/') && !isURL('../a')",
      "url('https://user@[::1]:80/a?k=v').getHostname() == '::1'",
      "url('https://a.b:80/').getHost() == 'a.b:80' && url('https://a.b:80/').getPort() == '80'",
      "url('https://a.b/').getScheme() == 'https' && url('/a b').getEscapedPath() == '/a%20b'",
      "url('/?k=1&k=2').getQuery() == {'k': ['1', '2']}",
      "url('https://a.b/') == url('HTTPS://a.b/') && type(url('/')) == type(url('/a'))",
      // quantities
      "quantity('1Ki') == quantity('1024') && isQuantity('1.5Gi') && !isQuantity('1.5GiB')",
      "quantity('1Ki').add(quantity('1Ki')).compareTo(quantity('2Ki')) == 0",
      "sign(quantity('1k').add(24).sub(24).sub(quantity('1k'))) == 0",
      "quantity('2').isGreaterThan(quantity('1')) && quantity('1').isLessThan(quantity('2'))",
      "quantity('1k').isInteger() && quantity('1k').asInteger() == 1000",
      "quantity('1500m').asApproximateFloat() == 1.5",
      // versions
      "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0') == semver('1.0.0+a')",
      "semver('v1', true).major() == 1 && isSemver('1.0.0') && !isSemver('v1', false)",
      "semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
      "semver('2.0.0').isGreaterThan(semver('1.0.0')) && "
      "semver('1.0.0').compareTo(semver('2.0.0')) "
      "== -1",
      // addresses
      "ip('::1').isLoopback() && ip('1.2.3.4').family() == 4 && isIP('::') && !isIP('1')",
      "ip.isCanonical('::1') && !ip.isCanonical('0::1') && string(ip('0::1')) == '::1'",
      "ip('0.0.0.0').isUnspecified() && ip('8.8.8.8').isGlobalUnicast()",
      "ip('224.0.0.1').isLinkLocalMulticast() && ip('fe80::1').isLinkLocalUnicast()",
      "cidr('10.0.0.0/8').containsIP('10.1.1.1') && cidr('10.0.0.0/8').containsIP(ip('10.1.1.1'))",
      "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
      "cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16')) && isCIDR('::/0')",
      "cidr('10.1.1.1/8').masked() == cidr('10.0.0.0/8') && cidr('::/7').prefixLength() == 7",
      "cidr('10.1.1.1/8').ip() == ip('10.1.1.1') && string(cidr('::/7')) == '::/7'",
      // optionals
      "optional.unwrap([optional.of(42), optional.none()]) == [42]",
      "[optional.none(), optional.of('a')].unwrapOpt() == ['a'] && [].unwrapOpt() == []",
      // formats
      "!format.dns1123Label().validate('my-name').hasValue()",
      "format.named('uuid').value().validate('x').value() == ['does not match the UUID format']",
      "!format.named('nothing').hasValue() && format.uri().validate('a').hasValue()",
      "format.date().validate('2024-01-32').orValue([]) == ['invalid date']",
      // includes
      "[1, 2].includes(1) && !['a'].includes('b') && 1.includes(1)",
  });
}

TEST(LibraryExpressions, ReportTheErrorsOfTheirFunctions) {
  struct {
    std::string_view expression;
    std::string_view error;
  } cases[] = {
      {"quantity(device.driver).isInteger()",
       "quantities must match the regular expression "
       "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
      {"semver(device.driver).major() == 1", "Invalid character(s) found in major number \"gpu\""},
      {"device.driver.substring(40) == ''", "index out of range: 40"},
      {"device.driver.find(device.driver + '[') == ''",
       "Illegal regex: error parsing regexp: missing closing ]: `[`"},
      {"device.driver.find('[') == ''",
       "program instantiation failed: error parsing regexp: missing closing ]: `[`"},
      {"true || device.driver.findAll('a' + string('[')) == []", "true"},
      {"true || device.driver.findAll(string('['), 1) == []",
       "program instantiation failed: error parsing regexp: missing closing ]: `[`"},
      {"device.driver.matches(device.driver + '[')",
       "error parsing regexp: missing closing ]: `[`"},
      {"device.driver.split('.').filter(x, false).min() == ''", "min called on empty list"},
      {"'%d'.format([dyn(device.driver)]) == ''",
       "error during formatting: decimal clause can only be used on integers, was given string"},
      {"lists.range(49).includes(1)",
       "'includes' function cannot be applied to lists longer than 48 values"},
      {"optional.unwrap([dyn(optional.of(1)), dyn(2)]) == []", "value 2 is not optional"},
      {"optional.unwrap([dyn(1)]) == []", "no such overload: optional.unwrap(list)"},
      {"lists.range(2000000).size() == 0", "operation cancelled: actual cost limit exceeded"},
      {"lists.range(1001).distinct().size() == 1001",
       "operation cancelled: actual cost limit exceeded"},
  };
  for (const auto& c : cases) EXPECT_EQ(Selects(c.expression), c.error) << c.expression;
}

TEST(LibraryExpressions, AreCheckedWhenTheyAreCompiled) {
  struct {
    std::string_view expression;
    std::string_view issue;
  } cases[] = {
      {"'a'.charAt('b') == ''",
       "found no matching overload for 'charAt' applied to "
       "'string.(string)'"},
      {"[{}].sum() == 0", "found no matching overload for 'sum' applied to 'list(map(dyn, dyn))."},
      {"quantity('1') == semver('1.0.0')",
       "found no matching overload for '_==_' applied to '(kubernetes.Quantity, "
       "kubernetes.Semver)'"},
      {"'%s'.format(['a', 'b']) == ''",
       "<input>:1:12: too many arguments supplied to string.format (expected 1, got 2)\n"},
      {"'%s %s'.format(['a']) == ''", "<input>:1:15: index 1 out of range\n"},
      {"'%'.format([]) == ''", "<input>:1:11: unexpected end of string\n"},
      {"'%j'.format([1]) == ''",
       "<input>:1:12: could not parse formatting clause: unrecognized formatting clause \"j\"\n"},
      {"'%d'.format(['a']) == ''",
       "<input>:1:14: error during formatting: decimal clause can only be used on integers, was "
       "given string\n"},
      {"'%s'.format([[semver('1.0.0')]]) == ''",
       "<input>:1:21: error during formatting: string clause can only be used on strings, bools, "
       "bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given "
       "kubernetes.Semver\n"},
      {"'%s'.format([{'a': optional.none()}]) == ''", "and timestamps, was given optional_type\n"},
      {"'%x'.format([1.5]) == ''", "can be formatted as hex, was given double\n"},
      {"'%e'.format([duration('1s')]) == ''",
       "scientific clause can only be used on doubles, was given google.protobuf.Duration\n"},
      {"'%b'.format([[1]]) == ''", "can be formatted as binary, was given list\n"},
      {"'%o'.format([null]) == ''", "can only be used on integers, was given null_type\n"},
      {"quantity('1').sign() == 1",
       "found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'"},
      {"ip('::1')", "must evaluate to bool or the unknown type, not net.IP"},
      {"format.uuid()", "must evaluate to bool or the unknown type, not kubernetes.NamedFormat"},
      {"authorizer.path('/').check('get').allowed()", "undeclared reference to 'authorizer'"},
      {"'ab'.reverse() == 'ba'", "found no matching overload for 'reverse' applied to 'string.()'"},
  };
  for (const auto& c : cases) {
    std::string message = Selects(c.expression);
    EXPECT_NE(message.find(c.issue), std::string::npos) << c.expression << "\n" << message;
  }
}

}  // namespace
}  // namespace stowage::cel
