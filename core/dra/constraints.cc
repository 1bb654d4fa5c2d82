#include "core/dra/constraints.h"

#include <algorithm>
#include <string_view>

namespace stowage {
namespace {

enum class Comparison { kEqual, kDifferent, kUnknownType };

template <typename T>
Comparison CompareValues(const std::optional<T>& value, const std::optional<T>& other) {
  return other && *value == *other ? Comparison::kEqual : Comparison::kDifferent;
}

// By the type of `attribute`. Versions are equal if their texts are.
Comparison Compare(const DeviceAttribute& attribute, const DeviceAttribute& other) {
  if (attribute.string_value) return CompareValues(attribute.string_value, other.string_value);
  if (attribute.int_value) return CompareValues(attribute.int_value, other.int_value);
  if (attribute.bool_value) return CompareValues(attribute.bool_value, other.bool_value);
  if (attribute.version_value) return CompareValues(attribute.version_value, other.version_value);
  return Comparison::kUnknownType;
}

}  // namespace

AttributeName::AttributeName(const Symbol& name) : name_(name) {
  std::string_view text = name.view();
  size_t slash = text.find('/');
  if (slash == std::string_view::npos) return;
  domain_ = Symbol(text.substr(0, slash));
  id_ = Symbol(text.substr(slash + 1));
}

const DeviceAttribute* AttributeName::FindIn(const Device& device, const Symbol& driver) const {
  const DeviceAttribute* found = FindEntry(device.attributes, name_);
  if (found != nullptr || domain_.empty() || domain_ != driver) return found;
  return FindEntry(device.attributes, id_);
}

AttributeConstraint::AttributeConstraint(const DeviceConstraint& constraint)
    : name_(constraint.match_attribute ? *constraint.match_attribute
                                       : *constraint.distinct_attribute),
      is_distinct_(!constraint.match_attribute) {}

bool AttributeConstraint::Add(const Device& device, const Symbol& driver, const Symbol& request) {
  const DeviceAttribute* attribute = name_.FindIn(device, driver);
  if (attribute == nullptr) return false;
  bool is_first = num_devices_ == 0;
  if (is_distinct_) {
    if (!is_first && !IsDistinct(*attribute)) return false;
    auto known = std::find_if(values_.begin(), values_.end(),
                              [&request](const auto& value) { return value.first == request; });
    if (known == values_.end()) known = values_.insert(known, {request, nullptr});
    known->second = attribute;
  } else if (is_first) {
    first_ = attribute;
  } else if (Compare(*attribute, *first_) != Comparison::kEqual) {
    return false;
  }
  ++num_devices_;
  return true;
}

bool AttributeConstraint::IsDistinct(const DeviceAttribute& attribute) const {
  return std::all_of(values_.begin(), values_.end(), [&attribute](const auto& value) {
    return Compare(attribute, *value.second) == Comparison::kDifferent;
  });
}

void AttributeConstraint::Remove(const Symbol& request) {
  --num_devices_;
  std::erase_if(values_, [&request](const auto& value) { return value.first == request; });
}

void AttributeConstraint::Clear() {
  num_devices_ = 0;
  first_ = nullptr;
  values_.clear();
}

}  // namespace stowage
