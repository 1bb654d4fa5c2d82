#include "core/api/decode/batch.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tests/core/api/decode/recorded_objects.h"
#include "tests/core/api/decode/recording_sink.h"

namespace stowage {
namespace {

using Lines = std::vector<std::string>;

std::string NodeJson(std::string_view name) {
  return R"({"metadata":{"uid":"u","name":")" + std::string(name) + R"("}})";
}

TEST(Batch, ReadsDocuments) {
  struct {
    std::string_view name;
    std::string text;
    Lines want;
  } cases[] = {
      {"an object", PodJson("a"), {"present Pod default/a"}},
      {"space and a byte order mark",
       "\xef\xbb\xbf \r\n" + PodJson("a") + "\n\n",
       {"present Pod default/a"}},
      {"a recorded pod", std::string(kRecordedPod), {"present Pod default/big-0"}},
      {"a recorded node", std::string(kRecordedNode), {"present Node /node-0"}},
      {"kind after the rest",
       R"({"spec":{},"metadata":{"uid":"u","name":"n"},"apiVersion":"v1","kind":"Node"})",
       {"present Node /n"}},
      {"a List as kubectl prints it",
       R"({"apiVersion":"v1","items":[)" + PodJson("a") + "," +
           R"({"apiVersion":"v1","kind":"Node","metadata":{"uid":"u","name":"n"}}],)" +
           R"("kind":"List","metadata":{"resourceVersion":""}})",
       {"present Pod default/a", "present Node /n"}},
      {"a typed List",
       R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"992"},"items":[)" +
           NodeJson("n1") + "," + NodeJson("n2") + "]}",
       {"present Node /n1", "present Node /n2", "bookmark v1 Node 992"}},
      {"a typed List, kind last, an item that names itself",
       R"({"items":[{"kind":"Node","metadata":{"uid":"u","name":"n1"}},)" + NodeJson("n2") +
           R"(],"apiVersion":"v1","kind":"NodeList"})",
       {"present Node /n1", "present Node /n2"}},
      {"typed Lists of groups",
       R"({"kind":"List","apiVersion":"v1","items":[
           {"kind":"ReplicaSetList","apiVersion":"apps/v1","items":[
             {"metadata":{"name":"r","namespace":"d","uid":"u"}}]},
           {"kind":"PodDisruptionBudgetList","apiVersion":"policy/v1","items":[
             {"metadata":{"name":"p","namespace":"d","uid":"u"}}]}]})",
       {"present ReplicaSet d/r", "present PodDisruptionBudget d/p"}},
      {"an empty typed List",
       R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":null})",
       {"bookmark v1 Pod 7"}},
      {"a List without items",
       R"({"kind":"List","apiVersion":"v1"})",
       {"error FieldValueRequired"}},
      {"a watch event",
       R"({"type":"DELETED","object":)" + PodJson("a") + "}",
       {"deleted Pod default/a"}},
      {"type is no event beside kind",
       R"({"kind":"Node","apiVersion":"v1","type":"ADDED","metadata":{"name":"n","uid":"u"}})",
       {"present Node /n"}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Record(c.text, BatchFormat::kDocument).lines, c.want) << c.name;
  }
}

TEST(Batch, ReadsLines) {
  std::string text =
      R"({"type":"SYNC_BEGIN","resource":"pods"})"
      "\n"
      R"({"type":"ADDED","object":)" +
      PodJson("a") + "}\r\n\n  \n" + R"({"object":)" + PodJson("b") + R"(,"type":"MODIFIED"})" +
      "\n" + PodJson("c") + "\n" + R"({"kind":"PodList","apiVersion":"v1","items":[)" +
      R"({"metadata":{"name":"d","namespace":"x","uid":"u"}}]})" + "\n" +
      R"({"type":"SYNC_END","resource":"pods","resourceVersion":"42"})" + "\n" +
      R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":)" +
      R"({"resourceVersion":"742","annotations":{"k8s.io/initial-events-end":"true"}},)" +
      R"("spec":{"containers":null}}})" + "\n" +
      R"({"type":"BOOKMARK","object":{"kind":"Lease","apiVersion":"x/v1","metadata":)" +
      R"({"resourceVersion":"743"}}})" + "\n" +
      R"({"type":"ERROR","object":{"kind":"Status","code":410}})" + "\n" +
      R"({"type":"SCHEDULE_ONE","pod":"default/a"})" + "\n" +
      R"({"type":"SYNC_END","resource":"poddisruptionbudgets"})" + "\n" +
      R"({"type":"SYNC_END","resource":"services","resourceVersion":""})" + "\n" +
      R"({"type":"SYNC_END","resource":"namespaces","resourceVersion":null})";
  EXPECT_EQ(
      Record(text, BatchFormat::kLines).lines,
      (Lines{"sync-begin pods ", "added Pod default/a", "modified Pod default/b",
             "present Pod default/c", "present Pod x/d", "sync-end pods 42",
             "bookmark v1 Pod 742 initial-events-end", "bookmark x/v1 Lease 743",
             R"(status {"kind":"Status","code":410})", "schedule-one default a",
             "sync-end poddisruptionbudgets ", "sync-end services ", "sync-end namespaces "}));
}

