#include "core/api/zone_key.h"

#include <string_view>

#include "core/api/topology_labels.h"

namespace stowage {
namespace {

std::string_view ValueOf(const LabelMap& labels, const Symbol& beta_key, const Symbol& key) {
  const Symbol* value = labels.Find(beta_key);
  if (value == nullptr) value = labels.Find(key);
  return value == nullptr ? std::string_view() : value->view();
}

}  // namespace

std::string GetZoneKey(const Node& node) {
  const TopologyLabels& names = TopologyLabels::Get();
  const LabelMap& labels = node.metadata.labels;
  std::string_view zone = ValueOf(labels, names.beta_zone, names.zone);
  std::string_view region = ValueOf(labels, names.beta_region, names.region);
  if (zone.empty() && region.empty()) return "";
  std::string key(region);
  key += ':';
  key += '\0';
  key += ':';
  key += zone;
  return key;
}

}  // namespace stowage
