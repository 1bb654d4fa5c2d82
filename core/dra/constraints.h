// DeviceConstraints follow which devices of a claim satisfy its constraints together (spec
// plugins/dynamic-resources-allocator "Constraints").
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/api/resource_claim.h"
#include "core/api/resource_slice.h"

namespace stowage {

// The attribute with this fully qualified name ("domain/id"), which the driver may have written
// without its own name as the domain; null if the device does not have it.
class AttributeName {
 public:
  explicit AttributeName(const Symbol& name);

  const DeviceAttribute* FindIn(const Device& device, const Symbol& driver) const;

 private:
  Symbol name_;
  Symbol domain_;  // empty if the name has none
  Symbol id_;
};

// matchAttribute (all devices have the attribute, with one value), or distinctAttribute.
class AttributeConstraint {
 public:
  explicit AttributeConstraint(const DeviceConstraint& constraint);

  // Whether the device can be added; it is counted then. `request`: the request, of an alternative
  // its parent.
  bool Add(const Device& device, const Symbol& driver, const Symbol& request);
  // Takes back the last device that was added and not removed. distinctAttribute also forgets the
  // values of all other devices of the request, as the reference does.
  void Remove(const Symbol& request);
  void Clear();

 private:
  bool IsDistinct(const DeviceAttribute& attribute) const;

  AttributeName name_;
  bool is_distinct_;
  size_t num_devices_ = 0;
  const DeviceAttribute* first_ = nullptr;  // of matchAttribute
  // Of distinctAttribute: one value per request, that of its last device.
  std::vector<std::pair<Symbol, const DeviceAttribute*>> values_;
};

}  // namespace stowage
