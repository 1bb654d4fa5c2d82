#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/api/encode/utf8.h"
#include "tests/core/api/decode/recording_sink.h"

namespace stowage {
namespace {

// The members of an error, in the order: code, apiVersion, kind, namespace, name, field, value,
// message.
std::vector<std::string> FieldsOf(const InputError& error) {
  return {std::string(InputErrorCodeName(error.code)),
          error.api_version,
          error.kind,
          error.namespace_,
          error.name,
          error.field,
          error.value,
          error.message};
}

struct ErrorCase {
  std::string_view text;
  std::vector<std::string> want;
};

void ExpectOneError(const ErrorCase& c) {
  RecordingSink sink = Record(c.text, BatchFormat::kDocument);
  ASSERT_EQ(sink.errors.size(), 1u) << c.text;
  EXPECT_EQ(FieldsOf(sink.errors[0]), c.want) << c.text;
  EXPECT_EQ(sink.lines.size(), 1u) << c.text;
}

// Goal: every kind of bad input has its code, and its error names the object. Method: one bad item,
// its error.
TEST(BatchErrors, NameAnObjectThatIsNotJson) {
  ErrorCase cases[] = {
      {R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b"},"spec":{x}})",
       {"MalformedJson", "v1", "Pod", "b", "a", "", "",
        "syntax error while parsing object key - invalid literal; last read: '\"spec\":{x'; "
        "expected string literal"}},
      {R"({"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","names)",
       {"MalformedJson", "v1", "Pod", "", "a", "", "",
        "syntax error while parsing object key - invalid string: missing closing quote; last read: "
        "'\"names'; expected string literal"}},
      {"{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"uid\":\"\xc3(\"}}",
       {"InvalidUtf8", "v1", "Pod", "", "a", "", "", "invalid UTF-8"}},
      {"{\"kind\":\"P\xffod\",\"apiVersion\":\"v1\"}",
       {"InvalidUtf8", "v1", "", "", "", "", "", "invalid UTF-8"}},
  };
  for (const ErrorCase& c : cases) ExpectOneError(c);
}

TEST(BatchErrors, NameUnknownKinds) {
  ErrorCase cases[] = {
      {R"({"kind":"Gadget","apiVersion":"example.com/v1","metadata":{"name":"a","namespace":"b"}})",
       {"UnknownKind", "example.com/v1", "Gadget", "b", "a", "", "",
        "this engine does not read the kind Gadget of example.com/v1"}},
      {R"({"kind":"Pod","apiVersion":"v2","metadata":{"name":"a"}})",
       {"UnknownKind", "v2", "Pod", "", "a", "", "",
        "this engine does not read the kind Pod of v2"}},
      {R"({"kind":"ConfigMapList","apiVersion":"v1","items":[{},{},{}]})",
       {"UnknownKind", "v1", "ConfigMap", "", "", "", "",
        "this engine does not read the kind ConfigMap of v1"}},
      {R"({"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1beta2","metadata":{"name":"a"}})",
       {"UnknownKind", "resource.k8s.io/v1beta2", "DeviceClass", "", "a", "", "",
        "this engine does not read the kind DeviceClass of resource.k8s.io/v1beta2"}},
      {R"({"type":"SYNC_BEGIN","resource":"gadgets"})",
       {"FieldValueNotSupported", "", "", "", "", "resource", "gadgets",
        R"(resource: Unsupported value: "gadgets": this engine does not read this resource)"}},
      {R"({"type":"SYNC_END","resource":"gadgets.v1.example.com"})",
       {"FieldValueNotSupported", "", "", "", "", "resource", "gadgets.v1.example.com",
        R"(resource: Unsupported value: "gadgets.v1.example.com": this engine does not read this )"
        "resource"}},
      {R"({"type":"ANSWER","call":17})",
       {"FieldValueNotSupported", "", "", "", "", "type", "ANSWER",
        R"(type: Unsupported value: "ANSWER": supported values: "ACTIVATE", "ADDED", )"
        R"("ALLOW_WAITING_POD", "BOOKMARK", )"
        R"("COMPLETION", "DELETED", "ERROR", "MODIFIED", "REJECT_WAITING_POD", "SCHEDULE_ONE", )"
        R"("SYNC_BEGIN", "SYNC_END")"}},
  };
  for (const ErrorCase& c : cases) ExpectOneError(c);
}

TEST(BatchErrors, NameMissingFields) {
  ErrorCase cases[] = {
      {R"({"apiVersion":"v1","metadata":{"name":"a"}})",
       {"FieldValueRequired", "v1", "", "", "a", "kind", "", "kind: Required value"}},
      {R"({"kind":"Pod","metadata":{"name":"a"}})",
       {"FieldValueRequired", "", "Pod", "", "a", "apiVersion", "", "apiVersion: Required value"}},
      {R"({"metadata":{"name":"a"}})",
       {"FieldValueRequired", "", "", "", "a", "kind", "", "kind: Required value"}},
      {R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n"}})",
       {"FieldValueRequired", "v1", "Pod", "n", "a", "metadata.uid", "",
        "metadata.uid: Required value"}},
      {R"({"type":"ADDED","object":null})",
       {"FieldValueRequired", "", "", "", "", "object", "", "object: Required value"}},
      {R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{}}})",
       {"FieldValueRequired", "v1", "Pod", "", "", "metadata.resourceVersion", "",
        "metadata.resourceVersion: Required value"}},
      {R"({"type":"SYNC_END"})",
       {"FieldValueRequired", "", "", "", "", "resource", "", "resource: Required value"}},
      {R"({"type":"COMPLETION","status":200})",
       {"FieldValueRequired", "", "", "", "", "call", "", "call: Required value"}},
      {R"({"type":"COMPLETION","call":"1","status":200})",
       {"FieldValueTypeInvalid", "", "", "", "", "call", "1",
        R"(call: Invalid value: "1": must be an integer, not a string)"}},
      {R"({"type":"COMPLETION","call":1,"error":"bored"})",
       {"FieldValueNotSupported", "", "", "", "", "error", "bored",
        R"(error: Unsupported value: "bored": supported values: "aborted", "network", "timeout")"}},
      {R"({"type":"ALLOW_WAITING_POD","plugin":"P"})",
       {"FieldValueRequired", "", "", "", "", "uid", "", "uid: Required value"}},
      {R"({"type":"REJECT_WAITING_POD","uid":"u","message":"m"})",
       {"FieldValueRequired", "", "", "", "", "plugin", "", "plugin: Required value"}},
      {R"({"type":"SCHEDULE_ONE","pod":null})",
       {"FieldValueRequired", "", "", "", "", "pod", "", "pod: Required value"}},
  };
  for (const ErrorCase& c : cases) ExpectOneError(c);
}

