// Goal: a text that is like a remembered one gives the same pod as reading all of it, and an error
// wherever reading would. Method: lines, for which texts are remembered, against documents, for
// which they are not.
#include "core/api/decode/pod_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/base/rng.h"
#include "tests/core/api/decode/object_text.h"
#include "tests/core/api/decode/recorded_objects.h"
#include "tests/core/api/decode/recording_sink.h"

namespace stowage {
namespace {

using Members = std::vector<std::pair<std::string, std::string>>;

// A pod as an API server shows it.
struct PodText {
  Members metadata = {
      {"name", R"("web-1")"},
      {"generateName", R"("web-")"},
      {"namespace", R"("shop")"},
      {"uid", R"("7a0f4f0e-8a0e")"},
      {"resourceVersion", R"("100")"},
      {"generation", "1"},
      {"creationTimestamp", R"("2026-01-01T00:00:00Z")"},
      {"labels", R"({"app":"web","pod-template-hash":"6d9c7b5f4c"})"},
      {"annotations", R"({"a":"b"})"},
      {"ownerReferences", R"([{"kind":"ReplicaSet","name":"web","uid":"r","controller":true}])"},
      {"managedFields", R"([{"manager":"m","time":"2026-01-01T00:00:00Z"}])"},
  };
  Members spec = {
      {"volumes", R"([{"name":"kube-api-access-x7z2k","projected":{"defaultMode":420}}])"},
      {"containers", R"([{"name":"main","image":"i","resources":{"requests":{"cpu":"1"}}}])"},
      {"restartPolicy", R"("Always")"},
      {"nodeSelector", R"({"disk":"ssd"})"},
      {"priority", "10"},
      {"overhead", R"({"cpu":"10m"})"},
      {"hostNetwork", "true"},
      {"schedulerName", R"("default-scheduler")"},
      {"tolerations", R"([{"key":"k","operator":"Exists"}])"},
      {"nodeName", R"("node-1")"},
  };
  Members status = {
      {"phase", R"("Pending")"},
      {"conditions", R"([{"type":"PodScheduled","status":"True","message":"m"}])"},
      {"startTime", R"("2026-01-01T00:00:00Z")"},
      {"qosClass", R"("Burstable")"},
  };
};

std::string ObjectOf(const Members& members) {
  std::string text = "{";
  for (const auto& [key, value] : members) {
    if (text.size() > 1) text += ',';
    text += '"' + key + "\":" + value;
  }
  return text + "}";
}

std::string TextOf(const PodText& pod) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":)" + ObjectOf(pod.metadata) + R"(,"spec":)" +
         ObjectOf(pod.spec) + R"(,"status":)" + ObjectOf(pod.status) + "}";
}

std::string EventOf(std::string_view pod, std::string_view type = "MODIFIED") {
  return R"({"type":")" + std::string(type) + R"(","object":)" + std::string(pod) + "}";
}

// All results of a batch.
std::string ResultOf(const RecordingSink& sink) {
  std::string text;
  for (const std::string& line : sink.lines) text += line + "\n";
  for (const AnyObject& object : sink.objects) text += TextOf(object) + "\n";
  for (const InputError& error : sink.errors) text += error.field + "|" + error.message + "\n";
  return text;
}

PodRef PodIn(const RecordingSink& sink) {
  return sink.objects.size() == 1 ? sink.objects[0].Ref<Pod>() : nullptr;
}

RecordingSink Compare(const std::string& line, const DecodeLimits& limits) {
  RecordingSink sink = Record(line, BatchFormat::kLines, limits);
  EXPECT_EQ(ResultOf(sink), ResultOf(Record(line, BatchFormat::kDocument, limits))) << line;
  return sink;
}

// Reads a line and compares, and the deletion of the pod in it, too; returns the pod if it is one.
PodRef Read(const std::string& line, const DecodeLimits& limits = DecodeLimits()) {
  if (!line.starts_with(R"({"type")")) Compare(EventOf(line, "DELETED"), limits);
  return PodIn(Compare(line, limits));
}

// Conditions have no cache of their own, and pods of different owners share none otherwise.
bool ShareConditions(const PodRef& a, const PodRef& b) {
  return a != nullptr && b != nullptr && a->status.conditions.IsSame(b->status.conditions);
}

void SetMember(Members* members, std::string_view key, std::string_view value) {
  for (auto& member : *members) {
    if (member.first == key) member.second = value;
  }
}

std::string WithUid(PodText pod, std::string_view uid) {
  std::string owner = R"([{"kind":"ReplicaSet","uid":"of-)" + std::string(uid) + R"("}])";
  SetMember(&pod.metadata, "uid", '"' + std::string(uid) + '"');
  SetMember(&pod.metadata, "ownerReferences", owner);
  return TextOf(pod);
}

class PodTextsTest : public testing::Test {
 protected:
  void SetUp() override { PodTexts::ForgetAll(); }
  void TearDown() override { PodTexts::ForgetAll(); }
};

TEST_F(PodTextsTest, DecodesOnlyWhatDiffers) {
  PodRef first = Read(WithUid({}, "a"));
  PodRef second = Read(WithUid({}, "b"));
  EXPECT_TRUE(ShareConditions(first, second));
  EXPECT_EQ(second->metadata.uid, "b");
  PodText later;
  SetMember(&later.metadata, "generation", "10");
  EXPECT_TRUE(ShareConditions(first, Read(WithUid(later, "later"))));
  PodRef in_event = Read(EventOf(WithUid({}, "c")));
  EXPECT_FALSE(ShareConditions(first, in_event)) << "it is one level deeper";
  EXPECT_TRUE(ShareConditions(in_event, Read(EventOf(WithUid({}, "d")))));
  PodTexts::ForgetAll();
  EXPECT_FALSE(ShareConditions(first, Read(WithUid({}, "e"))));
}

TEST_F(PodTextsTest, RemembersTheTextsOfSeveralSteps) {
  PodText waiting;
  waiting.spec.pop_back();
  for (const PodText& step : {waiting, PodText()}) Read(WithUid(step, "a"));
  PodRef is_waiting = Read(WithUid(waiting, "b"));
  PodRef is_bound = Read(WithUid(PodText(), "b"));
  EXPECT_TRUE(ShareConditions(is_waiting, Read(WithUid(waiting, "c"))));
  EXPECT_TRUE(ShareConditions(is_bound, Read(WithUid(PodText(), "c"))));
  EXPECT_FALSE(ShareConditions(is_waiting, is_bound));
}

TEST_F(PodTextsTest, RemembersDeletions) {
  DecodeLimits limits;
  Compare(EventOf(WithUid({}, "a"), "DELETED"), limits);
  PodText with_other_container;
  SetMember(&with_other_container.spec, "containers", R"([{"name":"other"}])");
  std::string next = EventOf(WithUid(with_other_container, "b"), "DELETED");
  JsonReader reader(next, {.is_line = true});
  std::string_view key;
  ASSERT_TRUE(reader.EnterObject(&key) && reader.SkipValue() && reader.NextMember(&key)) << "type";
  ASSERT_TRUE(reader.EnterObject(&key) && reader.SkipValue() && reader.NextMember(&key)) << "pod";
  ASSERT_TRUE(key == "kind" && reader.SkipValue());
  Pod pod;
  bool has_managed_fields;
  EXPECT_TRUE(PodTexts::Get(true).Read(&reader, &pod, &has_managed_fields));
  EXPECT_EQ(pod.metadata.uid, "b");
  EXPECT_TRUE(pod.spec.containers.empty()) << "no decision needs those of a deleted pod";
}

// Each of a stream of texts that are like none costs a comparison with all that are remembered.
TEST_F(PodTextsTest, GivesUpForAWhile) {
  PodRef last;
  for (int number = 0; number < 100; ++number) {
    PodText pod;
    pod.metadata.push_back({"other-" + std::to_string(number), "1"});
    last = Read(WithUid(pod, "a"));
  }
  int num_read = 0;
  while (num_read < 100 && !ShareConditions(last, Read(WithUid({}, "b")))) {
    last = Read(WithUid({}, "c"));
    ++num_read;
  }
  EXPECT_GT(num_read, 2);
  EXPECT_LT(num_read, 40);
}

TEST_F(PodTextsTest, ReadsWhatIsNoMember) {
  const std::string base = TextOf(PodText());
  for (size_t at = 0; at < base.size(); ++at) {
    Read(TextOf(PodText()));
    for (std::string_view other : {"x", "\"", "}", ",", "1", "\\", "\t", " ", "\xc3"}) {
      std::string changed = base;
      changed.replace(at, 1, other);
      Read(changed);
    }
    if (at > 0) Read(base.substr(0, at));
  }
}

TEST_F(PodTextsTest, ReadsOtherValues) {
  constexpr std::string_view kValues[] = {"null",
                                          "1",
                                          "10",
                                          "-0",
                                          "1.5",
                                          "true",
                                          R"("")",
                                          R"("a\"b")",
                                          R"("10")",
                                          "{}",
                                          "[]",
                                          R"({"a":"b"})",
                                          R"([{"name":"x"}])",
                                          R"([{"name":1}])",
                                          R"({"cpu":"2"})",
                                          R"("2026-02-03T04:05:06Z")",
                                          "[[[[1]]]]",
                                          "nul",
                                          "\"\x01\"",
                                          R"([{"emptyDir":{}}])"};
  PodText base;
  for (Members* part : {&base.metadata, &base.spec, &base.status}) {
    for (size_t at = 0; at < part->size(); ++at) {
      const auto member = (*part)[at];
      for (std::string_view value : kValues) {
        Read(TextOf(PodText()));
        (*part)[at].second = value;
        Read(TextOf(base));
        Read(EventOf(TextOf(base)));
        (*part)[at] = member;
        part->push_back({member.first, std::string(value)});  // a second time
        Read(TextOf(base));
        Read(TextOf(base));
        part->pop_back();
      }
      part->erase(part->begin() + static_cast<ptrdiff_t>(at));
      Read(TextOf(base));
      part->insert(part->begin() + static_cast<ptrdiff_t>(at), member);
    }
  }
}

