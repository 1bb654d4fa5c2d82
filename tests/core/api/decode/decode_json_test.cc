#include "core/api/decode/decode_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

struct Inner {
  Symbol name;
  std::optional<int32_t> count;
  std::vector<Symbol> tags;
};

struct Outer {
  Symbol symbol;
  std::string text;
  bool flag = false;
  int32_t narrow = 7;
  int64_t wide = 7;
  double real = 7;
  Quantity quantity;
  std::optional<Instant> instant;
  Duration duration;
  RawJson raw;
  bool has_disk = false;
  std::vector<Symbol> keys;
  LabelMap labels;
  std::optional<LabelMap> selector;
  ResourceList requests;
  std::vector<std::pair<std::string, Inner>> map;
  Inner inner;
  std::optional<Inner> maybe;
  std::vector<Inner> list;
  std::optional<std::vector<Inner>> maybe_list;
};

template <>
struct Schema<Inner> {
  static constexpr auto kFields = Fields(Field<&Inner::name>("name"), Field<&Inner::count>("count"),
                                         Field<&Inner::tags>("tags"));
};

template <>
struct Schema<Outer> {
  static constexpr auto kFields = Fields(
      Field<&Outer::symbol>("symbol"), Field<&Outer::text>("text"), Field<&Outer::flag>("flag"),
      Field<&Outer::narrow>("narrow"), Field<&Outer::wide>("wide"), Field<&Outer::real>("real"),
      Field<&Outer::quantity>("quantity"), Field<&Outer::instant>("instant"),
      Field<&Outer::duration>("duration"), Field<&Outer::raw>("raw"),
      Presence<&Outer::has_disk>("iscsi"), Presence<&Outer::has_disk>("rbd"),
      KeysOf<&Outer::keys>("keys"), Field<&Outer::labels>("labels"),
      Field<&Outer::selector>("selector"), Field<&Outer::requests>("requests"),
      Field<&Outer::map>("map"), Field<&Outer::inner>("inner"), Field<&Outer::maybe>("maybe"),
      Field<&Outer::list>("list"), Field<&Outer::maybe_list>("maybeList"));
};