TEST(Batch, ReadsDevices) {
  std::string text =
      R"({"type":"SYNC_BEGIN","resource":"resourceclaims"})"
      "\n"
      R"({"kind":"ResourceClaimList","apiVersion":"resource.k8s.io/v1",)"
      R"("metadata":{"resourceVersion":"9"},)"
      R"("items":[{"metadata":{"name":"c","namespace":"d","uid":"u"},"spec":{}}]})"
      "\n"
      R"({"type":"SYNC_END","resource":"resourceclaims","resourceVersion":"9"})"
      "\n"
      R"({"type":"MODIFIED","object":{"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1",)"
      R"("metadata":{"name":"n","uid":"u"}}})"
      "\n"
      R"({"type":"DELETED","object":{"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1",)"
      R"("metadata":{"name":"a","uid":"u","labels":7},"spec":null}})";
  EXPECT_EQ(Record(text, BatchFormat::kLines).lines,
            (Lines{"sync-begin resourceclaims ", "present ResourceClaim d/c",
                   "bookmark resource.k8s.io/v1 ResourceClaim 9", "sync-end resourceclaims 9",
                   "modified DeviceClass /n", "deleted ResourceSlice /a"}));
}

TEST(Batch, ReadsRegisteredKinds) {
  std::string text =
      R"({"type":"SYNC_BEGIN","resource":"policies.v1.example.com"})"
      "\n"
      R"({"kind":"PolicyList","apiVersion":"example.com/v1","items":[)"
      R"({"metadata":{"name":"c","namespace":"d","uid":"u"}},{"metadata":{"name":"e","uid":"u"}}]})"
      "\n"
      R"({"kind":"PolicyList","apiVersion":"example.com/v1"})"
      "\n"
      R"({"type":"SYNC_END","resource":"policies.v1.example.com","resourceVersion":"9"})"
      "\n"
      R"({"type":"DELETED","object":{"kind":"Policy","apiVersion":"example.com/v1",)"
      R"("metadata":{"name":"c","namespace":"d","uid":"u","labels":7}}})"
      "\n"
      R"({"kind":"AllowList","apiVersion":"example.com/v1","metadata":{"name":"l","uid":"u"}})"
      "\n"
      R"({"kind":"Policy","apiVersion":"example.com/v2","metadata":{"name":"c","uid":"u"}})";
  DecodeLimits limits;
  limits.other_resources = {Symbol("policies.v1.example.com"), Symbol("allowlists.v1.example.com")};
  RecordingSink sink = Record(text, BatchFormat::kLines, limits);
  EXPECT_EQ(sink.lines,
            (Lines{"sync-begin policies.v1.example.com ", "present Policy d/c", "present Policy /e",
                   "error FieldValueRequired", "sync-end policies.v1.example.com 9",
                   "deleted Policy d/c", "present AllowList /l", "error UnknownKind"}));
  for (size_t index = 0; index < 3; ++index) {
    EXPECT_EQ(KindKeyOf(sink.objects.at(index)), KindKey::Other(Symbol("policies.v1.example.com")));
  }
  EXPECT_EQ(Record(text, BatchFormat::kLines).objects.size(), 0u) << "without a registration";
}

TEST(Batch, AcceptsEmptyInput) {
  EXPECT_TRUE(Record("", BatchFormat::kLines).lines.empty());
  EXPECT_TRUE(Record("\n\r\n \t\n", BatchFormat::kLines).lines.empty());
  EXPECT_EQ(Record("", BatchFormat::kDocument).lines, (Lines{"error MalformedJson"}));
}

