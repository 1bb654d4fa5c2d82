// Goal: the requests and mappings of claims for extended resources (spec
// plugins/dynamic-resources-extended "Building requests and mappings").
#include "core/plugins/dynamic_resources_extended.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dra/claim_text.h"
#include "tests/support/from_json.h"

namespace stowage {
namespace {

Pod PodOf(std::string_view spec) {
  std::string json = R"({"metadata":{"name":"p","namespace":"ns","uid":"u"},"spec":)";
  return FromJson<Pod>(ObjectKind::kPod, json.append(spec).append("}"));
}

ServedResource Served(std::string_view resource, std::string_view device_class) {
  DeviceClass one;
  one.metadata.name = Symbol(device_class);
  return {Symbol(resource), std::make_shared<const DeviceClass>(std::move(one))};
}

// "name=count " of each request, then "container:resource>request " of each mapping.
std::string TextFor(std::vector<ServedResource> resources, std::string_view spec) {
  const Pod pod = PodOf(spec);
  ExtendedClaimRef made =
      WithRequestsFor(std::move(resources), pod, *NewExtendedResourceClaim(pod));
  std::string text;
  for (const DeviceRequest& request : made->claim->spec.devices.requests) {
    text += request.name.str() + "=" + std::to_string(request.exactly->count) + " ";
  }
  for (const PodExtendedResourceRequestMapping& mapping : made->mappings) {
    text += mapping.container_name.str() + ":" + mapping.resource_name.str() + ">" +
            mapping.request_name.str() + " ";
  }
  return text;
}

TEST(ExtendedClaims, HaveARequestForEachContainerAndResource) {
  EXPECT_EQ(TextFor({Served("e.com/a", "a")},
                    R"({"containers":[{"name":"c","resources":{"requests":{
                        "cpu":"1","e.com/a":"2","memory":"1"}}}]})"),
            "container-0-request-1=2 c:e.com/a>container-0-request-1 ");
  EXPECT_EQ(TextFor({Served("e.com/a", "a"), Served("e.com/b", "b")},
                    R"({"containers":[{"name":"c","resources":{"requests":{"e.com/a":"1",
                        "e.com/b":"2"}}},{"name":"d","resources":{"requests":{"e.com/b":"3"}}}]})"),
            "container-0-request-0=1 container-0-request-1=2 container-1-request-0=3 "
            "c:e.com/a>container-0-request-0 c:e.com/b>container-0-request-1 "
            "d:e.com/b>container-1-request-0 ");
  EXPECT_EQ(TextFor({Served("e.com/a", "a")},
                    R"({"containers":[{"name":"c","resources":{"requests":{"e.com/a":"0"}}},
                        {"name":"d","resources":{"requests":{"e.com/a":"500m"}}}]})"),
            "");
}

TEST(ExtendedClaims, ShareRequestsAmongInitContainers) {
  EXPECT_EQ(TextFor({Served("e.com/a", "a")},
                    R"({"initContainers":[{"name":"i","resources":{"requests":{"e.com/a":"1"}}},
                        {"name":"j","resources":{"requests":{"e.com/a":"2"}}}],
                        "containers":[{"name":"c"}]})"),
            "container-1-request-0=2 i:e.com/a>container-1-request-0 "
            "j:e.com/a>container-1-request-0 ");
}

TEST(ExtendedClaims, ReuseRequestsOfLaterLongLivedContainers) {
  EXPECT_EQ(TextFor({Served("e.com/a", "a")},
                    R"({"initContainers":[{"name":"i","resources":{"requests":{"e.com/a":"1"}}},
                        {"name":"s","restartPolicy":"Always","resources":{"requests":{
                         "e.com/a":"1"}}},
                        {"name":"j","resources":{"requests":{"e.com/a":"2"}}}],
                        "containers":[{"name":"c"}]})"),
            "container-1-request-0=1 container-2-request-0=2 s:e.com/a>container-1-request-0 "
            "i:e.com/a>container-1-request-0 j:e.com/a>container-2-request-0 ");
  EXPECT_EQ(TextFor({Served("e.com/a", "a")},
                    R"({"initContainers":[{"name":"i","resources":{"requests":{"e.com/a":"3"}}}],
                        "containers":[{"name":"c","resources":{"requests":{"e.com/a":"1"}}}]})"),
            "container-0-request-0=2 container-1-request-0=1 c:e.com/a>container-1-request-0 "
            "i:e.com/a>container-1-request-0 i:e.com/a>container-0-request-0 ");
}

// Method: the text that is sent to create the claim is decoded; the server adds the name.
TEST(ExtendedClaims, HaveTheTextThatIsSent) {
  const Pod pod =
      PodOf(R"({"containers":[{"name":"c","resources":{"requests":{"e.com/a":"2"}}}]})");
  ResourceClaimRef empty = NewExtendedResourceClaim(pod);
  EXPECT_TRUE(IsInMemory(*empty));
  EXPECT_EQ(empty->metadata.uid, NewExtendedResourceClaim(pod)->metadata.uid);
  ExtendedClaimRef made = WithRequestsFor({Served("e.com/a", "cls")}, pod, *empty);
  std::string text = ClaimText(*made->claim);
  EXPECT_EQ(text.find(kExtendedResourcesName), std::string::npos);
  const std::string_view prefix = R"("metadata":{)";
  text.insert(text.find(prefix) + prefix.size(), R"("name":"made",)");
  ResourceClaimRef read = ClaimOfText(text);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->spec, made->claim->spec);
  EXPECT_EQ(read->metadata.annotations, made->claim->metadata.annotations);
  EXPECT_EQ(read->metadata.owner_references, made->claim->metadata.owner_references);
  EXPECT_EQ(read->metadata.namespace_, "ns");
}

}  // namespace
}  // namespace stowage