namespace {

using std::string_view_literals::operator""sv;

Outer Decoded(std::string_view text) {
  Outer outer;
  DecodeReport report = DecodeJson(text, DecodeOptions(), &outer);
  EXPECT_TRUE(report.ok()) << text;
  return outer;
}

TEST(DecodeJson, ReadsEveryType) {
  Outer outer = Decoded(R"({
    "symbol": "s", "text": "t", "flag": true, "narrow": -2147483648, "wide": 9223372036854775807,
    "real": 1.5e2, "quantity": "100m", "instant": "2026-03-01T12:00:00Z", "duration": "1m30s",
    "raw": {"b": [1e3, null, "\u00e4\"", {}], "a": -0.50},
    "rbd": {"x": 1}, "keys": {"b": 1, "a": {}, "b": 2},
    "labels": {"z": "1", "a": "", "n": null}, "selector": {},
    "requests": {"cpu": 2, "memory": " 1Gi "},
    "map": {"y": {"name": "1"}, "x": {"count": 2}},
    "inner": {"name": "i", "tags": ["a", null, "b"]},
    "maybe": {}, "list": [{"count": 1}, null, {"count": null}], "maybeList": []})");
  EXPECT_EQ(outer.symbol, "s");
  EXPECT_EQ(outer.text, "t");
  EXPECT_TRUE(outer.flag);
  EXPECT_EQ(outer.narrow, std::numeric_limits<int32_t>::min());
  EXPECT_EQ(outer.wide, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(outer.real, 150);
  EXPECT_EQ(outer.quantity.MilliValue(), 100);
  EXPECT_EQ(outer.instant, Instant::Parse("2026-03-01T12:00:00Z"));
  EXPECT_EQ(outer.duration.nanos, 90'000'000'000);
  EXPECT_EQ(outer.raw.text, "{\"b\":[1e3,null,\"\xc3\xa4\\\"\",{}],\"a\":-0.50}");
  EXPECT_TRUE(outer.has_disk);
  EXPECT_EQ(outer.keys, (std::vector<Symbol>{Symbol("a"), Symbol("b")}));
  EXPECT_EQ(outer.labels, (LabelMap{{"a", ""}, {"n", ""}, {"z", "1"}}));
  EXPECT_EQ(outer.selector, LabelMap());
  EXPECT_EQ(outer.requests.Find(Symbol("cpu"))->Value(), 2);
  EXPECT_EQ(outer.requests.Find(Symbol("memory"))->Value(), 1 << 30);
  ASSERT_EQ(outer.map.size(), 2u);
  EXPECT_EQ(outer.map[0].first, "y");
  EXPECT_EQ(outer.map[0].second.name, "1");
  EXPECT_EQ(outer.map[1].second.count, 2);
  EXPECT_EQ(outer.inner.tags, (std::vector<Symbol>{Symbol("a"), Symbol(), Symbol("b")}));
  EXPECT_TRUE(outer.maybe.has_value());
  ASSERT_EQ(outer.list.size(), 3u);
  EXPECT_EQ(outer.list[0].count, 1);
  EXPECT_EQ(outer.list[2].count, std::nullopt);
  EXPECT_TRUE(outer.maybe_list.has_value());
}

TEST(DecodeJson, KeepsRawScalars) {
  struct {
    std::string_view value;
    std::string_view want;
  } cases[] = {{"1e3", "1e3"},
               {"12", "12"},
               {"\"a\\n\"", "\"a\\n\""},
               {"true", "true"},
               {"null", ""},
               {"[ ]", "[]"},
               {"[[1],{\"a\":2}]", "[[1],{\"a\":2}]"}};
  for (const auto& c : cases) {
    EXPECT_EQ(Decoded(R"({"raw":)" + std::string(c.value) + "}").raw.text, c.want) << c.value;
  }
}

TEST(DecodeJson, NullLeavesScalarsAndEmptiesTheRest) {
  Outer outer;
  outer.symbol = Symbol("s");
  outer.instant = Instant();
  outer.labels.Set(Symbol("a"), Symbol("b"));
  outer.selector.emplace();
  outer.maybe.emplace();
  outer.list.resize(2);
  outer.inner.name = Symbol("i");
  outer.flag = true;
  outer.real = 1.5;
  outer.text = "t";
  outer.duration.nanos = 5;
  outer.quantity = Quantity(5);
  outer.has_disk = true;
  outer.keys = {Symbol("k")};
  outer.requests[Symbol("cpu")] = Quantity(1);
  outer.map.emplace_back("k", Inner());
  DecodeReport report = DecodeJson(
      R"({"symbol":null,"narrow":null,"instant":null,"labels":null,"selector":null,"maybe":null,
          "list":null,"inner":null,"quantity":null,"iscsi":null,"keys":null,"requests":null,
          "raw":null,"duration":null,"map":null,"flag":null,"real":null,"text":null})",
      DecodeOptions(), &outer);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(outer.symbol, "s");
  EXPECT_EQ(outer.narrow, 7);
  EXPECT_EQ(outer.instant, std::nullopt);
  EXPECT_TRUE(outer.labels.empty());
  EXPECT_EQ(outer.selector, std::nullopt);
  EXPECT_FALSE(outer.maybe.has_value());
  EXPECT_TRUE(outer.list.empty());
  EXPECT_EQ(outer.inner.name, "i");
  EXPECT_TRUE(outer.flag);
  EXPECT_EQ(outer.real, 1.5);
  EXPECT_EQ(outer.text, "t");
  EXPECT_EQ(outer.duration.nanos, 5);
  EXPECT_EQ(outer.quantity.Value(), 0) << "spec 01 §5.1";
  EXPECT_TRUE(outer.has_disk);
  EXPECT_TRUE(outer.keys.empty());
  EXPECT_TRUE(outer.requests.empty());
  EXPECT_TRUE(outer.map.empty());
}

