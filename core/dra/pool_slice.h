// PoolSlice is a ResourceSlice with what the allocator derives from it alone: parsed node selectors
// and the verdicts of CEL expressions. It is kept as long as the slice does not change.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/field_error.h"
#include "core/api/node.h"
#include "core/api/node_affinity.h"
#include "core/api/resource_slice.h"
#include "core/base/hash_map.h"
#include "core/base/result.h"
#include "core/dra/selector_evaluator.h"

namespace stowage {

class PoolSlice {
 public:
  explicit PoolSlice(ResourceSliceRef slice) : slice_(std::move(slice)) {}
  PoolSlice(const PoolSlice&) = delete;
  PoolSlice& operator=(const PoolSlice&) = delete;

  const ResourceSliceRef& slice() const { return slice_; }
  const Symbol& name() const { return slice_->metadata.name; }
  const ResourceSliceSpec& spec() const { return slice_->spec; }
  bool has_counters() const { return !slice_->spec.shared_counters.empty(); }

  // Whether the node can use at least one of the devices. A slice that names no nodes in a known
  // way serves none. A null node is one that no selector and no name matches. The fault is that of
  // an invalid node selector.
  Result<bool, std::string> ServesNode(const Node* node);
  // Whether the node can use this device of a slice with perDeviceNodeSelection.
  Result<bool, std::string> DeviceServesNode(size_t device, const Node* node);

  // The verdicts of one expression on the devices.
  class Verdicts {
   public:
    explicit Verdicts(size_t num_devices) : of_devices_(num_devices, Verdict::kUnknown) {}

    // False also if the verdict is not known yet.
    bool IsKnownToMatch(size_t device) const { return of_devices_[device] == Verdict::kYes; }
    bool IsKnownNotToMatch(size_t device) const { return of_devices_[device] == Verdict::kNo; }
    // Evaluates the expression the first time, and after a fault.
    Result<bool, std::string> Matches(const Symbol& expression, const PoolSlice& slice,
                                      size_t device, SelectorEvaluator* evaluator);

   private:
    enum class Verdict : uint8_t { kUnknown, kNo, kYes };
    std::vector<Verdict> of_devices_;
  };

  // The reference is valid until DropVerdicts.
  Verdicts& VerdictsOf(const Symbol& expression);
  size_t num_expressions() const { return verdicts_.size(); }
  void DropVerdicts() { verdicts_.clear(); }

 private:
  // A node selector that was parsed, or the fault.
  using ParsedSelector = std::optional<Result<NodeSelectorMatcher, FieldErrors>>;

  ResourceSliceRef slice_;
  ParsedSelector selector_;
  std::vector<ParsedSelector> device_selectors_;
  HashMap<Symbol, std::unique_ptr<Verdicts>, SymbolNumber> verdicts_;
};

}  // namespace stowage
