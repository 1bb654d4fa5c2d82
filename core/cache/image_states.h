// ImageStateMap tracks which nodes have reported which image, and the size from the first reporter.
// Counterpart: the imageStates of backend/cache/cache.go, v1.36; spec 04 §4.2.
#pragma once

#include <cstdint>
#include <vector>

#include "core/api/node.h"
#include "core/api/shared.h"
#include "core/base/hash_map.h"
#include "core/base/symbol.h"
#include "core/base/symbol_set.h"
#include "core/table/node_info.h"

namespace stowage {

struct ImageState {
  int64_t size = 0;  // in bytes, from the first reporter
  SymbolSet nodes;
};

// A node's images.
struct NodeImages {
  SharedList<Symbol> names;  // sorted
  // Whether each image has the size that this node reports.
  bool has_own_sizes = true;
};

class ImageStateMap {
 public:
  // Records the node's status.images.
  NodeImages AddNode(const Node& node);
  // Removes the node from every image that this version of the object names.
  void RemoveNode(const Node& node);
  // Does RemoveNode of the version that `images` belongs to, and AddNode of the new one. Returns
  // false if nothing has changed.
  bool UpdateNode(const Node& old_node, const Node& new_node, NodeImages* images);

  // Size and number of nodes of each image at this moment.
  ImageStates Summarize(const NodeImages& images) const;
  // Rises whenever some image's set of nodes changes: summaries made at the same version are equal.
  uint64_t version() const { return version_; }

 private:
  HashMap<Symbol, ImageState, SymbolNumber> states_;
  uint64_t version_ = 1;
};

}  // namespace stowage