TEST(DecodeJson, NullInAMapIsAnEmptyValue) {
  Outer outer = Decoded(R"({"labels":{"a":"1","a":null},"requests":{"cpu":"1","cpu":null}})");
  EXPECT_EQ(outer.labels, (LabelMap{{"a", ""}}));
  EXPECT_EQ(outer.requests.Find(Symbol("cpu"))->Value(), 0);
}

TEST(DecodeJson, ReadsDoubles) {
  struct {
    std::string_view text;
    double want;
  } cases[] = {{"0", 0},
               {"-3", -3},
               {"0.1", 0.1},
               {"-2.5e-3", -0.0025},
               {"1E2", 100},
               {"9007199254740993", 9007199254740992.0},
               {"18446744073709551615", 18446744073709551616.0},
               {"1e308", 1e308}};
  for (const auto& c : cases) {
    EXPECT_EQ(Decoded(R"({"real":)" + std::string(c.text) + "}").real, c.want) << c.text;
  }
}

// Goal: maps are sorted and their keys unique for any order of the text. Method: keys in descending
// order, each twice, over a map that has some of them.
TEST(DecodeJson, SortsMaps) {
  constexpr int kKeys = 200;
  std::string labels;
  std::string requests;
  for (int round : {1, 2}) {
    for (int key = kKeys; key > 0; --key) {
      std::string member = "\"k" + std::to_string(1000 + key) + "\":\"" + std::to_string(round);
      labels += (labels.empty() ? "" : ",") + member + "\"";
      requests += (requests.empty() ? "" : ",") + member + "\"";
    }
  }
  Outer outer = Decoded(R"({"labels":{"k1001":"0","a":"0","z":"0"},"labels":{)" + labels +
                        R"(},"requests":{"k1001":"0","a":"3"},"requests":{)" + requests + "}}");
  EXPECT_EQ(outer.labels.size(), kKeys + 2u);
  EXPECT_EQ(outer.requests.size(), kKeys + 1u);
  auto is_not_before = [](const auto& a, const auto& b) { return !(a.first < b.first); };
  EXPECT_EQ(std::adjacent_find(outer.labels.begin(), outer.labels.end(), is_not_before),
            outer.labels.end());
  EXPECT_EQ(std::adjacent_find(outer.requests.begin(), outer.requests.end(), is_not_before),
            outer.requests.end());
  EXPECT_EQ(*outer.labels.Find(Symbol("a")), "0");
  EXPECT_EQ(*outer.labels.Find(Symbol("k1001")), "2");
  EXPECT_EQ(outer.requests.Find(Symbol("k1001"))->Value(), 2);
  EXPECT_EQ(outer.requests.Find(Symbol("a"))->Value(), 3);
}

TEST(DecodeJson, LaterDuplicatesWin) {
  Outer outer = Decoded(
      R"({"symbol":"a","symbol":"b","list":[{"name":"x","count":1},{}],"list":[{"count":2}],
          "labels":{"k":"1","l":"1"},"labels":{"k":"2","k":"3"},"inner":{"name":"n"},
          "inner":{"count":4},"requests":{"cpu":1,"cpu":2},"raw":[1],"raw":{"a":2}})");
  EXPECT_EQ(outer.symbol, "b");
  ASSERT_EQ(outer.list.size(), 1u);
  EXPECT_EQ(outer.list[0].name, "");
  EXPECT_EQ(outer.labels, (LabelMap{{"k", "3"}, {"l", "1"}}));
  EXPECT_EQ(outer.inner.name, "n");
  EXPECT_EQ(outer.inner.count, 4);
  EXPECT_EQ(outer.requests.Find(Symbol("cpu"))->Value(), 2);
  EXPECT_EQ(outer.raw.text, R"({"a":2})");
}

TEST(DecodeJson, SkipsUnknownFields) {
  Outer outer = Decoded(
      R"({"Symbol":"case counts","managedFields":[{"f":{"symbol":"no"}},[[]]],"symbol":"yes",
          "x":null,"y":1.5,"z":true,"text ":"no"})");
  EXPECT_EQ(outer.symbol, "yes");
  EXPECT_EQ(outer.text, "");
}

