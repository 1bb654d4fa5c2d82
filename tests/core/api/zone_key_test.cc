#include "core/api/zone_key.h"

#include <gtest/gtest.h>

#include <string>

#include "core/api/well_known_labels.h"
#include "tests/support/make_node.h"

namespace stowage {
namespace {

TEST(ZoneKey, JoinsRegionAndZone) {
  constexpr std::string_view kBetaZone = kLabelFailureDomainBetaZone;
  constexpr std::string_view kBetaRegion = kLabelFailureDomainBetaRegion;
  constexpr std::string_view kZone = kLabelTopologyZone;
  constexpr std::string_view kRegion = kLabelTopologyRegion;
  const std::string separator(":\0:", 3);
  struct {
    std::string_view name;
    stowage::Node node;
    std::string want;
  } cases[] = {
      {"no labels", MakeNode(), ""},
      {"both", MakeNode().Label(kRegion, "r").Label(kZone, "z"), "r" + separator + "z"},
      {"zone only", MakeNode().Label(kZone, "z"), separator + "z"},
      {"region only", MakeNode().Label(kRegion, "r"), "r" + separator},
      {"beta", MakeNode().Label(kBetaRegion, "r").Label(kBetaZone, "z"), "r" + separator + "z"},
      {"beta wins", MakeNode().Label(kZone, "new").Label(kBetaZone, "old"), separator + "old"},
      {"empty beta wins", MakeNode().Label(kZone, "new").Label(kBetaZone, ""), ""},
      {"mixed", MakeNode().Label(kBetaRegion, "r").Label(kZone, "z"), "r" + separator + "z"},
      {"both empty", MakeNode().Label(kRegion, "").Label(kZone, ""), ""},
  };
  for (const auto& c : cases) EXPECT_EQ(GetZoneKey(c.node), c.want) << c.name;
}

}  // namespace
}  // namespace stowage
