// Clusters and pods with one list of any length, as a user may create them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

// JSON in Kubernetes' form: what nodes, a running pod and the evaluated pod have in addition to
// their common members.
struct GrowthInput {
  std::string node_labels;  // members of metadata.labels
  std::string node_spec;    // members of spec, of status
  std::string node_status;
  std::string running_spec;  // members of spec; empty: there is no such pod
  std::string claims;        // objects
  std::string volumes;       // objects
  std::string pod_labels;    // members of metadata.labels
  std::string pod_spec;      // members of spec
};

// A text in which `size` items, one per line, replace the "*". In an item "#" is its number, and
// "~" its number counted from the last item, so that compared lists differ in their order.
struct GrowthPart {
  std::string GrowthInput::*member;
  std::string_view whole;
  std::string_view item;
};

struct GrowthShape {
  std::string_view name;
  std::vector<GrowthPart> parts;

  GrowthInput Make(size_t size) const;
};

// One shape for every list of a pod, and of the objects that it is compared with.
const std::vector<GrowthShape>& GrowthShapes();

}  // namespace stowage