TEST(DecodeJson, ReadsEscapes) {
  Outer outer = Decoded(R"({"text":"\"\\\/\b\f\n\r\t\u0000\u00e4\ud83d\ude00"})");
  EXPECT_EQ(outer.text, "\"\\/\b\f\n\r\t\0\xc3\xa4\xf0\x9f\x98\x80"sv);
  EXPECT_EQ(Decoded(R"({"symbol":"a\u0000b"})").symbol, "a\0b"sv);
  EXPECT_EQ(Decoded(R"({"\u0073ymbol":"a"})").symbol, "a");
}

struct FieldErrorCase {
  std::string_view text;
  InputErrorCode code;
  std::string_view field;
  std::string_view value;
  std::string_view message;  // empty: not compared
};

constexpr auto kType = InputErrorCode::kFieldValueTypeInvalid;
constexpr auto kValue = InputErrorCode::kFieldValueInvalid;

void ExpectOneError(const FieldErrorCase& c) {
  Outer outer;
  DecodeReport report = DecodeJson(c.text, DecodeOptions(), &outer);
  EXPECT_FALSE(report.syntax_error.has_value()) << c.text;
  ASSERT_EQ(report.field_errors.size(), 1u) << c.text;
  const FieldError& error = report.field_errors[0];
  EXPECT_EQ(error.code, c.code) << c.text;
  EXPECT_EQ(error.field, c.field) << c.text;
  EXPECT_EQ(error.value, c.value) << c.text;
  if (!c.message.empty()) {
    EXPECT_EQ(error.message, c.message);
  }
}

TEST(DecodeJson, ReportsWrongScalars) {
  FieldErrorCase cases[] = {
      {R"({"symbol":1})", kType, "symbol", "1",
       "symbol: Invalid value: 1: must be a string, not a number"},
      {R"({"text":true})", kType, "text", "true",
       "text: Invalid value: true: must be a string, not a boolean"},
      {R"({"flag":"true"})", kType, "flag", "true",
       R"(flag: Invalid value: "true": must be a boolean, not a string)"},
      {R"({"narrow":"1"})", kType, "narrow", "1",
       R"(narrow: Invalid value: "1": must be an integer, not a string)"},
      {R"({"narrow":{}})", kType, "narrow", "",
       "narrow: Invalid value: must be an integer, not an object"},
      {R"({"narrow":2147483648})", kValue, "narrow", "2147483648",
       "narrow: Invalid value: 2147483648: must be a 32-bit integer"},
      {R"({"narrow":1e3})", kValue, "narrow", "1e3",
       "narrow: Invalid value: 1e3: must be an integer without fraction or exponent"},
      {R"({"narrow":1.0})", kValue, "narrow", "1.0",
       "narrow: Invalid value: 1.0: must be an integer without fraction or exponent"},
      {R"({"wide":9223372036854775808})", kValue, "wide", "9223372036854775808",
       "wide: Invalid value: 9223372036854775808: must be a 64-bit integer"},
      {R"({"wide":-100000000000000000000000})", kValue, "wide", "-100000000000000000000000",
       "wide: Invalid value: -100000000000000000000000: must be a 64-bit integer"},
      {R"({"real":"1"})", kType, "real", "1",
       R"(real: Invalid value: "1": must be a number, not a string)"},
      {R"({"quantity":"1x"})", kValue, "quantity", "1x",
       R"(quantity: Invalid value: "1x": quantities must match the regular expression )"
       R"('^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$')"},
      {R"({"quantity":"1Mb"})", kValue, "quantity", "1Mb", ""},
      {R"({"quantity":"1mi"})", kValue, "quantity", "1mi",
       R"(quantity: Invalid value: "1mi": unable to parse quantity's suffix)"},
      {R"({"quantity":""})", kValue, "quantity", "", ""},
      {R"({"quantity":[]})", kType, "quantity", "",
       "quantity: Invalid value: must be a quantity, not a list"},
      {R"({"instant":"yesterday"})", kValue, "instant", "yesterday",
       R"(instant: Invalid value: "yesterday": must be a time as in RFC 3339)"},
      {R"({"instant":5})", kType, "instant", "5",
       "instant: Invalid value: 5: must be a string, not a number"},
      {R"({"duration":"5"})", kValue, "duration", "5",
       R"(duration: Invalid value: "5": must be a duration such as 10s or 1m30s)"},
  };
  for (const FieldErrorCase& c : cases) ExpectOneError(c);
}

