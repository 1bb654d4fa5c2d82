// Clusters and pods in which one thing is there any number of times: what an outsider may choose.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

// JSON in the words of Kubernetes: what nodes, a running pod and the pod that is asked about have
// besides what all have.
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

// A text with `size` items, one a line, in the place of its "*". In an item "#" is its number, and
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

// Every list of a pod, and of what it is compared with.
const std::vector<GrowthShape>& GrowthShapes();

}  // namespace stowage
