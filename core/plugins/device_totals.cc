#include "core/plugins/device_totals.h"

#include "core/api/node_affinity.h"

namespace stowage {
namespace {

// nullopt after an error in the selector.
std::optional<bool> Selects(const NodeSelector& selector, const Node& node) {
  auto matcher = NodeSelectorMatcher::Strict(selector);
  if (!matcher.ok()) return std::nullopt;
  return matcher->Match(node).matches;
}

// A slice that names no nodes at all passes.
std::optional<bool> IsOnNode(const ResourceSliceSpec& slice, const Node& node) {
  if (slice.all_nodes || slice.node_name == node.metadata.name) return true;
  if (!slice.node_name.empty()) return false;
  return slice.node_selector ? Selects(*slice.node_selector, node) : true;
}

std::optional<bool> IsOnNode(const Device& device, const Node& node) {
  if (device.all_nodes) return true;
  if (!device.node_name.empty()) return device.node_name == node.metadata.name;
  return device.node_selector ? Selects(*device.node_selector, node) : false;
}

}  // namespace

std::optional<DeviceTotals> DeviceTotalsFor(const ResourceAllocation& allocation,
                                            const Features& features, DraManager& dra) {
  bool is_served =
      features.dra_extended_resource && allocation.IsServedByDevices(dra.extended_resources());
  return is_served ? std::optional<DeviceTotals>(dra) : std::nullopt;
}

// Reads the slices of other nodes neither: none of their devices counts.
DeviceTotals::Totals DeviceTotals::On(const Node& node, const Symbol& resource) const {
  DeviceClassRef device_class = dra_.extended_resources().GetDeviceClass(resource);
  Totals totals;
  if (device_class == nullptr) return totals;
  const ResourceSlices& slices = dra_.slices();
  for (const ResourceSlices::ByName* list :
       {slices.OfNode(node.metadata.name), &slices.WithoutNode()}) {
    if (list == nullptr) continue;
    for (const auto& [name, slice] : *list) {
      if (!AddSlice(slice, node, *device_class, &totals)) return {};
    }
  }
  return totals;
}

bool DeviceTotals::AddSlice(const ResourceSliceRef& slice, const Node& node,
                            const DeviceClass& device_class, Totals* totals) const {
  const ResourceSliceSpec& spec = slice->spec;
  if (!spec.per_device_node_selection) {
    std::optional<bool> is_on_node = IsOnNode(spec, node);
    if (!is_on_node) return false;
    if (!*is_on_node) return true;
  }
  for (const Device& device : spec.devices) {
    if (spec.per_device_node_selection) {
      std::optional<bool> is_on_node = IsOnNode(device, node);
      if (!is_on_node) return false;
      if (!*is_on_node) continue;
    }
    if (!AddDevice(slice, device, device_class, totals)) return false;
  }
  return true;
}

bool DeviceTotals::AddDevice(const ResourceSliceRef& slice, const Device& device,
                             const DeviceClass& device_class, Totals* totals) const {
  for (const DeviceSelector& selector : device_class.spec.selectors) {
    if (!selector.cel) continue;
    auto matches = dra_.selectors().Matches(selector.cel->expression, slice, device, false);
    if (!matches.ok()) return false;
    if (!*matches) return true;
  }
  ++totals->capacity;
  const ResourceSliceSpec& spec = slice->spec;
  if (dra_.allocated().Find({spec.driver, spec.pool.name, device.name}) != nullptr) {
    ++totals->allocated;
  }
  return true;
}

}  // namespace stowage
