#include "core/plugins/volume_binding_scorer.h"

#include <map>

#include "core/base/go_math.h"
#include "core/framework/score_notes.h"

namespace stowage {
namespace {

constexpr int64_t kMaxUtilization = 100;

// Requested and available bytes of one storage class.
struct StorageResource {
  int64_t requested = 0;
  int64_t capacity = 0;
};

using ClassResources = std::map<Symbol, StorageResource>;

ClassResources StaticResources(const PodVolumes& volumes) {
  ClassResources resources;
  for (const BindingInfo& binding : volumes.static_bindings) {
    StorageResource& resource = resources[binding.volume->spec.storage_class_name];
    resource.requested += StorageRequestOf(*binding.claim).Value();
    resource.capacity += StorageCapacityOf(*binding.volume).Value();
  }
  return resources;
}

ClassResources DynamicResourcesOf(const PodVolumes& volumes) {
  ClassResources resources;
  for (const DynamicProvision& provision : volumes.dynamic_provisions) {
    if (provision.capacity == nullptr) continue;
    const PersistentVolumeClaim& claim = *provision.claim;
    StorageResource& resource = resources[claim.spec.storage_class_name.value_or(Symbol())];
    resource.requested += StorageRequestOf(claim).Value();
    // All claims of a class share the pool, so it counts once.
    const std::optional<Quantity>& capacity = provision.capacity->capacity;
    resource.capacity = capacity ? capacity->Value() : 0;
  }
  return resources;
}

// Computes in int64 like Go: values that are too large wrap.
int64_t UtilizationOf(const StorageResource& resource) {
  auto percent = static_cast<int64_t>(static_cast<uint64_t>(resource.requested) *
                                      static_cast<uint64_t>(kMaxUtilization));
  return percent / resource.capacity;
}

}  // namespace

int64_t ScoreVolumeCapacity(const PodVolumes& volumes, const BrokenLinearFunction& shape,
                            ScoreNotes* notes) {
  ClassResources resources =
      volumes.static_bindings.empty() ? DynamicResourcesOf(volumes) : StaticResources(volumes);
  if (resources.empty()) return 0;
  int64_t sum = 0;
  for (const auto& [name, resource] : resources) {
    bool is_full = resource.capacity == 0 || resource.requested > resource.capacity;
    int64_t utilization = is_full ? kMaxUtilization : UtilizationOf(resource);
    int64_t score = shape(utilization);
    sum += score;
    if (notes == nullptr) continue;
    notes->AddOperand("class {}: requested {} of {}; shape({}) = {}",
                      {name.empty() ? "\"\"" : name.view(), resource.requested, resource.capacity,
                       utilization, score});
  }
  return GoRoundToInt64(static_cast<double>(sum) / static_cast<double>(resources.size()));
}

}  // namespace stowage
