// Goal: a cached text gives the same value as decoding it, and an error wherever decoding would.
// Method: pods that are decoded with an empty cache, and again with their texts cached.
#include "core/api/decode/decode_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/schema_decoder.h"
#include "core/api/pod.h"

namespace stowage {
namespace {

constexpr std::string_view kContainers =
    R"([{"name":"c","image":"i","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}])";

std::string PodWith(std::string_view spec) {
  return R"({"metadata":{"name":"p","labels":{"app":"web","tier":"back"}},"spec":{)" +
         std::string(spec) + "}}";
}

struct Reading {
  Pod pod;
  DecodeReport report;
};

Reading Read(std::string_view text, const DecodeOptions& options = {}) {
  Reading reading;
  reading.report = DecodeJson(text, options, PodType(), &reading.pod);
  return reading;
}

void ExpectEqual(const Pod& a, const Pod& b, std::string_view where) {
  EXPECT_EQ(a.metadata.labels, b.metadata.labels) << where;
  EXPECT_EQ(a.metadata.owner_references, b.metadata.owner_references) << where;
  EXPECT_EQ(a.spec.affinity, b.spec.affinity) << where;
  EXPECT_EQ(a.spec.tolerations, b.spec.tolerations) << where;
  EXPECT_EQ(a.spec.topology_spread_constraints, b.spec.topology_spread_constraints) << where;
  ASSERT_EQ(a.spec.volumes.size(), b.spec.volumes.size()) << where;
  for (size_t at = 0; at < a.spec.volumes.size(); ++at) {
    EXPECT_EQ(a.spec.volumes[at].name, b.spec.volumes[at].name) << where;
    EXPECT_EQ(a.spec.volumes[at].other, b.spec.volumes[at].other) << where;
  }
  ASSERT_EQ(a.spec.containers.size(), b.spec.containers.size()) << where;
  for (size_t at = 0; at < a.spec.containers.size(); ++at) {
    EXPECT_EQ(a.spec.containers[at].image, b.spec.containers[at].image) << where;
    EXPECT_EQ(a.spec.containers[at].ports, b.spec.containers[at].ports) << where;
    EXPECT_EQ(a.spec.containers[at].resources.requests, b.spec.containers[at].resources.requests)
        << where;
    EXPECT_EQ(a.spec.containers[at].resources.limits, b.spec.containers[at].resources.limits)
        << where;
  }
}

std::vector<std::string> Texts(const DecodeReport& report) {
  std::vector<std::string> texts;
  for (const FieldError& error : report.field_errors) texts.push_back(error.message);
  if (report.syntax_error) texts.push_back(report.syntax_error->message);
  return texts;
}

TEST(DecodeCache, GivesTheDecodedValue) {
  const std::string texts[] = {
      PodWith(R"("containers":[])"),
      PodWith(R"("containers":)" + std::string(kContainers)),
      PodWith(R"("containers":[{"name":"c","image":"i"},{"name":"c","image":"i"}])"),
      PodWith(R"("containers":[{"name":"c","image":"i"}],"initContainers":[{"name":"c"}])"),
      PodWith(R"("containers":[{"name":"c","ports":[{"hostPort":80}]}],"tolerations":[{}])"),
      PodWith(R"("containers":[{"name":"c","resources":{"requests":{"cpu":"100m"},
                                                        "limits":{"cpu":"100m"}}}])"),
      PodWith(R"("containers":[{"resources":{"requests":{"cpu":"1"},"requests":{"memory":"1"}}}])"),
      PodWith(R"("affinity":{"nodeAffinity":{}},"affinity":{"podAffinity":{}})"),
      PodWith(R"("affinity":{"podAffinity":{}},"affinity":null)"),
      PodWith(R"("affinity":{"podAffinity":{}})"),
      PodWith(R"("containers":[{"resources":{"requests":{"cpu":"100m","memory":"1Gi"},
                                             "requests":{"memory":"500Mi"}}}])"),
      PodWith(R"("containers":[{"resources":{"requests":{"memory":"500Mi"}}}])"),
      R"({"metadata":{"labels":{"tier":"frontend"},"labels":{"app":"database"}}})",
      R"({"metadata":{"labels":{"app":"database"}}})",
      PodWith(R"("tolerations":[{"key":"a"}],"tolerations":[{"key":"b"}])"),
      PodWith(R"("volumes":[{"name":"v","cinder":{"volumeID":"x"}}])"),
      PodWith(R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone"}])"),
      R"({"metadata":{"labels":{"a":"b","a":"c"},"ownerReferences":[{"uid":"u"}]}})",
  };
  std::vector<Pod> anew;
  for (const std::string& text : texts) {
    DecodeCache::ForgetAll();
    Reading reading = Read(text);
    EXPECT_TRUE(reading.report.ok()) << text;
    anew.push_back(std::move(reading.pod));
  }
  DecodeCache::ForgetAll();
  for (int round = 0; round < 2; ++round) {
    for (size_t at = 0; at < anew.size(); ++at)
      ExpectEqual(Read(texts[at]).pod, anew[at], texts[at]);
  }
}