TEST(DecodeJson, ReportsWrongPartsOfContainers) {
  FieldErrorCase cases[] = {
      {R"({"iscsi":true})", kType, "iscsi", "true",
       "iscsi: Invalid value: true: must be an object, not a boolean"},
      {R"({"keys":["a"]})", kType, "keys", "",
       "keys: Invalid value: must be an object, not a list"},
      {R"({"labels":{"a":1}})", kType, "labels[a]", "1",
       "labels[a]: Invalid value: 1: must be a string, not a number"},
      {R"({"selector":{"a":{}}})", kType, "selector[a]", "",
       "selector[a]: Invalid value: must be a string, not an object"},
      {R"({"labels":"a=b"})", kType, "labels", "a=b",
       R"(labels: Invalid value: "a=b": must be an object, not a string)"},
      {R"({"requests":{"cpu":"1","memory":"!"}})", kValue, "requests[memory]", "!", ""},
      {R"({"map":{"k":{"count":"1"}}})", kType, "map[k].count", "1",
       R"(map[k].count: Invalid value: "1": must be an integer, not a string)"},
      {R"({"list":[{},{"tags":["a",2]}]})", kType, "list[1].tags[1]", "2",
       "list[1].tags[1]: Invalid value: 2: must be a string, not a number"},
      {R"({"list":{}})", kType, "list", "", "list: Invalid value: must be a list, not an object"},
      {R"({"maybeList":[1]})", kType, "maybeList[0]", "1",
       "maybeList[0]: Invalid value: 1: must be an object, not a number"},
      {"[]", kType, "", "", "Invalid value: must be an object, not a list"},
      {"5", kType, "", "5", "Invalid value: 5: must be an object, not a number"},
  };
  for (const FieldErrorCase& c : cases) ExpectOneError(c);
}

TEST(DecodeJson, ContinuesAfterAFieldError) {
  Outer outer;
  DecodeReport report = DecodeJson(
      R"({"narrow":"x","list":{"a":[1,{}]},"symbol":"kept","inner":{"count":[[]],"name":"n"}})",
      DecodeOptions(), &outer);
  EXPECT_EQ(outer.symbol, "kept");
  EXPECT_EQ(outer.inner.name, "n");
  ASSERT_EQ(report.field_errors.size(), 3u);
  EXPECT_EQ(report.field_errors[2].field, "inner.count");
}

TEST(DecodeJson, BoundsErrorsAndValues) {
  std::string text = R"({"map":{)";
  for (int index = 0; index < 100; ++index) {
    text += "\"k" + std::to_string(index) + "\":1,";
  }
  text += R"("last":")" + std::string(79, 'x') + "\xc3\xa4\"}}";
  Outer outer;
  DecodeOptions options;
  options.errors_max = 1000;
  DecodeReport report = DecodeJson(text, options, &outer);
  ASSERT_EQ(report.field_errors.size(), 101u);
  EXPECT_EQ(report.field_errors.back().value, std::string(79, 'x'));
  EXPECT_EQ(DecodeJson(text, DecodeOptions(), &outer).field_errors.size(), 16u);
}