TEST(BatchErrors, NameFieldAndValue) {
  ErrorCase cases[] = {
      {R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"c"},
          "spec":{"containers":[{"resources":{"requests":{"cpu":"1x"}}}]}})",
       {"FieldValueInvalid", "v1", "Pod", "b", "a", "spec.containers[0].resources.requests[cpu]",
        "1x",
        R"(spec.containers[0].resources.requests[cpu]: Invalid value: "1x": quantities must match )"
        R"(the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$')"}},
      {R"({"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1",
          "spec":{"priority":99999999999},"metadata":{"name":"a","namespace":"b","uid":"c"}}})",
       {"FieldValueInvalid", "v1", "Pod", "b", "a", "spec.priority", "99999999999",
        "spec.priority: Invalid value: 99999999999: must be a 32-bit integer"}},
      {R"({"type":"SCHEDULE_ONE","pod":"a"})",
       {"FieldValueInvalid", "", "", "", "", "pod", "a",
        R"(pod: Invalid value: "a": must be namespace/name)"}},
      {R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"c"},
          "spec":{"tolerations":[{"key":7}]}})",
       {"FieldValueTypeInvalid", "v1", "Pod", "b", "a", "spec.tolerations[0].key", "7",
        "spec.tolerations[0].key: Invalid value: 7: must be a string, not a number"}},
      {R"({"kind":5,"apiVersion":"v1"})",
       {"FieldValueTypeInvalid", "v1", "", "", "", "kind", "",
        "kind: Invalid value: must be a string, not a number"}},
      {R"({"type":{}})",
       {"FieldValueTypeInvalid", "", "", "", "", "type", "",
        "type: Invalid value: must be a string, not an object"}},
      {R"({"type":"ADDED","object":[]})",
       {"FieldValueTypeInvalid", "", "", "", "", "object", "",
        "object: Invalid value: must be an object, not a list"}},
      {R"({"kind":"PodList","apiVersion":"v1","items":{}})",
       {"FieldValueTypeInvalid", "v1", "PodList", "", "", "items", "",
        "items: Invalid value: must be a list, not an object"}},
      {R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":5},"items":[]})",
       {"FieldValueTypeInvalid", "v1", "PodList", "", "", "metadata.resourceVersion", "5",
        "metadata.resourceVersion: Invalid value: 5: must be a string, not a number"}},
      {R"({"kind":"PodList","apiVersion":"v1","metadata":5,"items":[]})",
       {"FieldValueTypeInvalid", "v1", "PodList", "", "", "metadata", "5",
        "metadata: Invalid value: 5: must be an object, not a number"}},
      {"true",
       {"FieldValueTypeInvalid", "", "", "", "", "", "",
        "Invalid value: must be an object, not a boolean"}},
  };
  for (const ErrorCase& c : cases) ExpectOneError(c);
}

