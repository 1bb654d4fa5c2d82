#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <string_view>

#include "core/api/decode/batch.h"
#include "core/base/rng.h"
#include "tests/core/api/decode/object_text.h"
#include "tests/core/api/decode/recorded_objects.h"
#include "tests/core/api/decode/recording_sink.h"

namespace stowage {
namespace {

// All results of a batch.
std::string TextOf(const RecordingSink& sink) {
  std::string text;
  for (const std::string& line : sink.lines) text += line + "\n";
  for (const AnyObject& object : sink.objects) text += TextOf(object) + "\n";
  for (const InputError& error : sink.errors) {
    for (const std::string& part : {error.api_version, error.kind, error.namespace_, error.name,
                                    error.field, error.value, error.message}) {
      text += part + "|";
    }
    text += std::to_string(error.line) + ":" + std::to_string(error.column) + " " +
            std::to_string(error.index) + "\n";
  }
  return text;
}

// Compares both ways: a document always takes two passes, a line one pass if possible. Returns
// whether there is an object.
bool ExpectSame(const std::string& line, const DecodeLimits& limits = DecodeLimits()) {
  RecordingSink sink = Record(line, BatchFormat::kLines, limits);
  EXPECT_EQ(TextOf(sink), TextOf(Record(line, BatchFormat::kDocument, limits))) << line;
  return !sink.objects.empty();
}

std::string InOneLine(std::string_view text) {
  std::string line(text);
  std::erase(line, '\n');
  return line;
}

std::string Event(std::string_view type, std::string_view object) {
  return R"({"type":")" + std::string(type) + R"(","object":)" + std::string(object) + "}";
}

constexpr std::string_view kRest = R"("metadata":{"name":"a","namespace":"b","uid":"c"})";

// Goal: identifying members that come late, twice or escaped have the same meaning.
TEST(OnePass, AcceptsMembersInAnyOrder) {
  const std::string rest(kRest);
  const std::string objects[] = {
      R"({"kind":"Pod","apiVersion":"v1",)" + rest + "}",
      R"({"apiVersion":"v1","kind":"Pod",)" + rest + "}",
      R"( { "kind" : "Pod" , "apiVersion" : "v1" , )" + rest + " } ",
      R"({"kind":"Pod",)" + rest + R"(,"apiVersion":"v1"})",
      R"({)" + rest + R"(,"kind":"Pod","apiVersion":"v1"})",
      R"({"kind":"Pod","apiVersion":"v1",)" + rest + R"(,"kind":"Service"})",
      R"({"kind":"Pod","apiVersion":"v1",)" + rest + R"(,"apiVersion":"v2"})",
      R"({"kind":"Pod","kind":"Pod","apiVersion":"v1",)" + rest + "}",
      R"({"k\u0069nd":"Pod","apiVersion":"v1",)" + rest + "}",
      R"({"kind":"P\u006fd","apiVersion":"v\u0031",)" + rest + "}",
      R"({"kind":"Pod","apiVersion":"v1",)" + rest + R"(,"k\u0069nd":"Service"})",
      R"({"kind":"Pod","apiVersion":"v1",)" + rest + R"(,"type":"ADDED","object":{}})",
      R"({"kind":"Pod","apiVersion":"v1",)" + rest + R"(,"items":[]})",
      R"({"kind":"PodList","apiVersion":"v1","items":[{)" + rest + "}]}",
      R"({"kind":"Deployment","apiVersion":"apps/v1",)" + rest + "}",
      R"({"kind":"Pod","apiVersion":"v1"})",
      R"({"kind":"Pod","apiVersion":1})",
      R"({"kind":null,"apiVersion":"v1"})",
      R"({"kind":"Pod"})",
      "{}",
      "[]",
      "7",
  };
  for (const std::string& object : objects) {
    ExpectSame(object);
    for (std::string_view type : {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR", "added"}) {
      const std::string event = Event(type, object);
      ExpectSame(event);
      ExpectSame(event + "}");
      ExpectSame(event.substr(0, event.size() - 1) + R"(,"more":1})");
      ExpectSame(event.substr(0, event.size() - 1) + R"(,"kind":"Pod"})");
      ExpectSame(event.substr(0, event.size() - 1) + R"(,"object":{}})");
      ExpectSame(R"({"object":)" + object + R"(,"type":")" + std::string(type) + R"("})");
    }
  }
}

// Six levels deep.
std::string DeepPod() {
  return R"({"kind":"Pod","apiVersion":"v1",)" + std::string(kRest) +
         R"(,"spec":{"affinity":{"x":[[[1]]]}}})";
}

// Goal: both ways have the same limits of size and depth.
TEST(OnePass, HasTheSameLimits) {
  const std::string pod = DeepPod();
  for (size_t depth = 1; depth < 9; ++depth) {
    for (size_t size = pod.size() - 1; size <= pod.size() + 1; ++size) {
      DecodeLimits limits;
      limits.depth = depth;
      limits.object_bytes = size;
      limits.sources = KeptSources::kShown;
      bool is_within = ExpectSame(pod, limits);
      EXPECT_EQ(is_within, depth >= 6 && size >= pod.size());
      EXPECT_EQ(ExpectSame(Event("ADDED", pod), limits), is_within);
      EXPECT_TRUE(ExpectSame(Event("DELETED", pod), limits));
    }
  }
}

// Goal: both ways give the same answers.
TEST(OnePass, ReadsTheSameCompletions) {
  for (std::string_view line :
       {R"({"type":"COMPLETION","call":17,"status":201,"body":"{}"})",
        R"({"type":"COMPLETION","error":"timeout","message":"\u00e4","call":1} )",
        R"({"type":"COMPLETION","call":1,"object":{},"items":[[]]})",
        R"({"type":"COMPLETION","call":1,"call":2})", R"({"type":"COMPLETION","call":0})",
        R"({"type":"COMPLETION","call":"1"})", R"({"type":"COMPLETION","call":1,"error":"no"})",
        R"({"type":"COMPLETION","call":1,"type":"ADDED"})",
        R"({"type":"COMPLETION","call":1,"kind":"Pod"})", R"({"type":"COMPLETION","call":1)",
        R"({"type":"COMPLETION","call":1}})", R"({"type":"COMPLETION"})"}) {
    ExpectSame(std::string(line));
  }
}

// Goal: a line feed always ends a line. Method: a line feed between any two bytes of two lines.
TEST(OnePass, EndsLinesAtLineFeeds) {
  const std::string line = Event("ADDED", InOneLine(PodJson("a")));
  for (size_t offset = 0; offset <= line.size(); ++offset) {
    std::string text = line + "\n" + line;
    text.insert(offset, 1, '\n');
    bool is_whole = offset == 0 || offset == line.size();
    RecordingSink sink = Record(text, BatchFormat::kLines);
    EXPECT_EQ(sink.objects.size(), is_whole ? 2u : 1u) << text;
    EXPECT_EQ(sink.errors.size(), is_whole ? 0u : 2u) << text;
  }
}

// Pieces of the grammar and of names.
constexpr std::string_view kPieces[] = {"\"",          "\\",
                                        "\\u0041",     "\\ud800",
                                        "\xc0\x80",    "\xf0\x9f\x98\x80",
                                        "\xff",        "{",
                                        "}",           "[",
                                        "]",           ",",
                                        ":",           "null",
                                        "7",           "-0",
                                        "true",        " ",
                                        "\t",          "\"kind\":1,",
                                        "\"spec\":1,", "\"type\":\"\",",
                                        "\x01",        "{\"a\":",
                                        "1e9",         "[{}],"};

// Changes up to three places.
void ChangeText(Rng* rng, std::string* text) {
  for (uint64_t change = rng->Below(3) + 1; change > 0; --change) {
    size_t offset = rng->Below(rng->Below(3) == 0 ? 100 : text->size());
    size_t next = text->find_first_of(",{[:", offset);
    if (rng->Below(2) == 0 && next != std::string::npos) offset = next + 1;
    if (rng->Below(3) == 0) text->erase(offset, rng->Below(6));
    text->insert(offset, kPieces[rng->Below(std::size(kPieces))]);
  }
}

// Goal: both ways report every error in the same way. Method: seeded changes of recorded objects,
// mainly with pieces of the grammar and of names.
TEST(OnePass, AgreesOnChangedTexts) {
  const std::string pod = InOneLine(kRecordedPod);
  const std::string node = InOneLine(kRecordedNode);
  const std::string originals[] = {pod, node, Event("ADDED", pod), Event("MODIFIED", node),
                                   Event("DELETED", pod)};
  Rng rng(20261123);
  size_t num_objects = 0;
  constexpr size_t kRounds = 4000;
  for (size_t round = 0; round < kRounds; ++round) {
    std::string text = originals[rng.Below(std::size(originals))];
    ChangeText(&rng, &text);
    if (ExpectSame(text)) ++num_objects;
  }
  EXPECT_GT(num_objects, kRounds / 20) << "the dice are loaded";
  EXPECT_LT(num_objects, kRounds - kRounds / 20) << "the dice are loaded";
}

// Compares both ways for a List of `members`. With a member `object` it could be an event, and
// takes two passes. Returns the number of objects.
size_t ExpectSameList(const std::string& members, const DecodeLimits& limits = DecodeLimits()) {
  const std::string one = R"({"others":0,)" + members;
  const std::string two = R"({"object":0,)" + members;
  RecordingSink sink = Record(one, BatchFormat::kDocument, limits);
  EXPECT_EQ(TextOf(sink), TextOf(Record(two, BatchFormat::kDocument, limits))) << one;
  return sink.objects.size();
}

std::string PodNamed(const std::string& name, std::string_view kind) {
  return "{" + std::string(kind) + R"("metadata":{"name":")" + name +
         R"(","namespace":"b","uid":"c"}})";
}

