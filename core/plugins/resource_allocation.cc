#include "core/plugins/resource_allocation.h"

#include "core/api/resource_names.h"
#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/plugins/device_totals.h"
#include "core/table/resource.h"

namespace stowage {

STOWAGE_COLD ResourceAllocation::ResourceAllocation(const std::vector<ResourceSpec>& resources,
                                                    Sums sums)
    : sums_(sums) {
  for (const ResourceSpec& resource : resources) {
    resources_.push_back({resource.name, KindOf(resource.name), resource.weight});
    if (resources_.back().IsNative()) ++num_native_;
  }
}

STOWAGE_COLD ResourceAllocation::Kind ResourceAllocation::KindOf(const Symbol& name) {
  const ResourceNames& names = ResourceNames::Get();
  if (name == names.cpu) return Kind::kCpu;
  if (name == names.memory) return Kind::kMemory;
  if (name == names.ephemeral_storage) return Kind::kEphemeralStorage;
  return IsScalarResourceName(name.view()) ? Kind::kScalar : Kind::kOther;
}

ResourceRequests ResourceAllocation::RequestsOf(const ResourceList& list) const {
  ResourceRequests requests;
  requests.reserve(resources_.size());
  for (const Configured& resource : resources_) {
    const Quantity* quantity = list.Find(resource.name);
    if (quantity == nullptr) {
      requests.push_back(0);
    } else {
      requests.push_back(resource.kind == Kind::kCpu ? quantity->MilliValue() : quantity->Value());
    }
  }
  return requests;
}

STOWAGE_COLD bool ResourceAllocation::IsServedByDevices(
    const ExtendedResourceCache& classes) const {
  return std::ranges::any_of(resources_, [&classes](const Configured& resource) {
    return IsDraExtendedResourceName(resource.name.view()) &&
           classes.GetDeviceClass(resource.name) != nullptr;
  });
}

ResourceAllocation::Amounts ResourceAllocation::AmountsOn(const NodeInfo& node,
                                                          const Configured& resource) const {
  const Resource& allocatable = node.allocatable();
  const Resource& requested = node.requested();
  bool non_zero = sums_ == Sums::kNonZeroRequested;
  switch (resource.kind) {
    case Kind::kCpu:
      return {allocatable.milli_cpu, non_zero ? node.non_zero_milli_cpu() : requested.milli_cpu};
    case Kind::kMemory:
      return {allocatable.memory, non_zero ? node.non_zero_memory() : requested.memory};
    case Kind::kEphemeralStorage:
      return {allocatable.ephemeral_storage, requested.ephemeral_storage};
    case Kind::kScalar:
      return {allocatable.Scalar(resource.name), requested.Scalar(resource.name)};
    case Kind::kOther:
      return {};
  }
  CHECK(false);
}

ResourceAllocation::Columns ResourceAllocation::ColumnsOf(const NodeTable& table, Kind kind) const {
  bool non_zero = sums_ == Sums::kNonZeroRequested;
  switch (kind) {
    case Kind::kCpu:
      return {
          table.allocatable_milli_cpu().data(),
          (non_zero ? table.non_zero_milli_cpu() : table.requested_milli_cpu()).data(),
      };
    case Kind::kMemory:
      return {
          table.allocatable_memory().data(),
          (non_zero ? table.non_zero_memory() : table.requested_memory()).data(),
      };
    case Kind::kEphemeralStorage:
      return {
          table.allocatable_ephemeral_storage().data(),
          table.requested_ephemeral_storage().data(),
      };
    case Kind::kScalar:
    case Kind::kOther:
      return {};
  }
  CHECK(false);
}

bool ResourceAllocation::AddTo(ChunkShares* uses, const NodeChunk& chunk,
                               const ResourceRequests& requests, OwnOf own) const {
  CHECK(requests.size() == resources_.size());
  if (num_native_ > UseShares::kMaxResources) return false;
  // A few changed rows are not worth following all.
  if (!chunk.is_consecutive && replay_.IsFarBehind(chunk.table)) return false;
  FollowRows(chunk.table, own);
  for (size_t index = 0; index < resources_.size(); ++index) {
    const Configured& resource = resources_[index];
    bool is_known = resource.IsNative() ? uses->Add(shares_, requests[index], resource.weight)
                                        : !TakesPart(index, requests);
    if (!is_known) return false;
  }
  uses->AddOwn(shares_);
  return true;
}

void ResourceAllocation::FollowRows(const NodeTable& table, OwnOf own) const {
  RowReplay::Step step = replay_.Advance(table);
  if (step == RowReplay::Step::kNothing) return;
  if (step == RowReplay::Step::kMoved) shares_.Move(replay_.moves());
  if (step != RowReplay::Step::kAll) {
    for (std::span<const uint32_t> rows = replay_.rows(table); !rows.empty();) {
      NodeChunk chunk = table.Chunk(rows.first(std::min(rows.size(), NodeTable::kChunkRows)));
      ReadRows(chunk, own);
      rows = rows.subspan(chunk.rows.size());
    }
    return;
  }
  shares_.Reset(table.size(), num_native_);
  for (size_t row = 0; row < table.size(); row += NodeTable::kChunkRows) {
    ReadRows(table.Chunk(row / NodeTable::kChunkRows), own);
  }
}

STOWAGE_COLD void ResourceAllocation::ReadRows(const NodeChunk& chunk, OwnOf own) const {
  const uint64_t all = chunk.all();
  ForEachRow(chunk, std::span(&all, 1), ResourceRequests(size()),
             [&](size_t offset, std::span<const ResourceUse> uses) {
               shares_.Set(chunk.row(offset), uses, own == nullptr ? 0 : own(uses));
             });
}

std::vector<ResourceUse> ResourceAllocation::UsesOn(const NodeInfo& node,
                                                    const ResourceRequests& requests,
                                                    const DeviceTotals* devices,
                                                    std::vector<Symbol>* names) const {
  CHECK(requests.size() == resources_.size());
  std::vector<ResourceUse> uses;
  for (size_t index = 0; index < resources_.size(); ++index) {
    const Configured& resource = resources_[index];
    if (!TakesPart(index, requests)) continue;
    Amounts amounts = AmountsOn(node, resource);
    bool may_be_device =
        devices != nullptr && amounts.allocatable == 0 && resource.kind == Kind::kScalar;
    if (may_be_device) {
      DeviceTotals::Totals totals = devices->On(*node.node(), resource.name);
      if (totals.capacity > 0) amounts = {totals.capacity, totals.allocated};
    }
    if (amounts.allocatable == 0) continue;
    uses.push_back({amounts.allocatable, amounts.allocated, amounts.allocated + requests[index],
                    resource.weight});
    if (names != nullptr) names->push_back(resource.name);
  }
  return uses;
}

STOWAGE_COLD std::vector<ResourceUse> ResourceAllocation::UsesOnAll(
    std::span<const NodeInfo* const> nodes, const ResourceRequests& requests) const {
  CHECK(requests.size() == resources_.size());
  std::vector<ResourceUse> uses;
  for (size_t index = 0; index < resources_.size(); ++index) {
    if (!TakesPart(index, requests)) continue;
    ResourceUse use;
    for (const NodeInfo* node : nodes) {
      Amounts amounts = AmountsOn(*node, resources_[index]);
      use.allocatable += amounts.allocatable;
      use.allocated += amounts.allocated;
    }
    if (use.allocatable == 0) continue;
    use.requested = use.allocated + requests[index];
    use.weight = resources_[index].weight;
    uses.push_back(use);
  }
  return uses;
}

}  // namespace stowage
