#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/api/decode/json_tokens.h"
#include "core/api/decode/objects.h"
#include "core/api/encode/utf8.h"
#include "core/base/rng.h"
#include "tests/core/api/decode/recorded_objects.h"
#include "tests/core/api/decode/recording_sink.h"

namespace stowage {
namespace {

std::string ListOf(std::string_view first, std::string_view second) {
  return R"({"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":""},"items":[)" +
         std::string(first) + "," + std::string(second) + "]}";
}

// Every text of an error can be shown, whatever the input held.
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

// Goal: a text that breaks off anywhere is an error, never a crash. Method: every prefix of a pod,
// of a List and of a watch event.
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

// Goal: no byte breaks the decoder, and nothing is silently lost. Method: seeded changes of one to
// four bytes in a document; each item gives an object or an error, and what is no JSON an error.
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

// Goal: equal bytes give equal answers. Method: the same broken batch twice.
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

// Goal: nothing that was decoded outlives its holders, also after errors.
TEST(DecodeRobustness, LeavesNoSymbolsBehind) {
  size_t before = Symbol::LiveCount();
  std::string_view pod = kRecordedPod;
  for (size_t cut = 0; cut <= pod.size(); cut += 7) {
    Record(pod.substr(0, cut), BatchFormat::kDocument);
  }
  EXPECT_EQ(Symbol::LiveCount(), before);
}

}  // namespace
}  // namespace stowage
