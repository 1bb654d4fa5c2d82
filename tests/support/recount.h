// Compares incrementally kept values with the results of a walk over all pods of all nodes. Each
// comparison returns the first difference as text, empty if there is none.
#pragma once

#include <string>
#include <vector>

#include "core/framework/snapshot.h"
#include "core/table/topology_index.h"

namespace stowage {

// The values of a topology key.
std::string CompareColumn(const Snapshot& snapshot, const Symbol& key, TopologyIndex* index);
// The pods that match all of `matchers`. Adds their number to `*counted`.
std::string CompareCounts(const Snapshot& snapshot, const std::vector<PodMatcher>& matchers,
                          TopologyIndex* index, size_t* counted);
// The live pods, by the values of a topology key.
std::string CompareSums(const Snapshot& snapshot, const Symbol& key,
                        const std::vector<PodMatcher>& matchers, TopologyIndex* index);
// The affinity terms of placed pods.
std::string CompareTerms(const Snapshot& snapshot, TopologyIndex* index);
// The sums of every node, and the table's columns.
std::string CompareNodes(const Snapshot& snapshot);

}  // namespace stowage
