// The amounts that NodeResourcesFit and NodeResourcesBalancedAllocation compare: for each
// configured resource, what the node has, what its pods use, and what they would use with the pod.
// Counterpart: framework/plugins/noderesources/resource_allocation.go, v1.36.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/api/resource_list.h"
#include "core/base/check.h"
#include "core/config/plugin_args.h"
#include "core/framework/interface.h"
#include "core/plugins/resource_use.h"
#include "core/plugins/use_shares.h"
#include "core/table/node_info.h"
#include "core/table/node_table.h"
#include "core/table/row_replay.h"

namespace stowage {

class DeviceTotals;
class ExtendedResourceCache;

// A pod's request of each configured resource, in the order of the configuration.
using ResourceRequests = std::vector<int64_t>;

class ResourceAllocation {
 public:
  // Selects the node's sums for cpu and memory; ephemeral storage and scalar resources always use
  // what is requested.
  enum class Sums { kNonZeroRequested, kRequested };

  ResourceAllocation(const std::vector<ResourceSpec>& resources, Sums sums);

  size_t size() const { return resources_.size(); }
  bool Has(const Symbol& name) const {
    return std::any_of(resources_.begin(), resources_.end(),
                       [&name](const Configured& resource) { return resource.name == name; });
  }
  ResourceRequests RequestsOf(const ResourceList& list) const;
  // Whether a DeviceClass serves one of the resources.
  bool IsServedByDevices(const ExtendedResourceCache& classes) const;

  // The resources that count in the score of `node`: all except those that the node does not have,
  // and scalar resources that the pod does not request. `names`, unless null, receives the name of
  // each.
  // `devices`, unless null, counts the devices for resources that no device plugin offers there.
  std::vector<ResourceUse> UsesOn(const NodeInfo& node, const ResourceRequests& requests,
                                  const DeviceTotals* devices,
                                  std::vector<Symbol>* names = nullptr) const;
  // The same for several nodes together, without devices.
  std::vector<ResourceUse> UsesOnAll(std::span<const NodeInfo* const> nodes,
                                     const ResourceRequests& requests) const;
  // A number that depends on the uses of a row, whose `requested` is `allocated`.
  using OwnOf = int64_t (*)(std::span<const ResourceUse>);
  // ScorePlugin::AddScores, from the table's columns. If there are many candidates, first as
  // shares: by_shares(shares, rest) adds the scores of rows and removes them from `rest`. Then
  // score_of(uses) scores the others. `own` is the same function, or null, in every call. Returns
  // false if a score is out of range: amounts near the largest number wrap, as in the reference.
  template <typename ByShares, typename ScoreOf>
  bool AddScores(const NodeChunk& chunk, std::span<const uint64_t> candidates,
                 const ResourceRequests& requests, OwnOf own, int32_t weight, int32_t* totals,
                 ByShares by_shares, ScoreOf score_of) const;

 private:
  enum class Kind : uint8_t { kCpu, kMemory, kEphemeralStorage, kScalar, kOther };
  struct Configured {
    Symbol name;
    Kind kind;
    int64_t weight;

    bool IsNative() const { return kind < Kind::kScalar; }
  };
  struct Amounts {
    int64_t allocatable = 0;
    int64_t allocated = 0;
  };
  // Null for a resource without columns in the table.
  struct Columns {
    const int64_t* allocatable = nullptr;
    const int64_t* allocated = nullptr;
  };

  // One value for each configured resource. Up to kFew need no allocation.
  template <typename T>
  class PerResource {
   public:
    explicit PerResource(size_t size) : many_(size > kFew ? size : 0) {}
    T* data() { return many_.empty() ? few_.data() : many_.data(); }

   private:
    static constexpr size_t kFew = 4;

    std::array<T, kFew> few_;
    std::vector<T> many_;
  };

  static Kind KindOf(const Symbol& name);
  Amounts AmountsOn(const NodeInfo& node, const Configured& resource) const;
  Columns ColumnsOf(const NodeTable& table, Kind kind) const;
  bool TakesPart(size_t index, const ResourceRequests& requests) const {
    return requests[index] != 0 || resources_[index].kind != Kind::kScalar;
  }

  template <typename Visit>
  void ForEachRow(const NodeChunk& chunk, std::span<const uint64_t> candidates,
                  const ResourceRequests& requests, Visit visit) const;
  // False: there are no shares for the chunk or for the requests.
  bool AddTo(ChunkShares* uses, const NodeChunk& chunk, const ResourceRequests& requests,
             OwnOf own) const;
  void FollowRows(const NodeTable& table, OwnOf own) const;
  void ReadRows(const NodeChunk& chunk, OwnOf own) const;

  std::vector<Configured> resources_;
  Sums sums_;
  size_t num_native_ = 0;  // of the resources, those with columns
  // Of all rows; they follow the table when AddTo is called.
  mutable RowReplay replay_{RowReplay::Reader::kOfRows};
  mutable UseShares shares_;
  mutable std::vector<uint64_t> rest_;  // of one call of AddScores
};

template <typename ByShares, typename ScoreOf>
bool ResourceAllocation::AddScores(const NodeChunk& chunk, std::span<const uint64_t> candidates,
                                   const ResourceRequests& requests, OwnOf own, int32_t weight,
                                   int32_t* totals, ByShares by_shares, ScoreOf score_of) const {
  int count = 0;
  for (uint64_t rows : candidates) count += std::popcount(rows);
  if (count >= ChunkShares::kMinCandidates) {
    ChunkShares uses(chunk);
    if (AddTo(&uses, chunk, requests, own)) {
      rest_.resize(candidates.size());
      std::ranges::copy(candidates, rest_.begin());
      by_shares(std::as_const(uses), std::span(rest_));
      candidates = rest_;
    }
  }
  int64_t outside = 0;
  ForEachRow(chunk, candidates, requests, [&](size_t offset, std::span<const ResourceUse> uses) {
    const int64_t score = score_of(uses);
    outside |= ScoreRangeSign(score);
    totals[offset] += static_cast<int32_t>(score) * weight;
  });
  return outside >= 0;
}

template <typename Visit>
void ResourceAllocation::ForEachRow(const NodeChunk& chunk, std::span<const uint64_t> candidates,
                                    const ResourceRequests& requests, Visit visit) const {
  CHECK(requests.size() == resources_.size());
  struct Part {
    Columns columns;
    const Configured* resource;
    int64_t request;
  };
  PerResource<Part> parts(resources_.size());
  size_t num_parts = 0;
  for (size_t index = 0; index < resources_.size(); ++index) {
    if (!TakesPart(index, requests)) continue;
    const Configured& resource = resources_[index];
    parts.data()[num_parts++] = {ColumnsOf(chunk.table, resource.kind), &resource, requests[index]};
  }
  PerResource<ResourceUse> uses(num_parts);
  ForEachBit(candidates, [&](size_t offset) {
    size_t row = chunk.row(offset);
    size_t count = 0;
    for (const Part& part : std::span(parts.data(), num_parts)) {
      const Columns& columns = part.columns;
      Amounts amounts = columns.allocatable == nullptr
                            ? AmountsOn(chunk.node(offset), *part.resource)
                            : Amounts{columns.allocatable[row], columns.allocated[row]};
      if (amounts.allocatable == 0) continue;
      uses.data()[count++] = {amounts.allocatable, amounts.allocated,
                              amounts.allocated + part.request, part.resource->weight};
    }
    visit(offset, std::span<const ResourceUse>(uses.data(), count));
  });
}

}  // namespace stowage