// Goal: a bad item does not affect others. Method: good items around each kind of bad one.
TEST(Batch, SkipsBadItems) {
  std::string_view bad[] = {
      "{",
      "}",
      "nonsense",
      "[]",
      "null",
      "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"\xff\"}}",
      R"({"kind":"Pod","apiVersion":"v1"})",
      R"({"kind":"ConfigMap","apiVersion":"v1"})",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":5}})",
      R"({"type":"ADDED"})",
      R"({"type":"ANSWER","call":17,"status":201})",
      R"({"type":"COMPLETION","status":201})",
  };
  for (std::string_view line : bad) {
    std::string text = PodJson("a") + "\n" + std::string(line) + "\n" + PodJson("b");
    RecordingSink sink = Record(text, BatchFormat::kLines);
    EXPECT_EQ(sink.objects.size(), 2u) << line;
    ASSERT_FALSE(sink.errors.empty()) << line;
    for (const InputError& error : sink.errors) {
      EXPECT_EQ(error.index, 1u) << line;
      EXPECT_EQ(error.line, 2u) << line;
      EXPECT_FALSE(error.message.empty()) << line;
    }
  }
}

std::string Deleted(const std::string& object) {
  return R"({"type":"DELETED","object":)" + object + "}";
}

// Goal: a deletion is lost only if its object cannot be identified. Method: objects that any other
// change would be refused for, and malformed ones.
TEST(Batch, DeletionsNeedOnlyMetadata) {
  struct {
    std::string_view name;
    std::string object;
    Lines want;
  } cases[] = {
      {"wrong fields",
       PodJson("a", R"(,"spec":{"priority":"high","containers":[{"resources":{"requests":{"cpu":)"
                    R"("1x"}}}]},"status":7)"),
       {"deleted Pod default/a"}},
      {"wrong labels",
       R"({"kind":"Node","apiVersion":"v1","metadata":{"labels":5,"name":"n","uid":"u"}})",
       {"deleted Node /n"}},
      {"too large",
       PodJson("a", R"(,"x":")" + std::string(size_t{4} << 20, 'x') + "\""),
       {"deleted Pod default/a"}},
      {"too deep",
       PodJson("a", R"(,"x":)" + std::string(100000, '[') + std::string(100000, ']')),
       {"deleted Pod default/a"}},
      {"malformed", PodJson("a", R"(,"spec":{"x":tru})"), {"error MalformedJson"}},
      {"not UTF-8", PodJson("a", ",\"spec\":{\"x\":\"\xff\"}"), {"error InvalidUtf8"}},
      {"no name",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"d","uid":"u"}})",
       {"error FieldValueRequired"}},
      {"wrong name",
       R"({"kind":"Node","apiVersion":"v1","metadata":{"name":5,"uid":"u"}})",
       {"error FieldValueTypeInvalid"}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Record(Deleted(c.object), BatchFormat::kLines).lines, c.want) << c.name;
  }
}

// Goal: a deleted pod reports its node, and an invalid node name does not prevent the deletion.
// Method: deletions with many kinds of specs, and the resulting node name.
TEST(Batch, DeletedPodsReportTheirNode) {
  struct {
    std::string_view spec;
    std::string_view want;
  } cases[] = {
      {R"({"nodeName":"n"})", "n"},
      {R"({"containers":5,"nodeName":"n","priority":"high"})", "n"},
      {R"({"nodeName":null})", ""},
      {R"({"nodeName":""})", ""},
      {R"({"nodeName":5})", ""},
      {R"({"nodeName":true})", ""},
      {R"({"nodeName":{"nodeName":"n"}})", ""},
      {R"({"nodeName":["n"]})", ""},
      {R"({"nodeName":"n","nodeName":7})", ""},
      {"{}", ""},
      {"null", ""},
      {R"("n")", ""},
      {"7", ""},
      {R"([{"nodeName":"n"}])", ""},
  };
  for (const auto& c : cases) {
    std::string object = PodJson("a", R"(,"spec":)" + std::string(c.spec));
    RecordingSink sink = Record(Deleted(object), BatchFormat::kLines);
    ASSERT_EQ(sink.lines, (Lines{"deleted Pod default/a"})) << c.spec;
    const Pod& pod = *sink.objects[0].Get<Pod>();
    EXPECT_EQ(pod.spec.node_name, c.want) << c.spec;
    EXPECT_TRUE(pod.spec.containers.empty()) << c.spec;
  }
  std::string repeated = R"(,"spec":1)";
  for (int round = 0; round < 5; ++round) repeated += repeated;
  EXPECT_EQ(Record(Deleted(PodJson("a", repeated)), BatchFormat::kLines).lines,
            (Lines{"deleted Pod default/a"}))
      << "more faults than are told";
}

