#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/cel/device_environment.h"
#include "core/cel/libraries.h"
#include "tests/core/cel/library_call.h"

namespace stowage::cel {
namespace {

constexpr std::string_view kTexts[] = {"",
                                       "a",
                                       "abc",
                                       "é漢\U0001F600",
                                       "1",
                                       "-1",
                                       "1.5",
                                       "true",
                                       "10Mi",
                                       "1.2.3",
                                       "v1.2",
                                       "1.2.3-a",
                                       "::1",
                                       "10.0.0.0/8",
                                       "1.2.3.4",
                                       "/a?b=c",
                                       "https://a:1",
                                       "uuid",
                                       "1h30m",
                                       "[a-c]+(b|c)",
                                       "(",
                                       "%s %d",
                                       "%.3f %%",
                                       "%x%X%b%o%e",
                                       "a,b,,c",
                                       "\u2003x",
                                       "2024-02-29",
                                       "2024-01-01T00:00:00Z",
                                       "+01:00",
                                       "\n\t\"\\",
                                       "%",
                                       "[",
                                       "a*"};
constexpr int64_t kInts[] = {0, 1, 2, 3, -1, 100, 1'000'000, INT64_MAX, INT64_MIN};

// Makes values of the types that the letters of core/cel/type.h stand for.
class ValueMaker {
 public:
  explicit ValueMaker(Arena& arena) : arena_(arena) {}

  // A value of the type at the front of the letters, which is removed.
  Value Take(std::string_view* letters, int depth = 0) {
    char letter = letters->front();
    letters->remove_prefix(1);
    switch (letter) {
      case 'b':
        return Value::Bool(rng_.Below(2) == 0);
      case 'i':
        return I(kInts[rng_.Below(std::size(kInts))]);
      case 'u':
        return Value::Uint(static_cast<uint64_t>(kInts[rng_.Below(std::size(kInts))]));
      case 'd':
        return MakeDouble();
      case 's':
        return MakeText();
      case 'y':
        return Value::Bytes(rng_.Below(4) == 0 ? "\xFF\x00" : MakeText().text());
      case 'n':
        return Value::Null();
      case 't':
        return Value::Timestamp(static_cast<int64_t>(rng_.Below(3'000'000'000)), 5);
      case 'r':
        return Value::Duration(kInts[rng_.Below(std::size(kInts))]);
      case 'l':
        return MakeList(letters, depth);
      case 'm':
        return MakeMap(letters, depth);
      case 'o':
        return MakeOptional(letters, depth);
      case 'k':
        Take(letters, depth + 1);
        return Value::Type("int");
      default:
        return MakeOpaqueOrAny(letter, depth);
    }
  }

  Value MakeText() {
    std::string_view text = kTexts[rng_.Below(std::size(kTexts))];
    if (rng_.Below(4) != 0) return S(text);
    return ValueBuilder::String(arena_, {text, kTexts[rng_.Below(std::size(kTexts))]});
  }

 private:
  Value MakeDouble() {
    constexpr double kDoubles[] = {0, -0.0, 1.5, 1e300, -2.25, 1e-300, 9.3e18};
    if (rng_.Below(8) == 0) return Value::Double(std::numeric_limits<double>::quiet_NaN());
    if (rng_.Below(8) == 0) return Value::Double(std::numeric_limits<double>::infinity());
    return Value::Double(kDoubles[rng_.Below(std::size(kDoubles))]);
  }

  Value MakeList(std::string_view* letters, int depth) {
    std::vector<Value> items;
    std::string_view element = *letters;
    for (uint64_t left = rng_.Below(4); left > 0; --left) {
      std::string_view again = element;
      items.push_back(Take(&again, depth + 1));
    }
    Take(letters, depth + 1);
    return ValueBuilder::List(arena_, items);
  }

  Value MakeMap(std::string_view* letters, int depth) {
    MapEntry entry;
    entry.key = Take(letters, depth + 1);
    entry.value = Take(letters, depth + 1);
    if (entry.key.kind() != Kind::kInt) entry.key = MakeText();
    return ValueBuilder::Map(arena_, {&entry, static_cast<size_t>(rng_.Below(2))});
  }

  Value MakeOptional(std::string_view* letters, int depth) {
    Value value = Take(letters, depth + 1);
    return rng_.Below(2) == 0 ? Value::OptionalNone() : ValueBuilder::Optional(arena_, value);
  }

  Value MakeOpaqueOrAny(char letter, int depth) {
    auto make = [this](FunctionTable table, std::string_view name, std::string_view text) {
      for (const Function& function : table) {
        if (function.name != name) continue;
        Value argument = S(text);
        return function.call({arena_, {&argument, 1}});
      }
      return Value::Null();
    };
    switch (letter) {
      case 'Q':
        return make(QuantityFunctions(), "quantity", rng_.Below(2) == 0 ? "1.5Gi" : "-1e40");
      case 'V':
        return make(SemverFunctions(), "semver", rng_.Below(2) == 0 ? "1.2.3" : "1.2.3-a.1+b");
      case 'I':
        return make(IpFunctions(), "ip", rng_.Below(2) == 0 ? "10.1.2.3" : "fe80::1");
      case 'N':
        return make(IpFunctions(), "cidr", rng_.Below(2) == 0 ? "10.0.0.0/8" : "::/3");
      case 'U':
        return make(UrlFunctions(), "url", rng_.Below(2) == 0 ? "https://[::1]:8/?a=b&a" : "/%2F");
      case 'F':
        return ValueBuilder::OfOpaque(arena_, kFormatKind, FormatOf(rng_.Below(13)));
      default: {
        constexpr std::string_view kAny[] = {"b", "i", "d", "s", "li", "msi", "Q", "V", "os", "n"};
        std::string_view any = depth > 2 ? "i" : kAny[rng_.Below(std::size(kAny))];
        return Take(&any, depth + 1);
      }
    }
  }

  static const void* FormatOf(uint64_t place) {
    Arena arena;
    return FormatFunctions()[place].call({arena, {}}).opaque()->data;
  }

  Arena& arena_;
  Rng rng_{5};
};

// Goal: every function takes any arguments of its types, and returns a value of its result's type
// or an error. Method: 300 seeded calls of each overload.
TEST(Libraries, TakeAnyArguments) {
  DeviceGates gates;
  gates.list_attributes = true;
  size_t num_results = 0;
  size_t num_errors = 0;
  for (FunctionTable table : DeviceFunctions(gates)) {
    for (const Function& function : table) {
      if (function.call == nullptr) continue;
      Arena arena;
      ValueMaker maker(arena);
      for (int round = 0; round < 300; ++round) {
        std::string_view letters = function.signature;
        std::vector<Value> arguments;
        while (letters.front() != ':') {
          arguments.push_back(maker.Take(&letters));
          if (letters.front() == '.') letters.remove_prefix(1);
        }
        letters.remove_prefix(1);
        Call call{arena, arguments};
        Value result = function.call(call);
        if (function.cost != nullptr) function.cost(call, result);
        std::string_view result_letters = letters;
        bool fits = result.is_error() || TakeFit(&result_letters, result);
        EXPECT_TRUE(fits) << function.name << " " << function.signature << ": "
                          << PrintValue(result);
        ++(result.is_error() ? num_errors : num_results);
      }
    }
  }
  EXPECT_GT(num_results, 30'000u);
  EXPECT_GT(num_errors, 1'000u);
}

}  // namespace
}  // namespace stowage::cel