TEST(BatchErrors, ReportAllErrorsOfAnObject) {
  RecordingSink sink =
      Record(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b"},)"
             R"("spec":{"priority":"high","nodeName":1}})",
             BatchFormat::kDocument);
  ASSERT_EQ(sink.errors.size(), 2u);
  EXPECT_EQ(sink.errors[0].field, "spec.priority");
  EXPECT_EQ(sink.errors[1].field, "spec.nodeName");
  EXPECT_EQ(sink.errors[0].index, 0u);
  EXPECT_EQ(sink.errors[1].index, 0u);
}

TEST(BatchErrors, LocateAMalformedItemOfAList) {
  RecordingSink sink =
      Record(R"({"kind":"List","apiVersion":"v1","items":[{"kind":"Pod" "x"},{"kind":"Pod","x":[1)",
             BatchFormat::kDocument);
  ASSERT_EQ(sink.errors.size(), 2u);
  EXPECT_EQ(sink.errors[0].message,
            "syntax error while parsing object - unexpected string literal; expected '}'");
  EXPECT_EQ(sink.errors[0].column, 59u);
  EXPECT_EQ(sink.errors[0].kind, "Pod");
  EXPECT_EQ(sink.errors[1].message, "unexpected end of input");
  EXPECT_EQ(sink.errors[1].column, 82u);
}

TEST(BatchErrors, ReportInvalidUtf8BetweenItems) {
  std::string good = PodJson("a");
  std::string texts[] = {
      R"({"kind":"List","apiVersion":"v1","items":[)" + good + ",\xff]}",
      R"({"kind":"List","apiVersion":"v1","items":[)" + good + "]}\xff",
      R"({"kind":"List","apiVersion":"v1","items":[)" + good + "\xc3(]}",
  };
  for (const std::string& text : texts) {
    RecordingSink sink = Record(text, BatchFormat::kDocument);
    EXPECT_EQ(sink.lines, (std::vector<std::string>{"present Pod default/a", "error InvalidUtf8"}));
  }
}

TEST(BatchErrors, CountItemsAndLines) {
  std::string text = "\n" + PodJson("a") +
                     "\n{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[" + PodJson("b") + "," +
                     R"({"kind":"X","apiVersion":"y"},)" + PodJson("c") +
                     "]}\n  {\"kind\":\"Pod\"}\n{";
  RecordingSink sink = Record(text, BatchFormat::kLines);
  ASSERT_EQ(sink.errors.size(), 3u);
  size_t want[][3] = {{2, 3, 0}, {4, 4, 3}, {5, 5, 2}};
  for (size_t error = 0; error < 3; ++error) {
    EXPECT_EQ(sink.errors[error].index, want[error][0]);
    EXPECT_EQ(sink.errors[error].line, want[error][1]);
    if (want[error][2] > 0) {
      EXPECT_EQ(sink.errors[error].column, want[error][2]);
    }
  }
}

// Goal: positions are right for lines of any length. Method: a List of bad items on its second
// line, with a good one on a line of its own before the last.
TEST(BatchErrors, LocateErrorsOnALongLine) {
  constexpr size_t kBad = 500;
  const std::string bad = R"({"kind":"X","apiVersion":"y"})";
  std::string text = "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[\n";
  for (size_t item = 0; item < kBad; ++item) text += bad + ",";
  text += "\n" + PodJson("a") + ",\n " + bad + "," + bad + "]}";
  RecordingSink sink = Record(text, BatchFormat::kDocument);
  ASSERT_EQ(sink.errors.size(), kBad + 2);
  for (size_t item = 0; item < kBad; ++item) {
    EXPECT_EQ(sink.errors[item].line, 2u) << item;
    EXPECT_EQ(sink.errors[item].column, 1 + item * (bad.size() + 1)) << item;
  }
  EXPECT_EQ(sink.errors[kBad].line, 4u);
  EXPECT_EQ(sink.errors[kBad].column, 2u);
  EXPECT_EQ(sink.errors[kBad + 1].line, 4u);
  EXPECT_EQ(sink.errors[kBad + 1].column, 3 + bad.size());
}

// Goal: a position before the previous one is right too. Method: an error behind the items of a
// List is reported before those of the items.
TEST(BatchErrors, LocateErrorsOutOfOrder) {
  RecordingSink sink = Record(
      "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[\n\n{\"kind\":\"X\",\"apiVersion\":"
      "\"y\"},"
      "{\"kind\":\"X\",\"apiVersion\":\"y\"}],\n\n \"other\":{x}}",
      BatchFormat::kDocument);
  size_t want[][2] = {{5, 11}, {3, 1}, {3, 31}};
  ASSERT_EQ(sink.errors.size(), std::size(want));
  for (size_t error = 0; error < std::size(want); ++error) {
    EXPECT_EQ(sink.errors[error].line, want[error][0]) << error;
    EXPECT_EQ(sink.errors[error].column, want[error][1]) << error;
  }
}

