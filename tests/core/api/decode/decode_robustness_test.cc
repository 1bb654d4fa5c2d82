#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/api/decode/decode_cache.h"
#include "core/api/decode/json_tokens.h"
#include "core/api/decode/objects.h"
#include "core/api/decode/pod_texts.h"
#include "core/api/encode/utf8.h"
#include "core/base/rng.h"
#include "tests/core/api/decode/recorded_objects.h"
#include "tests/core/api/decode/recording_sink.h"

namespace stowage {
namespace {

// Remembered texts hold symbols.
void ForgetTexts() {
  DecodeCache::ForgetAll();
  PodTexts::ForgetAll();
}

std::string ListOf(std::string_view first, std::string_view second) {
  return R"({"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":""},"items":[)" +
         std::string(first) + "," + std::string(second) + "]}";
}

// Checks that every text of an error is valid UTF-8, whatever the input was.
void ExpectSound(const RecordingSink& sink, std::string_view text) {
  for (const InputError& error : sink.errors) {
    for (const std::string& part : {error.api_version, error.kind, error.namespace_, error.name,
                                    error.field, error.value, error.message}) {
      EXPECT_EQ(FindInvalidUtf8(part), part.size());
    }
    EXPECT_FALSE(error.message.empty());
    EXPECT_LE(error.value.size(), InputError::kValueBytesMax);
    EXPECT_GE(error.line, 1u);
    EXPECT_LE(error.column, text.size() + 1);
  }
}

// Goal: a truncated text is an error, never a crash. Method: every prefix of a pod, of a List and
// of a watch event.
TEST(DecodeRobustness, TruncationIsAlwaysAnError) {
  std::string event = R"({"type":"ADDED","object":)" + std::string(kRecordedPod) + "}";
  std::string list = ListOf(kRecordedNode, PodJson("a"));
  for (std::string_view text : {kRecordedPod, std::string_view(event), std::string_view(list)}) {
    size_t size = text.find_last_of('}') + 1;
    for (size_t cut = 0; cut < size; ++cut) {
      RecordingSink sink = Record(text.substr(0, cut), BatchFormat::kDocument);
      ASSERT_EQ(sink.errors.size(), 1u) << cut;
      EXPECT_EQ(sink.errors[0].code, InputErrorCode::kMalformedJson) << cut;
      ExpectSound(sink, text);
      Record(text.substr(0, cut), BatchFormat::kLines);
    }
    EXPECT_TRUE(Record(text.substr(0, size), BatchFormat::kDocument).errors.empty());
  }
}

// Goal: no byte crashes the decoder, and no item is silently lost. Method: seeded changes of one to
// four bytes in a document; each item gives an object or an error, and text that is not JSON gives
// an error.
TEST(DecodeRobustness, ChangedBytesGiveObjectsOrErrors) {
  const std::string original = ListOf(kRecordedPod, kRecordedNode);
  constexpr std::string_view kSpecial = "{}[]\",:\\u0eE+-.\n\xff\xc3";
  Rng rng(20260301);
  for (int round = 0; round < 4000; ++round) {
    std::string text = original;
    for (uint64_t change = rng.Below(4) + 1; change > 0; --change) {
      size_t offset = rng.Below(text.size());
      switch (rng.Below(3)) {
        case 0:
          text[offset] = static_cast<char>(rng.Below(256));
          break;
        case 1:
          text[offset] = kSpecial[rng.Below(kSpecial.size())];
          break;
        default:
          text.erase(offset, rng.Below(8));
      }
    }
    RecordingSink sink = Record(text, BatchFormat::kDocument);
    EXPECT_TRUE(sink.objects.size() == 2 || !sink.errors.empty()) << round;
    if (sink.errors.empty()) {
      EXPECT_FALSE(FindJsonFault(text).has_value()) << round;
    }
    ExpectSound(sink, text);
    ExpectSound(Record(text, BatchFormat::kLines), text);
  }
}

// A random value: wrong types and depths are as frequent as right ones.
std::string RandomJson(Rng& rng, int depth_max) {
  constexpr std::string_view kScalars[] = {R"("a")",
                                           R"("")",
                                           R"("2026-03-01T12:00:00Z")",
                                           R"("\u0061\n")",
                                           "7",
                                           "-0.5e300",
                                           "true",
                                           "null",
                                           R"({})",
                                           "[]",
                                           R"("v")",
                                           "false"};
  uint64_t shape = rng.Below(depth_max > 0 ? 4 : 2);
  if (shape < 2) return std::string(kScalars[rng.Below(std::size(kScalars))]);
  std::string text(1, shape == 2 ? '[' : '{');
  for (uint64_t left = rng.Below(4); left > 0; --left) {
    if (shape == 3) text += R"("k)" + std::to_string(rng.Below(3)) + R"(":)";
    text += RandomJson(rng, depth_max - 1);
    if (left > 1) text += ',';
  }
  return text + (shape == 2 ? ']' : '}');
}

std::string RandomObject(std::string_view api_version, std::string_view kind, Rng& rng) {
  constexpr std::string_view kKeys[] = {
      "name", "namespace", "uid", "resourceVersion", "labels", "deletionTimestamp", "annotations"};
  std::string metadata = "{";
  for (std::string_view key : kKeys) {
    if (rng.Below(key == "namespace" ? 2 : 8) == 0) continue;
    std::string value = rng.Below(8) > 0 ? R"("a")" : RandomJson(rng, 3);
    if (key == "labels" && rng.Below(8) > 0) value = R"({"a":"b","c":""})";
    if (key == "deletionTimestamp" && rng.Below(8) > 0) value = "null";
    if (metadata.size() > 1) metadata += ',';
    metadata += '"' + std::string(key) + R"(":)" + value;
  }
  metadata = rng.Below(16) > 0 ? metadata + "}" : RandomJson(rng, 2);
  return R"({"kind":")" + std::string(kind) + R"(","apiVersion":")" + std::string(api_version) +
         R"(","metadata":)" + metadata + R"(,"spec":)" + RandomJson(rng, 5) + "}";
}

