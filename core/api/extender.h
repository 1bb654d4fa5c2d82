// The decoded answers of a scheduler extender (spec 05 §12).
// Counterpart: staging/src/k8s.io/kube-scheduler/extender/v1/types.go, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/meta.h"
#include "core/api/node.h"

namespace stowage {

struct ExtenderFilterResult {
  // The nodes that passed, as whole objects or by name; nullopt: the answer does not use this form.
  std::optional<std::vector<NodeRef>> nodes;
  std::optional<std::vector<Symbol>> node_names;
  LabelMap failed_nodes;  // node → reason
  LabelMap failed_and_unresolvable_nodes;
  std::string error;
};

struct HostPriority {
  Symbol host;
  int64_t score = 0;
};

struct ExtenderBindingResult {
  std::string error;
};

// Victims by uid.
struct MetaVictims {
  std::vector<Symbol> pod_uids;
  int64_t num_pdb_violations = 0;
};

// By node, in the order of the answer.
using NodeNameToMetaVictims = std::vector<std::pair<std::string, MetaVictims>>;

}  // namespace stowage