TEST(BatchErrors, BoundObjects) {
  std::string padding(size_t{4} << 20, 'x');
  std::string large = PodJson("large", R"(,"x":")" + padding + "\"");
  std::string deep = PodJson("deep", ",\"x\":" + std::string(64, '[') + std::string(64, ']'));
  std::string deepest = PodJson("fits", ",\"x\":" + std::string(63, '[') + std::string(63, ']'));
  RecordingSink sink =
      Record(large + "\n" + deep + "\n" + PodJson("good") + "\n" + deepest, BatchFormat::kLines);
  EXPECT_EQ(sink.lines,
            (std::vector<std::string>{"error TooLarge", "error TooDeep", "present Pod default/good",
                                      "present Pod default/fits"}));
  ASSERT_EQ(sink.errors.size(), 2u);
  EXPECT_EQ(sink.errors[0].kind, "Pod");
  EXPECT_EQ(sink.errors[0].name, "large");
  EXPECT_EQ(sink.errors[1].name, "deep");
  EXPECT_EQ(sink.errors[1].message, "nested deeper than 64 levels");
  std::string exact = PodJson("exact", R"(,"x":"")");
  exact.insert(exact.size() - 2, std::string((size_t{4} << 20) - exact.size(), 'x'));
  EXPECT_EQ(Record(exact, BatchFormat::kDocument).objects.size(), 1u);
  exact.insert(exact.size() - 2, "x");
  EXPECT_EQ(Record(exact, BatchFormat::kDocument).errors.at(0).code, InputErrorCode::kTooLarge);
}

TEST(BatchErrors, BoundTheMetadataOfLists) {
  std::string text = R"({"kind":"PodList","apiVersion":"v1","metadata":{"x":[[]]},"items":[]})";
  DecodeLimits limits;
  limits.depth = 3;
  EXPECT_TRUE(Record(text, BatchFormat::kDocument, limits).errors.empty());
  limits.depth = 2;
  RecordingSink sink = Record(text, BatchFormat::kDocument, limits);
  ASSERT_EQ(sink.errors.size(), 1u);
  EXPECT_EQ(sink.errors[0].code, InputErrorCode::kTooDeep);
  EXPECT_EQ(sink.errors[0].message, "nested deeper than 2 levels");
}

TEST(BatchErrors, BoundTheBatch) {
  DecodeLimits limits;
  limits.batch_bytes = 100;
  RecordingSink sink = Record(std::string(101, ' '), BatchFormat::kLines, limits);
  ASSERT_EQ(sink.errors.size(), 1u);
  EXPECT_EQ(sink.errors[0].code, InputErrorCode::kTooLarge);
  EXPECT_TRUE(Record(std::string(100, ' '), BatchFormat::kLines, limits).lines.empty());
}

TEST(BatchErrors, SurviveDepthBombs) {
  for (std::string_view bracket :
       {"[", "{\"a\":", "{\"items\":[", R"({"type":"ADDED","object":)"}) {
    std::string bomb;
    for (int level = 0; level < 100000; ++level) bomb += bracket;
    EXPECT_FALSE(Record(bomb, BatchFormat::kDocument).errors.empty()) << bracket;
    EXPECT_FALSE(Record(PodJson("a", ",\"x\":" + bomb), BatchFormat::kLines).errors.empty());
  }
  std::string closed = std::string(100000, '[') + std::string(100000, ']');
  RecordingSink sink = Record(PodJson("bomb", ",\"x\":" + closed), BatchFormat::kDocument);
  ASSERT_EQ(sink.errors.size(), 1u);
  EXPECT_EQ(sink.errors[0].code, InputErrorCode::kTooDeep);
  EXPECT_EQ(sink.errors[0].name, "bomb");
}

TEST(BatchErrors, KeepTextsShortAndValid) {
  std::string name(1000, 'n');
  std::string value = std::string(79, 'v') + "\xc3\xa4" + std::string(1000, 'w');
  RecordingSink sink =
      Record(PodJson(name, R"(,"spec":{"priority":")" + value + "\"}"), BatchFormat::kDocument);
  ASSERT_EQ(sink.errors.size(), 1u);
  EXPECT_EQ(sink.errors[0].value, std::string(79, 'v'));
  EXPECT_LT(sink.errors[0].message.size(), 200u);
  EXPECT_EQ(FindInvalidUtf8(sink.errors[0].message), sink.errors[0].message.size());
}

}  // namespace
}  // namespace stowage
