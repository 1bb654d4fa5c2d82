#include "core/plugins/resource_allocation.h"

#include "core/api/resource_names.h"
#include "core/base/check.h"
#include "core/plugins/device_totals.h"
#include "core/plugins/use_columns.h"
#include "core/table/resource.h"

namespace stowage {

ResourceAllocation::ResourceAllocation(const std::vector<ResourceSpec>& resources, Sums sums)
    : sums_(sums) {
  for (const ResourceSpec& resource : resources) {
    resources_.push_back({resource.name, KindOf(resource.name), resource.weight});
  }
}

ResourceAllocation::Kind ResourceAllocation::KindOf(const Symbol& name) {
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

bool ResourceAllocation::IsServedByDevices(const ExtendedResourceCache& classes) const {
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

bool ResourceAllocation::AddTo(UseColumns* uses, const NodeTable& table,
                               const ResourceRequests& requests) const {
  CHECK(requests.size() == resources_.size());
  for (size_t index = 0; index < resources_.size(); ++index) {
    if (!TakesPart(index, requests)) continue;
    const Configured& resource = resources_[index];
    Columns columns = ColumnsOf(table, resource.kind);
    bool is_added =
        columns.allocatable != nullptr &&
        uses->Add(columns.allocatable, columns.allocated, requests[index], resource.weight);
    if (!is_added) return false;
  }
  return true;
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

std::vector<ResourceUse> ResourceAllocation::UsesOnAll(std::span<const NodeInfo* const> nodes,
                                                       const ResourceRequests& requests) const {
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