// Goal: the items of a List have the kind that its last members give it.
TEST(OnePass, AcceptsListsWithMembersInAnyOrder) {
  const std::string a = PodNamed("a", R"("apiVersion":"v1","kind":"Pod",)");
  const std::string b = PodNamed("b", "");
  const std::string c = PodNamed("c", R"("kind":"Pod",)");
  const std::string late = R"({"metadata":{"name":"l"},"kind":"Node","apiVersion":"v1"})";
  const std::string nested =
      R"({"kind":"List","apiVersion":"v1","items":[)" + a + "," + late + "]}";
  const std::string items = R"("items":[)" + a + "," + b + ", " + c + " ," + late + "," + nested +
                            R"(,7,{},{"kind":"Node","apiVersion":"v1","metadata":{}},)" + b + "]";
  struct {
    std::string members;
    size_t objects;
  } cases[] = {
      {R"("apiVersion":"v1",)" + items + R"(,"kind":"List","metadata":{"resourceVersion":""}})", 4},
      {R"("kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},)" + items + "}",
       7},
      {R"("kind":"List","apiVersion":"v1",)" + items + "}", 4},
      {items + R"(,"kind":"PodList","apiVersion":"v1"})", 7},
      {R"("kind":"PodList","apiVersion":"v1",)" + items + R"(,"kind":"List"})", 4},
      {R"("kind":"PodList","apiVersion":"v1",)" + items + R"(,"kind":"NodeList"})", 4},
      {R"("kind":"NodeList","apiVersion":"v1",)" + items + R"(,"kind":"PodList"})", 7},
      {R"("kind":"PodList","apiVersion":"v1",)" + items + R"(,"apiVersion":"v2"})", 0},
      {R"("kind":"PodList","apiVersion":"v1",)" + items + R"(,"items":[]})", 0},
      {R"("kind":"PodList","apiVersion":"v1","items":[)" + b + R"(],)" + items + "}", 7},
      {R"("kind":"PodList","apiVersion":"v1",)" + items + R"(,"items":null})", 0},
      {R"("kind":"Pod","apiVersion":"v1",)" + items + R"(,"metadata":)" +
           R"({"name":"a","namespace":"b","uid":"c"}})",
       1},
      {R"("kind":"PodList","apiVersion":"v1",)" + items + R"(,"type":"ADDED"})", 7},
      {items + "}", 0},
      {items, 4},
      {R"("kind":"PodList","apiVersion":"v1",)" + items.substr(0, items.size() - 9), 6},
      {items + R"(,"kind":"PodList","apiVersion":"v1"}})", 7},
  };
  for (const auto& one : cases) EXPECT_EQ(ExpectSameList(one.members), one.objects) << one.members;
}