// Goal: an object whose metadata alone is read is an object of its kind or an error, whatever it
// contains, and leaks nothing. Method: seeded random objects of all kinds, one of them registered,
// added and deleted.
TEST(DecodeRobustness, RandomObjectsGiveObjectsOrErrors) {
  ForgetTexts();
  size_t before = Symbol::LiveCount();
  {
    DecodeLimits limits;
    limits.other_resources = {Symbol("foos.v1.example.com")};
    const KindInfo foo = FindKind("example.com/v1", "Foo", limits.other_resources).value();
    constexpr auto kKindCount = static_cast<uint64_t>(ObjectKind::kOther);
    size_t num_objects = 0;
    Rng rng(20261121);
    for (int round = 0; round < 4000; ++round) {
      uint64_t index = rng.Below(kKindCount + 1);
      const KindInfo& info = index == kKindCount ? foo : InfoOf(static_cast<ObjectKind>(index));
      bool is_deleted = rng.Below(2) == 0;
      std::string text = RandomObject(info.api_version, info.name, rng);
      if (is_deleted) text = R"({"type":"DELETED","object":)" + text + "}";
      RecordingSink sink = Record(text, BatchFormat::kLines, limits);
      EXPECT_NE(sink.objects.empty(), sink.errors.empty()) << text;
      ExpectSound(sink, text);
      if (sink.objects.empty()) continue;
      ++num_objects;
      EXPECT_EQ(sink.objects[0].kind(), info.kind) << text;
      EXPECT_FALSE(sink.objects[0].metadata().name.empty()) << text;
    }
    EXPECT_GT(num_objects, 400u) << "the dice are loaded";
    EXPECT_LT(num_objects, 3600u) << "the dice are loaded";
  }
  ForgetTexts();
  EXPECT_EQ(Symbol::LiveCount(), before);
}

// Goal: equal bytes give equal answers. Method: the same malformed batch twice.
TEST(DecodeRobustness, IsDeterministic) {
  std::string text =
      ListOf(kRecordedPod, R"({"kind":"Pod","apiVersion":"v1","spec":{"priority":"x"}})");
  RecordingSink first = Record(text, BatchFormat::kDocument);
  RecordingSink second = Record(text, BatchFormat::kDocument);
  EXPECT_EQ(first.lines, second.lines);
  ASSERT_EQ(first.errors.size(), second.errors.size());
  for (size_t error = 0; error < first.errors.size(); ++error) {
    EXPECT_EQ(first.errors[error].message, second.errors[error].message);
  }
}

// Goal: no decoded symbol outlives its objects, even after errors.
TEST(DecodeRobustness, LeavesNoSymbolsBehind) {
  ForgetTexts();
  size_t before = Symbol::LiveCount();
  std::string_view pod = kRecordedPod;
  for (size_t cut = 0; cut <= pod.size(); cut += 7) {
    Record(pod.substr(0, cut), BatchFormat::kDocument);
  }
  ForgetTexts();
  EXPECT_EQ(Symbol::LiveCount(), before);
}

}  // namespace
}  // namespace stowage
