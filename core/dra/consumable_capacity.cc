#include "core/dra/consumable_capacity.h"

#include <algorithm>

namespace stowage {
namespace {

// With wrap-around, as the reference's integers have it.
int64_t Plus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t Minus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t Times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// The API server refuses steps that are not positive; they count as absent.
std::optional<int64_t> StepOf(const CapacityRequestPolicyRange& range) {
  if (!range.step || range.step->Value() <= 0) return std::nullopt;
  return range.step->Value();
}

Quantity RoundUp(const Quantity& requested, const CapacityRequestPolicyRange& range) {
  if (requested.Compare(*range.min) < 0) return *range.min;
  std::optional<int64_t> step = StepOf(range);
  if (!step) return requested;
  int64_t min = range.min->Value();
  int64_t above = Minus(requested.Value(), min);
  int64_t steps = above / *step + (above % *step != 0 ? 1 : 0);
  return Quantity(Plus(min, Times(*step, steps)), 0, Quantity::Format::kBinarySI);
}

Quantity RoundUp(const Quantity& requested, const std::vector<Quantity>& valid_values) {
  for (const Quantity& value : valid_values) {
    if (requested.Compare(value) <= 0) return value;
  }
  return requested;
}

// `requested`: null if the request does not name the capacity.
Quantity AmountOf(const Quantity* requested, const DeviceCapacity& capacity) {
  const Shared<CapacityRequestPolicy>& policy = capacity.request_policy;
  if (requested == nullptr) {
    return policy && policy->default_value ? *policy->default_value : capacity.value;
  }
  if (!policy) return *requested;
  if (policy->valid_range && policy->valid_range->min) {
    return RoundUp(*requested, *policy->valid_range);
  }
  return RoundUp(*requested, policy->valid_values);
}

bool ViolatesPolicy(const Quantity& amount, const CapacityRequestPolicy& policy) {
  if (policy.default_value && amount.IsIdentical(*policy.default_value)) return false;
  if (policy.valid_range) {
    const CapacityRequestPolicyRange& range = *policy.valid_range;
    if (range.max && amount.Compare(*range.max) > 0) return true;
    std::optional<int64_t> step = StepOf(range);
    if (!step) return false;
    int64_t min = range.min ? range.min->Value() : 0;
    return Minus(amount.Value(), min) % *step != 0;
  }
  const std::vector<Quantity>& values = policy.valid_values;
  return !values.empty() && std::find(values.begin(), values.end(), amount) == values.end();
}

const Quantity* Requested(const std::optional<CapacityRequirements>& requirements,
                          const Symbol& name) {
  return requirements ? requirements->requests.Find(name) : nullptr;
}

}  // namespace

bool FitsCapacity(const std::optional<CapacityRequirements>& requirements, const Device& device,
                  const ResourceList& consumed, DeviceShortage* shortage) {
  using Kind = DeviceShortage::Kind;
  auto refuse = [shortage](Kind kind, const Symbol& name, const Quantity* requested,
                           const DeviceCapacity& capacity, const Quantity& others) {
    if (shortage == nullptr) return false;
    *shortage = {kind, Symbol(), name, AmountOf(requested, capacity), capacity.value};
    shortage->left.Sub(others);
    return false;
  };
  if (requirements) {
    for (const auto& [name, quantity] : requirements->requests) {
      if (FindEntry(device.capacity, name) != nullptr) continue;
      return refuse(Kind::kAbsent, name, &quantity, DeviceCapacity(), Quantity());
    }
  }
  for (const auto& [name, capacity] : device.capacity) {
    const Quantity* requested = Requested(requirements, name);
    bool takes_all = requested == nullptr && !capacity.request_policy;
    if (takes_all && consumed.empty()) continue;
    Quantity amount = AmountOf(requested, capacity);
    if (capacity.request_policy && ViolatesPolicy(amount, *capacity.request_policy)) {
      return refuse(Kind::kPolicy, name, requested, capacity, Quantity());
    }
    const Quantity* others = consumed.Find(name);
    if (others != nullptr) amount.Add(*others);
    if (amount.Compare(capacity.value) <= 0) continue;
    return refuse(Kind::kTooLittle, name, requested, capacity,
                  others == nullptr ? Quantity() : *others);
  }
  return true;
}

ResourceList ConsumedCapacity(const std::optional<CapacityRequirements>& requirements,
                              const Device& device) {
  std::vector<ResourceList::Entry> amounts;
  for (const auto& [name, capacity] : device.capacity) {
    amounts.emplace_back(name, AmountOf(Requested(requirements, name), capacity));
  }
  ResourceList consumed;
  consumed.SetAll(&amounts);
  return consumed;
}

}  // namespace stowage