TEST(DecodeCache, SharesTheDecodedValue) {
  DecodeCache::ForgetAll();
  std::string text = PodWith(R"("containers":)" + std::string(kContainers));
  Pod first = Read(text).pod;
  Pod second = Read(text).pod;
  EXPECT_TRUE(first.spec.containers.IsSame(second.spec.containers));
  EXPECT_TRUE(first.metadata.labels.IsSame(second.metadata.labels));
  DecodeCache::ForgetAll();
  EXPECT_FALSE(first.spec.containers.IsSame(Read(text).pod.spec.containers));
}

// Like pods of many templates that are written in the same form.
TEST(DecodeCache, DistinguishesSimilarTexts) {
  DecodeCache::ForgetAll();
  constexpr int kTemplates = 300;
  auto text_of = [](int number) {
    return PodWith(R"("containers":[{"name":"main","resources":{"requests":{"cpu":"1000m",)"
                   R"("memory":")" +
                   std::to_string(1000 + number) + R"(Mi","example.com/gpu":"1"}}}])");
  };
  std::vector<Pod> first;
  for (int number = 0; number < kTemplates; ++number) first.push_back(Read(text_of(number)).pod);
  int num_shared = 0;
  for (int number = 0; number < kTemplates; ++number) {
    Pod again = Read(text_of(number)).pod;
    EXPECT_EQ(again.spec.containers[0].resources.requests,
              first[number].spec.containers[0].resources.requests);
    if (again.spec.containers.IsSame(first[number].spec.containers)) ++num_shared;
  }
  // Others have been replaced by texts of the same bucket.
  EXPECT_GT(num_shared, kTemplates / 2);
}

TEST(DecodeCache, ExcludesTextsWithErrors) {
  std::string text = PodWith(
      R"("containers":[{"name":1,"resources":{"requests":{"cpu":"lots"}}}],"volumes":["v"])");
  DecodeCache::ForgetAll();
  std::vector<std::string> anew = Texts(Read(text).report);
  EXPECT_EQ(anew.size(), 3u);
  EXPECT_EQ(Texts(Read(text).report), anew);
  // With errors_max reached, there may be an error that is not reported.
  DecodeOptions one;
  one.errors_max = 1;
  DecodeCache::ForgetAll();
  Read(PodWith(R"("priority":"x","volumes":["v"])"), one);
  EXPECT_EQ(Texts(Read(PodWith(R"("volumes":["v"])")).report).size(), 1u);
}

TEST(DecodeCache, RespectsTheDepthLimit) {
  std::string text = PodWith(R"("containers":[{"env":[[[[[[]]]]]]}])");
  DecodeCache::ForgetAll();
  EXPECT_TRUE(Read(text).report.ok());
  DecodeOptions shallow;
  shallow.depth_max = 8;
  std::vector<std::string> errors = Texts(Read(text, shallow).report);
  DecodeCache::ForgetAll();
  EXPECT_EQ(errors, Texts(Read(text, shallow).report));
  EXPECT_EQ(errors.size(), 1u);
}

// Among JSON lines a line feed ends the value.
TEST(DecodeCache, RefusesLineFeedsAmongLines) {
  std::string text = PodWith("\"containers\":[{\"name\":\"c\"},\n{\"name\":\"d\"}]");
  DecodeCache::ForgetAll();
  EXPECT_TRUE(Read(text).report.ok());
  JsonReader reader(text, {.depth_max = 64, .is_line = true});
  DecodeReport report;
  Pod pod;
  EXPECT_FALSE(SchemaDecoder(&reader, DecodeOptions(), &report).Read(PodType(), &pod));
  EXPECT_TRUE(reader.has_failed());
}

}  // namespace
}  // namespace stowage
