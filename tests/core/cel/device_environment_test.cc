// Goal: a selector selects the devices that it selects in kube-scheduler, and fails with its words.
// Method: the facts of spec plugins/dynamic-resources-cel.md, one by one.
#include "core/cel/device_environment.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stowage::cel {
namespace {

using Kind = AttributeValueView::Kind;

constexpr DeviceGates kDefaultGates;
constexpr DeviceGates kListGates = {true, true};

const AttributeValueView kModel[] = {{Kind::kString, 0, "a100"}};
const AttributeValueView kSlices[] = {{Kind::kInt, 7, ""}};
const AttributeValueView kHealthy[] = {{Kind::kBool, 1, ""}};
const AttributeValueView kVersion[] = {{Kind::kVersion, 0, "1.10.2"}};
const AttributeValueView kBadVersion[] = {{Kind::kVersion, 0, "1.x"}};
const AttributeValueView kBus[] = {{Kind::kString, 0, "0000:01"}};
const AttributeValueView kStrings[] = {{Kind::kString, 0, "x"}, {Kind::kString, 0, "y"}};

struct Fixture {
  std::vector<AttributeView> attributes = {
      {"model", kModel, false},
      {"gpu.example.com/slices", kSlices, false},
      {"healthy", kHealthy, false},
      {"driverVersion", kVersion, false},
      {"resource.kubernetes.io/bus", kBus, false},
  };
  Quantity memory = *Quantity::Parse("40Gi");
  std::vector<CapacityView> capacity = {{"memory", &memory}};
  DeviceView device = {"gpu.example.com", false, attributes, capacity};
};

// "true", "false" or the message of the error.
std::string Selects(std::string_view expression, const DeviceView& device,
                    DeviceGates gates = kDefaultGates) {
  Result<DeviceSelector, CelError> selector = DeviceSelector::Compile(expression, gates);
  if (!selector.ok()) return selector.fault().message;
  Result<bool, CelError> result = selector->Evaluate(DeviceInput(device, gates));
  if (!result.ok()) return result.fault().message;
  return *result ? "true" : "false";
}
std::string Selects(std::string_view expression) { return Selects(expression, Fixture().device); }

TEST(DeviceSelector, SelectsByTheDevice) {
  const struct {
    std::string_view expression;
    std::string_view wanted;
  } cases[] = {
      {"true", "true"},
      {"false", "false"},
      {"device.driver == 'gpu.example.com'", "true"},
      {"device.driver == ''", "false"},
      {"device.attributes['gpu.example.com'].model == 'a100'", "true"},
      {"device.attributes['gpu.example.com']['model'] == 'a100'", "true"},
      {"device.attributes['gpu.example.com'].slices >= 7", "true"},
      {"device.attributes['gpu.example.com'].slices > 7.5", "false"},
      {"device.attributes['gpu.example.com'].healthy", "true"},
      {"device.attributes['resource.kubernetes.io'].bus == '0000:01'", "true"},
      {"device.attributes['gpu.example.com'].driverVersion.compareTo(semver('1.9.0')) > 0", "true"},
      {"device.attributes['gpu.example.com'].driverVersion.isGreaterThan(semver('2.0.0'))",
       "false"},
      {"device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) == 0", "true"},
      {"device.capacity['gpu.example.com'].memory.isLessThan(quantity('1Ti'))", "true"},
      {"device.attributes['gpu.example.com'].model.startsWith('a') || 'x' in ['x', 'y']", "true"},
      {"device.attributes['gpu.example.com'].model.split('').size() == 4", "true"},
      {"device.attributes['gpu.example.com'].model.lowerAscii().matches('^a[0-9]+$')", "true"},
      {"cel.bind(gpu, device.attributes['gpu.example.com'], gpu.model == 'a100' && gpu.slices == "
       "7)",
       "true"},
      {"device.allowMultipleAllocations", "false"},
      {"'gpu.example.com' in device.attributes", "true"},
      {"'other.example.com' in device.attributes", "false"},
      {"'model' in device.attributes['gpu.example.com']", "true"},
      {"'model' in device.attributes['other.example.com']", "false"},
      {"has(device.attributes['gpu.example.com'].nosuch)", "false"},
      {"device.attributes['other.example.com'].?model.orValue('') == ''", "true"},
      {"'nosuch' in device.attributes['gpu.example.com'] && "
       "device.attributes['gpu.example.com'].nosuch == 1",
       "false"},
      {"device.attributes.exists_one(domain, domain == 'resource.kubernetes.io')", "true"},
      {"device.attributes.all(domain, domain != 'other.example.com')", "true"},
      {"device.attributes['gpu.example.com'].exists_one(id, id == 'slices')", "true"},
      {"device.capacity.exists_one(domain, domain == 'gpu.example.com')", "true"},
      {"device.capacity['gpu.example.com'].exists_one(id, id == 'memory')", "true"},
      {"device.attributes.size() == 2", "true"},
  };
  for (const auto& c : cases) EXPECT_EQ(Selects(c.expression), c.wanted) << c.expression;
}

TEST(DeviceSelector, FailsWithTheWordsOfTheReference) {
  const struct {
    std::string_view expression;
    std::string_view wanted;
  } cases[] = {
      {"device.attributes['gpu.example.com'].nosuch == 'x'", "no such key: nosuch"},
      {"device.attributes['other.example.com'].model == 'x'", "no such key: model"},
      {"sign(device.capacity['other.example.com'].memory) == 1", "no such key: memory"},
      {"device.attributes['gpu.example.com'].model > 3", "no such overload"},
      {"device.attributes['gpu.example.com'].model.compareTo(semver('1.0.0')) > 0",
       "no such overload: compareTo(string, kubernetes.Semver)"},
      {"device.attributes['gpu.example.com'].model",
       "CEL result of type string could not be converted to bool: "
       "unsupported native conversion from string to 'bool'"},
      {"device.attributes['gpu.example.com'].driverVersion",
       "CEL result of type kubernetes.Semver could not be converted to bool: "
       "type conversion error from 'Semver' to 'bool'"},
      {"device.attributes['gpu.example.com'].slices",
       "CEL result of type int could not be converted to bool: "
       "unsupported type conversion from 'int' to bool"},
      {"device", "must evaluate to bool or the unknown type, not kubernetes.DRADevice"},
      {"'a'", "must evaluate to bool or the unknown type, not string"},
      {"dyn(true)", "must evaluate to bool or the unknown type, not dyn"},
      {"device.capacity['a'].b",
       "must evaluate to bool or the unknown type, not kubernetes.Quantity"},
      {"device.model == 1",
       "compilation failed: ERROR: <input>:1:7: undefined field 'model'\n"
       " | device.model == 1\n"
       " | ......^"},
      {"device.driver = 'a'",
       "compilation failed: ERROR: <input>:1:15: Syntax error: token recognition error at: '= '\n"
       " | device.driver = 'a'\n"
       " | ..............^\n"
       "ERROR: <input>:1:17: Syntax error: extraneous input ''a'' expecting <EOF>\n"
       " | device.driver = 'a'\n"
       " | ................^"},
      {"!-a",
       "compilation failed: ERROR: <input>:1:3: Syntax error: no viable alternative at input '-a'\n"
       " | !-a\n"
       " | ..^"},
      {"!-",
       "compilation failed: ERROR: <input>:1:3: Syntax error: no viable alternative at input '-'\n"
       " | !-\n"
       " | ..^"},
      // The checker of format takes a value of unknown type for no text.
      {"'%s'.format([device.attributes['gpu.example.com'].model]) == 'a100'",
       "compilation failed: ERROR: <input>:1:50: error during formatting: string clause can only "
       "be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and "
       "timestamps, was given google.protobuf.Any\n"
       " | '%s'.format([device.attributes['gpu.example.com'].model]) == 'a100'\n"
       " | .................................................^"},
      {"'%s'.format([dyn(device.attributes['gpu.example.com'].model)]) == 'b'", "false"},
      {"!-1u == 1",
       "compilation failed: ERROR: <input>:1:3: Syntax error: no viable alternative at input "
       "'-1u'\n"
       " | !-1u == 1\n"
       " | ..^"},
      {"int('x') == 1",
       "program instantiation failed: type conversion error from 'string' to 'int'"},
  };
  for (const auto& c : cases) EXPECT_EQ(Selects(c.expression), c.wanted) << c.expression;
}

TEST(DeviceSelector, AllowMultipleAllocationsNeedsItsGate) {
  Fixture fixture;
  fixture.device.allow_multiple_allocations = true;
  EXPECT_EQ(Selects("device.allowMultipleAllocations", fixture.device), "true");
  EXPECT_EQ(Selects("device.allowMultipleAllocations", fixture.device, DeviceGates{false, false}),
            "compilation failed: ERROR: <input>:1:7: undefined field 'allowMultipleAllocations'\n"
            " | device.allowMultipleAllocations\n"
            " | ......^");
}

TEST(DeviceSelector, AnUnsupportedAttributeFailsEveryExpression) {
  Fixture fixture;
  fixture.attributes.push_back({"tags", kStrings, true});
  fixture.device.attributes = fixture.attributes;
  EXPECT_EQ(Selects("true", fixture.device), "attribute tags: unsupported attribute value");
  EXPECT_EQ(Selects("true", fixture.device, kListGates), "true");
  fixture.attributes.back() = {"none", {}, false};
  EXPECT_EQ(Selects("true", fixture.device), "attribute none: unsupported attribute value");
  fixture.attributes.back() = {"version", kBadVersion, false};
  EXPECT_EQ(Selects("true", fixture.device).substr(0, 43),
            "attribute version: parse semantic version: ");
}

TEST(DeviceSelector, ListsOfAttributesNeedTheirGate) {
  Fixture fixture;
  fixture.attributes.push_back({"tags", kStrings, true});
  fixture.device.attributes = fixture.attributes;
  const struct {
    std::string_view expression;
    std::string_view wanted;
  } cases[] = {
      {"device.attributes['gpu.example.com'].tags.includes('y')", "true"},
      {"device.attributes['gpu.example.com'].tags.includes('z')", "false"},
      {"device.attributes['gpu.example.com'].model.includes('a100')", "true"},
      {"'x' in device.attributes['gpu.example.com'].tags", "true"},
      {"device.attributes['gpu.example.com'].tags[1] == 'y'", "true"},
      {"device.attributes['gpu.example.com'].slices == 7", "true"},
      {"device.attributes['gpu.example.com'].healthy", "true"},
      {"device.attributes['gpu.example.com'].tags",
       "CEL result of type list could not be converted to bool: "
       "type conversion error from list to 'bool'"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Selects(c.expression, fixture.device, kListGates), c.wanted) << c.expression;
  }
  EXPECT_EQ(Selects("'a'.includes('a')"),
            "compilation failed: ERROR: <input>:1:13: undeclared reference to 'includes' "
            "(in container '')\n"
            " | 'a'.includes('a')\n"
            " | ............^");
}

TEST(DeviceSelector, EndsAtTheCostLimit) {
  std::string list = "[0";
  for (int item = 1; item < 60; ++item) list += ", device.driver.size()";
  list += "]";
  std::string expression = list + ".all(a, " + list + ".all(b, " + list + ".all(c, true)))";
  EXPECT_EQ(Selects(expression), "operation cancelled: actual cost limit exceeded");
}

TEST(DeviceSelector, AnEmptyDeviceHasNoDomains) {
  EXPECT_EQ(Selects("device.driver == '' && device.attributes.size() == 0", DeviceView()), "true");
  EXPECT_EQ(Selects("device.attributes['a'].size() == 0", DeviceView()), "true");
}

TEST(DeviceSelectorCache, KeepsTheMostRecentlyUsed) {
  DeviceSelectorCache cache(kDefaultGates);
  const DeviceSelector* first = *cache.Get("true");
  for (int other = 0; other < 9; ++other) {
    ASSERT_TRUE(cache.Get(std::to_string(other) + " == 0").ok());
  }
  EXPECT_EQ(*cache.Get("true"), first);
  ASSERT_TRUE(cache.Get("9 == 0").ok());
  EXPECT_EQ(*cache.Get("true"), first);
  EXPECT_FALSE(cache.Get("1 +").ok());
  EXPECT_EQ(cache.Get("1 +").fault().message.substr(0, 20), "compilation failed: ");
  EXPECT_EQ(*cache.Get("true"), first);
}

TEST(DeviceSelector, TellsItsCost) {
  DeviceSelector selector =
      DeviceSelector::Compile("device.attributes['gpu.example.com'].model == 'a100'", kDefaultGates)
          .Take();
  uint64_t cost = 0;
  ASSERT_TRUE(selector.Evaluate(DeviceInput(Fixture().device, kDefaultGates), &cost).ok());
  EXPECT_EQ(cost, 5u);
}

}  // namespace
}  // namespace stowage::cel
