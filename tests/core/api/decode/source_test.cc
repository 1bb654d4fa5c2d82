// Goal: an object leaves the engine as it came in, with the scheduler's own changes.
#include "core/api/decode/source.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/core/api/decode/recording_sink.h"

namespace stowage {
namespace {

TEST(SourceOf, DropsManagedFields) {
  struct {
    std::string_view json, want;
  } cases[] = {
      {R"({"metadata":{"name":"a","managedFields":[{"f":{}}],"uid":"u"}})",
       R"({"metadata":{"name":"a","uid":"u"}})"},
      {R"({"metadata":{"managedFields":[],"uid":"u"}})", R"({"metadata":{"uid":"u"}})"},
      {R"({"metadata":{"uid":"u","managedFields":[]}})", R"({"metadata":{"uid":"u"}})"},
      {R"({"metadata":{"managedFields":[]}})", R"({"metadata":{}})"},
      {"{\"metadata\" : {\n  \"uid\" : \"u\" ,\n  \"managedFields\" : [ ]\n}}",
       "{\"metadata\" : {\n  \"uid\" : \"u\" }}"},
      {R"({"metadata":{"labels":{"managedFields":"x"}}})",
       R"({"metadata":{"labels":{"managedFields":"x"}}})"},
      {R"({"managedFields":[]})", R"({"managedFields":[]})"},
  };
  for (const auto& c : cases) EXPECT_EQ(SourceOf(c.json), c.want) << c.json;
}

TEST(SetStringAt, AddsReplacesAndRemoves) {
  struct {
    std::string_view json, text, want;
  } cases[] = {
      {R"({"spec":{"nodeName":"a","x":1}})", "b", R"({"spec":{"nodeName":"b","x":1}})"},
      {R"({"spec":{"x":1}})", "b", R"({"spec":{"nodeName":"b","x":1}})"},
      {R"({"spec":{}})", "b", R"({"spec":{"nodeName":"b"}})"},
      {R"({"x":1})", "b", R"({"spec":{"nodeName":"b"},"x":1})"},
      {"{ }", "b", R"({"spec":{"nodeName":"b"} })"},
      {R"({"spec":null})", "b", R"({"spec":{"nodeName":"b"}})"},
      {R"({"spec":{"nodeName":null}})", "q\"", R"({"spec":{"nodeName":"q\""}})"},
      {R"({"spec":{"x":1,"nodeName":"a"}})", "", R"({"spec":{"x":1}})"},
      {R"({"spec":{"nodeName":"a"}})", "", R"({"spec":{}})"},
      {R"({"x":1})", "", R"({"x":1})"},
  };
  for (const auto& c : cases) {
    std::string json(c.json);
    SetStringAt({"spec", "nodeName"}, c.text, &json);
    EXPECT_EQ(json, c.want) << c.json;
  }
}

TEST(SetJsonAt, AddsAndReplacesValuesOfAnyKind) {
  struct {
    std::string_view json, value, want;
  } cases[] = {
      {R"({"spec":{"x":1}})", R"({"name":"c"})", R"({"spec":{"claimRef":{"name":"c"},"x":1}})"},
      {R"({"spec":{}})", "[1]", R"({"spec":{"claimRef":[1]}})"},
      {R"({"x":1})", "{}", R"({"spec":{"claimRef":{}},"x":1})"},
      {"{}", "true", R"({"spec":{"claimRef":true}})"},
      {R"({"spec":null})", "{}", R"({"spec":{"claimRef":{}}})"},
      {R"({"spec":"text"})", "{}", R"({"spec":{"claimRef":{}}})"},
      {R"({"spec":{"claimRef":null,"x":1}})", R"({"a":{}})",
       R"({"spec":{"claimRef":{"a":{}},"x":1}})"},
      {R"({"spec":{"x":1,"claimRef":{"name":"d","uid":"u"}}})", R"({"name":"c"})",
       R"({"spec":{"x":1,"claimRef":{"name":"c"}}})"},
      {R"({"spec":{"claimRef":"text"}})", "null", R"({"spec":{"claimRef":null}})"},
      {R"({"x":{"claimRef":1},"spec":{"y":{"claimRef":2}}})", "3",
       R"({"x":{"claimRef":1},"spec":{"claimRef":3,"y":{"claimRef":2}}})"},
      {"{ \"spec\" : { } }", "{}", "{ \"spec\" : {\"claimRef\":{} } }"},
  };
  for (const auto& c : cases) {
    std::string json(c.json);
    SetJsonAt({"spec", "claimRef"}, c.value, &json);
    EXPECT_EQ(json, c.want) << c.json;
  }
}

TEST(SetJsonAt, AcceptsPathsOfAnyLength) {
  std::string json = R"({"x":1})";
  SetJsonAt({"a/b.c"}, "2", &json);
  EXPECT_EQ(json, R"({"a/b.c":2,"x":1})");
  SetJsonAt({"a/b.c"}, "3", &json);
  EXPECT_EQ(json, R"({"a/b.c":3,"x":1})");
  SetJsonAt({"p", "q", "r"}, "[]", &json);
  EXPECT_EQ(json, R"({"p":{"q":{"r":[]}},"a/b.c":3,"x":1})");
  SetJsonAt({"p", "q", "s"}, "{}", &json);
  EXPECT_EQ(json, R"({"p":{"q":{"s":{},"r":[]}},"a/b.c":3,"x":1})");
  SetJsonAt({"a\"b"}, "4", &json);
  EXPECT_EQ(json, R"({"a\"b":4,"p":{"q":{"s":{},"r":[]}},"a/b.c":3,"x":1})");
}

TEST(PodJson, ContainsTheSchedulersChanges) {
  DecodeLimits limits;
  limits.sources = KeptSources::kShown;
  const std::string text =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n","uid":"u",)"
      R"("annotations":{"a":"b"}},"spec":{"hostname":"h"},"status":{"phase":"Pending"}})";
  RecordingSink sink = Record(text, BatchFormat::kDocument, limits);
  ASSERT_EQ(sink.objects.size(), 1u);
  Pod pod = *sink.objects[0].Get<Pod>();
  EXPECT_EQ(PodJson(pod), text);
  pod.spec.node_name = Symbol("x");
  pod.status.phase = Symbol("Running");
  EXPECT_EQ(PodJson(pod),
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n","uid":"u",)"
            R"("annotations":{"a":"b"}},"spec":{"nodeName":"x","hostname":"h"},)"
            R"("status":{"phase":"Running"}})");
}

TEST(Sources, AreKeptForPodsAndNodesOnRequest) {
  const std::string pod = PodJson("p");
  EXPECT_EQ(Record(pod, BatchFormat::kDocument).objects.at(0).metadata().source, nullptr);
  DecodeLimits limits;
  limits.sources = KeptSources::kShown;
  EXPECT_EQ(*Record(pod, BatchFormat::kDocument, limits).objects.at(0).metadata().source, pod);
  const std::string service =
      R"({"kind":"Service","apiVersion":"v1","metadata":{"name":"s","namespace":"n","uid":"u"}})";
  EXPECT_EQ(Record(service, BatchFormat::kDocument, limits).objects.at(0).metadata().source,
            nullptr);
}

}  // namespace
}  // namespace stowage