TEST_F(PodTextsTest, ReadsParts) {
  const std::string base = TextOf(PodText());
  for (std::string_view part : {"metadata", "spec", "status"}) {
    for (std::string_view value : {"null", "{}", "[]", "1"}) {
      std::string more = base;
      more.insert(more.size() - 1, ",\"" + std::string(part) + "\":" + std::string(value));
      for (int round = 0; round < 3; ++round) Read(more);
      Read(base);
    }
  }
}

TEST_F(PodTextsTest, KeepsTheLimits) {
  PodText deep;
  deep.metadata.push_back({"x", "[[[1]]]"});
  PodText deeper;
  deeper.metadata.push_back({"x", "[[[[1]]]]"});
  for (size_t depth = 3; depth < 9; ++depth) {
    DecodeLimits limits;
    limits.depth = depth;
    for (const PodText& pod : {deep, deeper, deep}) {
      Read(TextOf(pod), limits);
      Read(EventOf(TextOf(pod)), limits);
    }
  }
  DecodeLimits limits;
  limits.sources = KeptSources::kAll;
  limits.object_bytes = TextOf(deep).size();
  for (const PodText& pod : {deep, deeper, deep}) Read(TextOf(pod), limits);
}

// Pods of a List, whose kind it names, and recorded ones.
TEST_F(PodTextsTest, ReadsListsAndRecordedPods) {
  DecodeLimits limits;
  limits.sources = KeptSources::kAll;
  for (int round = 0; round < 3; ++round) {
    std::string list = R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[)";
    for (std::string_view uid : {"a", "b", "c"}) {
      if (uid != "a") list += ',';
      list += WithUid({}, std::string(uid) + std::to_string(round))
                  .replace(0, std::string_view(R"({"apiVersion":"v1","kind":"Pod",)").size(), "{");
    }
    RecordingSink sink = Record(list + "]}", BatchFormat::kDocument, limits);
    ASSERT_EQ(sink.objects.size(), 3u);
    for (const AnyObject& pod : sink.objects) {
      RecordingSink alone = Record(WithUid({}, pod.metadata().uid.view()), BatchFormat::kDocument);
      ASSERT_EQ(alone.objects.size(), 1u);
      EXPECT_EQ(pod.Ref<Pod>()->metadata.owner_references,
                alone.objects[0].Ref<Pod>()->metadata.owner_references);
    }
    std::string recorded(kRecordedPod);
    std::erase(recorded, '\n');
    Read(recorded, limits);
    Read(EventOf(recorded), limits);
  }
}

