// NodeDeclaredFeatures' code for the verdict cache.
#include "core/plugins/node_declared_features.h"

namespace stowage {

bool NodeDeclaredFeatures::AppendFragment(const Pod& pod, PodSignature* signature) const {
  if (!is_enabled_) return true;
  std::vector<Symbol> required = RequiredFeatures(pod);
  signature->AddCount(required.size());
  for (const Symbol& feature : required) signature->Add(feature);
  return true;
}

}  // namespace stowage
