// What is kept incrementally, compared with what a walk over all pods of all nodes finds. Each
// comparison gives the first difference in words, empty when there is none.
#pragma once

#include <string>
#include <vector>

#include "core/framework/snapshot.h"
#include "core/table/topology_index.h"

namespace stowage {

// The values of a topology key.
std::string CompareColumn(const Snapshot& snapshot, const Symbol& key, TopologyIndex* index);
// The pods that match all of `matchers`. Adds those it finds to `*counted`.
std::string CompareCounts(const Snapshot& snapshot, const std::vector<PodMatcher>& matchers,
                          TopologyIndex* index, size_t* counted);
// Those that are live, by the values of a topology key.
std::string CompareSums(const Snapshot& snapshot, const Symbol& key,
                        const std::vector<PodMatcher>& matchers, TopologyIndex* index);
// The affinity terms of placed pods.
std::string CompareTerms(const Snapshot& snapshot, TopologyIndex* index);
// The sums of every node, and the table's columns.
std::string CompareNodes(const Snapshot& snapshot);

}  // namespace stowage