// Random changes, one text after the other.
TEST_F(PodTextsTest, ReadsRandomChanges) {
  constexpr std::string_view kValues[] = {"null",   "7",  R"("v")",
                                          R"("w")", "{}", R"([{"name":"c"}])"};
  Rng rng(20261128);
  int num_pods = 0;
  for (int round = 0; round < 5000; ++round) {
    PodText pod;
    for (Members* part : {&pod.metadata, &pod.spec, &pod.status}) {
      for (auto& member : *part) {
        bool is_text = member.second[0] == '"';
        if (rng.Below(8) == 0 && is_text) member.second.insert(1, rng.Below(2) == 0 ? "x" : "y\\n");
        if (rng.Below(100) == 0) member.second = kValues[rng.Below(std::size(kValues))];
        if (rng.Below(100) == 0) member.first = "other";
        if (rng.Below(100) == 0) std::swap(member, part->front());
      }
      if (rng.Below(20) == 0) part->pop_back();
      if (rng.Below(20) == 0) part->push_back((*part)[rng.Below(part->size())]);
    }
    if (Read(rng.Below(3) == 0 ? EventOf(TextOf(pod)) : TextOf(pod)) != nullptr) ++num_pods;
  }
  EXPECT_GT(num_pods, 2000) << "the dice are loaded";
}

}  // namespace
}  // namespace stowage
