// The environment of device selectors, and the evaluation of a selector on a device.
// Source: spec plugins/dynamic-resources-cel.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/quantity.h"
#include "core/base/result.h"
#include "core/cel/arena.h"
#include "core/cel/program.h"

namespace stowage::cel {

// The feature gates that change the language.
struct DeviceGates {
  bool consumable_capacity = true;  // DRAConsumableCapacity: device.allowMultipleAllocations
  bool list_attributes = false;     // DRAListTypeAttributes: attributes with lists, includes()
};

// One value of an attribute; views into what the caller keeps.
struct AttributeValueView {
  enum class Kind : uint8_t { kInt, kBool, kString, kVersion };

  Kind kind = Kind::kInt;
  int64_t number = 0;  // of an int; 0 or 1 of a bool
  std::string_view text;
};

struct AttributeView {
  std::string_view name;  // "model" or "gpu.example.com/model"
  // One value; with `is_list`, any number. None without `is_list`: an unsupported value.
  std::span<const AttributeValueView> values;
  bool is_list = false;
};

struct CapacityView {
  std::string_view name;
  const Quantity* value;
};

struct DeviceView {
  std::string_view driver;  // of the device's slice: the domain of unqualified names
  bool allow_multiple_allocations = false;
  std::span<const AttributeView> attributes;
  std::span<const CapacityView> capacity;
};

// The variable `device` of one device, built once and evaluated with any number of selectors. The
// views of the DeviceView must outlive it.
class DeviceInput {
 public:
  DeviceInput(const DeviceView& device, DeviceGates gates);

  // The error of a device that no expression can be evaluated on: an attribute without a supported
  // value, or a version that is none.
  const Value& value() const { return value_; }

 private:
  Arena arena_;
  Value value_;
};

// A message: "attribute model: unsupported attribute value", "no such key: model".
struct CelError {
  std::string message;
};

// A compiled selector.
class DeviceSelector {
 public:
  // The error is "compilation failed: …", "must evaluate to bool or the unknown type, not string"
  // or "program instantiation failed: …".
  static Result<DeviceSelector, CelError> Compile(std::string_view expression, DeviceGates gates);

  // True: the selector selects the device. Errors are those of the expression and of the device.
  Result<bool, CelError> Evaluate(const DeviceInput& device, uint64_t* cost = nullptr) const;

 private:
  explicit DeviceSelector(std::unique_ptr<Program> program) : program_(std::move(program)) {}

  std::unique_ptr<Program> program_;
};

// Compiled selectors by expression; the least recently used one makes room. Errors are not kept.
class DeviceSelectorCache {
 public:
  static constexpr size_t kSizeMax = 10;

  explicit DeviceSelectorCache(DeviceGates gates) : gates_(gates) {}

  // The selector stays valid until the next call.
  Result<const DeviceSelector*, CelError> Get(std::string_view expression);

 private:
  struct Entry {
    std::string expression;
    std::unique_ptr<DeviceSelector> selector;
  };

  DeviceGates gates_;
  std::vector<Entry> entries_;  // the most recently used one last
};

// The functions of the environment.
std::span<const FunctionTable> DeviceFunctions(DeviceGates gates);

}  // namespace stowage::cel