TEST(DecodeJson, ReportsSyntaxErrors) {
  constexpr auto kMalformed = InputErrorCode::kMalformedJson;
  constexpr auto kUtf8 = InputErrorCode::kInvalidUtf8;
  struct {
    std::string_view text;
    InputErrorCode code;
    size_t offset;
    size_t line;
    size_t column;
  } cases[] = {
      {"", kMalformed, 0, 1, 1},
      {"  ", kMalformed, 2, 1, 3},
      {"{", kMalformed, 1, 1, 2},
      {"{\n  \"a\": x}", kMalformed, 9, 2, 8},
      {"{\"a\":1}}", kMalformed, 7, 1, 8},
      {"{\"a\":1}\0"sv, kMalformed, 7, 1, 8},
      {"{\"a\":\"\t\"}", kMalformed, 6, 1, 7},
      {R"({"a":"\q"})", kMalformed, 7, 1, 8},
      {R"({"a":"\ud800"})", kMalformed, 12, 1, 13},
      {R"({"a":"\udc00"})", kMalformed, 11, 1, 12},
      {R"({"a":01})", kMalformed, 6, 1, 7},
      {R"({"a":1e999})", kMalformed, 9, 1, 10},
      {"{\"a\":\"\xff\"}", kUtf8, 6, 1, 7},
      {"{\n\"a\":\"\xc3(\"}", kUtf8, 7, 2, 6},
      {"{\"a\":\"\xed\xa0\x80\"}", kUtf8, 6, 1, 7},
      {"\xff", kUtf8, 0, 1, 1},
  };
  for (const auto& c : cases) {
    Outer outer;
    DecodeReport report = DecodeJson(c.text, DecodeOptions(), &outer);
    ASSERT_TRUE(report.syntax_error.has_value()) << c.text;
    EXPECT_EQ(report.syntax_error->code, c.code) << c.text;
    EXPECT_EQ(report.syntax_error->offset, c.offset) << c.text;
    EXPECT_EQ(report.syntax_error->line, c.line) << c.text;
    EXPECT_EQ(report.syntax_error->column, c.column) << c.text;
    EXPECT_FALSE(report.syntax_error->message.empty()) << c.text;
  }
}

TEST(DecodeJson, KeepsErrorMessagesShort) {
  Outer outer;
  DecodeReport report =
      DecodeJson(R"({"a":")" + std::string(100000, 'x') + "\n", DecodeOptions(), &outer);
  ASSERT_TRUE(report.syntax_error.has_value());
  EXPECT_LT(report.syntax_error->message.size(), 250u);
  EXPECT_EQ(DecodeJson("{\"a\":}", DecodeOptions(), &outer).syntax_error->message,
            "syntax error while parsing value - unexpected '}'; expected '[', '{', or a literal");
}

TEST(DecodeJson, BoundsTheDepth) {
  DecodeOptions options;
  options.depth_max = 4;
  Outer outer;
  EXPECT_TRUE(DecodeJson(R"({"x":[[[]]],"raw":[[[1]]]})", options, &outer).ok());
  DecodeReport report = DecodeJson(R"({"x":"[[[[[",)"
                                   "\n"
                                   R"("y":[[[[]]]]})",
                                   options, &outer);
  ASSERT_TRUE(report.syntax_error.has_value());
  EXPECT_EQ(report.syntax_error->code, InputErrorCode::kTooDeep);
  EXPECT_EQ(report.syntax_error->line, 2u);
  EXPECT_EQ(report.syntax_error->column, 8u);
  EXPECT_EQ(report.syntax_error->message, "nested deeper than 4 levels");
}

// Goal: the field index finds exactly its own keys. Method: every schema key, and near misses.
TEST(TypeInfo, FindsFieldsByKey) {
  const TypeInfo& type = kTypeInfo<Outer>;
  for (size_t index = 0; index < Schema<Outer>::kFields.fields.size(); ++index) {
    std::string_view key = type.fields[index].key;
    EXPECT_EQ(type.Find(key), &type.fields[index]) << key;
    EXPECT_EQ(type.Find(std::string(key) + "s"), nullptr) << key;
    EXPECT_EQ(type.Find(key.substr(1)), nullptr) << key;
  }
  EXPECT_EQ(type.Find(""), nullptr);
}

}  // namespace
}  // namespace stowage
