#include "core/api/other_object.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/decode/objects.h"

namespace stowage {
namespace {

constexpr size_t kDepthMax = 64;

// Goal: metadata is enough for kinds that no plugin reads. Method: every such kind, with a spec
// that no schema accepts.
TEST(OtherObjects, AreReadFromTheirMetadata) {
  for (auto kind = kFirstOtherKind; kind < ObjectKind::kOther;
       kind = static_cast<ObjectKind>(static_cast<int>(kind) + 1)) {
    const KindInfo& info = InfoOf(kind);
    bool is_namespaced = info.scope == KindScope::kNamespaced;
    std::string text = R"({"metadata":{"name":"a","uid":"u","resourceVersion":"7",
        "labels":{"app":"x"},"annotations":{"not":"read"},"generation":5,
        "creationTimestamp":"2026-03-01T11:00:00Z","deletionTimestamp":"2026-03-01T12:00:00Z",
        "ownerReferences":"not read")";
    if (is_namespaced) text += R"(,"namespace":"b")";
    text += R"(},"spec":[{"x":1}],"status":5,"labels":[]})";
    ObjectDecoding decoding = DecodeObject(text, info, kDepthMax);
    ASSERT_TRUE(decoding.object.has_value()) << info.name;
    EXPECT_EQ(decoding.object->kind(), kind) << info.name;
    EXPECT_EQ(KindKeyOf(*decoding.object), KindKey(kind)) << info.name;
    const OtherObject& object = *decoding.object->Get<OtherObject>();
    EXPECT_EQ(object.api_version, info.api_version);
    EXPECT_EQ(object.kind_name, info.name);
    EXPECT_EQ(object.resource, "") << info.name;
    const ObjectMeta& metadata = object.metadata;
    EXPECT_EQ(metadata.name, "a");
    EXPECT_EQ(metadata.namespace_, is_namespaced ? "b" : "");
    EXPECT_EQ(metadata.uid, "u");
    EXPECT_EQ(metadata.resource_version, "7");
    EXPECT_EQ(metadata.labels, (LabelMap{{"app", "x"}}));
    EXPECT_EQ(metadata.deletion_timestamp, Instant::Parse("2026-03-01T12:00:00Z"));
    EXPECT_TRUE(metadata.annotations.empty());
    EXPECT_EQ(metadata.creation_timestamp, std::nullopt);
  }
}

TEST(OtherObjects, MayHaveANamespaceIfTheirKindIsRegistered) {
  const std::vector<Symbol> registered = {Symbol("foos.v1.example.com"), Symbol("configmaps.v1.")};
  std::optional<KindInfo> info = FindKind("example.com/v1", "Foo", registered);
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->kind, ObjectKind::kOther);
  for (std::string_view namespace_ : {"", "b"}) {
    std::string text = R"({"metadata":{"name":"a","uid":"u","namespace":")" +
                       std::string(namespace_) + R"("},"spec":5})";
    ObjectDecoding decoding = DecodeObject(text, *info, kDepthMax);
    ASSERT_TRUE(decoding.object.has_value()) << text;
    const OtherObject& object = *decoding.object->Get<OtherObject>();
    EXPECT_EQ(object.kind, ObjectKind::kOther);
    EXPECT_EQ(object.api_version, "example.com/v1");
    EXPECT_EQ(object.kind_name, "Foo");
    EXPECT_EQ(object.metadata.namespace_, namespace_);
    EXPECT_EQ(decoding.object->kind(), ObjectKind::kOther);
    EXPECT_EQ(KindKeyOf(*decoding.object), KindKey::Other(registered[0]));
  }
  EXPECT_TRUE(DecodeObject(R"({"metadata":{"name":"a"}})", *info, kDepthMax).object.has_value());
  EXPECT_FALSE(DecodeObject(R"({"metadata":{"uid":"u"}})", *info, kDepthMax).object.has_value());
}

}  // namespace
}  // namespace stowage