TEST(Batch, DeletedObjectsHaveOnlyMetadata) {
  RecordingSink sink = Record(Deleted(std::string(kRecordedPod)), BatchFormat::kDocument);
  ASSERT_EQ(sink.objects.size(), 1u);
  const Pod& pod = *sink.objects[0].Get<Pod>();
  EXPECT_EQ(pod.metadata.name, "big-0");
  EXPECT_EQ(pod.metadata.namespace_, "default");
  EXPECT_EQ(pod.metadata.uid, "330dcaf2-6363-409f-b7d7-b0ea6c93ef19");
  EXPECT_EQ(pod.metadata.resource_version, "991");
  EXPECT_TRUE(pod.metadata.labels.empty());
  EXPECT_TRUE(pod.spec.containers.empty());
}

TEST(Batch, SkipsBadItemsOfAList) {
  std::string_view bad[] = {R"({"a" 1})",
                            R"({"kind":"Pod","apiVersion":"v1","spec":{"x":tru}})",
                            R"({"kind":"Pod"})",
                            "5",
                            "null",
                            "[]",
                            R"("x")"};
  for (std::string_view item : bad) {
    std::string text = R"({"kind":"List","apiVersion":"v1","items":[)" + PodJson("a") + ",\n" +
                       std::string(item) + ",\n" + PodJson("b") + "]}";
    RecordingSink sink = Record(text, BatchFormat::kDocument);
    EXPECT_EQ(sink.objects.size(), 2u) << item;
    ASSERT_EQ(sink.errors.size(), 1u) << item;
    EXPECT_EQ(sink.errors[0].index, 1u) << item;
    EXPECT_EQ(sink.errors[0].line, 2u) << item;
  }
}

TEST(Batch, AppliesSeparableItemsOfAMalformedDocument) {
  std::string a = PodJson("a");
  std::string b = PodJson("b");
  struct {
    std::string_view name;
    std::string text;
    size_t objects;
    size_t line;
    size_t column;
  } cases[] = {
      {"cut after an item, kind last", R"({"apiVersion":"v1","items":[)" + a + "," + b, 2, 1, 0},
      {"cut inside an item", R"({"kind":"List","apiVersion":"v1","items":[)" + a + ",\n{\"kind\"",
       1, 2, 8},
      {"no comma", R"({"kind":"List","apiVersion":"v1","items":[)" + a + "\n" + b + "]}", 1, 2, 1},
      {"wrong bracket", R"({"kind":"List","apiVersion":"v1","items":[)" + a + "\n}}", 1, 2, 1},
      {"garbage behind", R"({"kind":"List","apiVersion":"v1","items":[)" + a + "]}\n x", 1, 2, 2},
      {"broken member behind",
       R"({"kind":"List","apiVersion":"v1","items":[)" + a + "],\n\"metadata\":}", 1, 2, 12},
      {"broken metadata",
       R"({"kind":"List","apiVersion":"v1","items":[)" + a + "],\n\"metadata\":{\"x\":tru}}", 1, 2,
       20},
      {"broken other member",
       R"({"kind":"List","apiVersion":"v1","items":[)" + a + "],\n\"other\":[01]}", 1, 2, 0},
  };
  for (const auto& c : cases) {
    RecordingSink sink = Record(c.text, BatchFormat::kDocument);
    EXPECT_EQ(sink.objects.size(), c.objects) << c.name;
    ASSERT_EQ(sink.errors.size(), 1u) << c.name;
    EXPECT_EQ(sink.errors[0].code, InputErrorCode::kMalformedJson) << c.name;
    EXPECT_EQ(sink.errors[0].line, c.line) << c.name;
    if (c.column > 0) {
      EXPECT_EQ(sink.errors[0].column, c.column) << c.name;
    }
  }
}

TEST(Batch, BoundsListNesting) {
  std::string text = PodJson("a");
  for (int level = 1; level <= 5; ++level) {
    text = R"({"kind":"List","apiVersion":"v1","items":[)" + text + "," + PodJson("b") + "]}";
    RecordingSink sink = Record(text, BatchFormat::kDocument);
    size_t objects = static_cast<size_t>(level <= 4 ? level + 1 : 4);
    EXPECT_EQ(sink.objects.size(), objects) << level;
    EXPECT_EQ(sink.errors.size(), level <= 4 ? 0u : 1u) << level;
  }
  EXPECT_EQ(Record(text, BatchFormat::kDocument).errors[0].code, InputErrorCode::kTooDeep);
}

}  // namespace
}  // namespace stowage
