#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/selector_schema.h"

namespace stowage {

struct PluginEntry {
  std::string name;
  int32_t weight = 0;
};

struct ProfileDocument {
  std::string scheduler_name;
  std::vector<PluginEntry> plugins;
  RawJson args;
};

struct ConfigurationDocument {
  int32_t parallelism = 0;
  std::vector<ProfileDocument> profiles;
  std::vector<std::pair<std::string, bool>> feature_gates;
  LabelMap labels;
  ResourceList limits;
  NodeAffinitySpec added_affinity;
};

template <>
struct Schema<PluginEntry> {
  static constexpr auto kFields =
      Fields(Field<&PluginEntry::name>("name"), Field<&PluginEntry::weight>("weight"));
};

template <>
struct Schema<ProfileDocument> {
  static constexpr auto kFields =
      Fields(Field<&ProfileDocument::scheduler_name>("schedulerName"),
             Field<&ProfileDocument::plugins>("plugins"), Field<&ProfileDocument::args>("args"));
};

template <>
struct Schema<ConfigurationDocument> {
  static constexpr auto kFields =
      Fields(Field<&ConfigurationDocument::parallelism>("parallelism"),
             Field<&ConfigurationDocument::profiles>("profiles"),
             Field<&ConfigurationDocument::feature_gates>("featureGates"),
             Field<&ConfigurationDocument::labels>("labels"),
             Field<&ConfigurationDocument::limits>("limits"),
             Field<&ConfigurationDocument::added_affinity>("addedAffinity"));
};

namespace {

// Goal: all unknown and duplicate fields are reported, in upstream's words. Method: texts and their
// error.
TEST(StrictDecoding, CollectsUnknownAndDuplicateFields) {
  struct {
    std::string_view text;
    std::string_view want;
  } cases[] = {
      {R"({"parallelism":1,"profiles":[{"schedulerName":"a"}]})", ""},
      {R"({"profiles":[{"bogus":1}]})",
       R"(strict decoding error: unknown field "profiles[0].bogus")"},
      {R"({"bogus":{"bogus":1,"x":1,"x":2}})", R"(strict decoding error: unknown field "bogus")"},
      {R"({"parallelism":1,"parallelism":2})",
       R"(strict decoding error: duplicate field "parallelism")"},
      {R"({"parallelism":1,"parallelism":2,"parallelism":3,"x":1,"x":2})",
       R"(strict decoding error: duplicate field "parallelism", unknown field "x")"},
      {R"({"profiles":[{},{"plugins":[{"name":"a"},{"name":"b","name":"c","Weight":1}],"y":0}]})",
       R"(strict decoding error: duplicate field "profiles[1].plugins[1].name", )"
       R"(unknown field "profiles[1].plugins[1].Weight", unknown field "profiles[1].y")"},
      {R"({"featureGates":{"A":true,"A":false},"labels":{"k":"1","k":"2"},
          "limits":{"cpu":1,"cpu":2}})",
       R"(strict decoding error: duplicate field "featureGates.A", duplicate field "labels.k", )"
       R"(duplicate field "limits.cpu")"},
      {R"({"profiles":[{"args":{"x":1,"x":2,"anything":[{}]}}]})", ""},
      {R"({"a\"b":1})", R"(strict decoding error: unknown field "a\"b")"},
      {R"({"addedAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
          {"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","op":"In"}]}]}}})",
       "strict decoding error: unknown field \"addedAffinity."
       "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]."
       "op\""},
  };
  DecodeOptions options;
  options.strict = true;
  for (const auto& c : cases) {
    ConfigurationDocument document;
    DecodeReport report = DecodeJson(c.text, options, &document);
    EXPECT_FALSE(report.syntax_error.has_value()) << c.text;
    EXPECT_TRUE(report.field_errors.empty()) << c.text;
    EXPECT_EQ(report.StrictErrorText(), c.want) << c.text;
    EXPECT_EQ(report.ok(), c.want.empty()) << c.text;
    EXPECT_TRUE(DecodeJson(c.text, DecodeOptions(), &document).ok()) << c.text;
  }
}

TEST(StrictDecoding, ReportsAtMostAHundredErrors) {
  std::string text = "{";
  for (int index = 0; index < 200; ++index) text += "\"x" + std::to_string(index) + "\":1,";
  text += "\"parallelism\":3}";
  DecodeOptions options;
  options.strict = true;
  ConfigurationDocument document;
  EXPECT_EQ(DecodeJson(text, options, &document).strict_errors.size(), 100u);
  EXPECT_EQ(document.parallelism, 3);
}

}  // namespace
}  // namespace stowage