// Goal: items of Lists have the limits of single objects.
TEST(OnePass, ItemsHaveTheSameLimits) {
  const std::string pod = DeepPod();
  for (size_t depth = 1; depth < 9; ++depth) {
    for (size_t size = pod.size() - 1; size <= pod.size() + 1; ++size) {
      DecodeLimits limits;
      limits.depth = depth;
      limits.object_bytes = size;
      const std::string list = R"("kind":"List","apiVersion":"v1","items":[)" + pod + "]}";
      EXPECT_EQ(ExpectSameList(list, limits), depth >= 6 && size >= pod.size() ? 1u : 0u);
    }
  }
}

// Goal: both ways report every error in a List in the same way.
TEST(OnePass, AgreesOnChangedLists) {
  const std::string pod = InOneLine(kRecordedPod);
  const std::string node = InOneLine(kRecordedNode);
  const std::string bare = PodNamed("b", "");
  const std::string originals[] = {
      R"("apiVersion":"v1","items":[)" + node + "," + pod + "," + pod + R"(],"kind":"List"})",
      R"("kind":"PodList","apiVersion":"v1","items":[)" + bare + "," + bare + "," + bare + "]}",
  };
  Rng rng(20261127);
  size_t num_whole = 0;
  constexpr size_t kRounds = 3000;
  for (size_t round = 0; round < kRounds; ++round) {
    std::string text = originals[rng.Below(std::size(originals))];
    ChangeText(&rng, &text);
    if (ExpectSameList(text) == 3) ++num_whole;
  }
  EXPECT_GT(num_whole, kRounds / 20) << "the dice are loaded";
  EXPECT_LT(num_whole, kRounds - kRounds / 20) << "the dice are loaded";
}

// Goal: space between tokens has no meaning. Method: runs of it that end at any place of a word.
TEST(OnePass, SkipsSpaces) {
  const std::string pod = InOneLine(kRecordedPod);
  const std::string plain = TextOf(Record(pod, BatchFormat::kDocument));
  for (std::string_view space : {" ", "\n", "\t", "\r", "  ", "\n ", " \n"}) {
    for (size_t blanks = 0; blanks < 18; ++blanks) {
      std::string text;
      bool in_string = false;
      for (char c : pod) {
        if (c == '"') in_string = !in_string;
        text += c;
        if (in_string || std::string_view(",:{[").find(c) == std::string_view::npos) continue;
        text += std::string(space) + std::string(blanks, ' ');
      }
      EXPECT_EQ(TextOf(Record(text, BatchFormat::kDocument)), plain) << text;
    }
  }
}

}  // namespace
}  // namespace stowage
