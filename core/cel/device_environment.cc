#include "core/cel/device_environment.h"

#include "core/cel/libraries.h"
#include "core/cel/semver.h"

namespace stowage::cel {
namespace {

constexpr std::string_view kDeviceName = "kubernetes.DRADevice";

constexpr Type kDeviceType = {TypeKind::kObject, 0, kDeviceName};
constexpr Type kQuantityType = {TypeKind::kOpaque, 0, "kubernetes.Quantity"};
const Type kAttributeMap = {TypeKind::kMap, 2, "map", {&kStringType, &kAnyType}};
const Type kAttributes = {TypeKind::kMap, 2, "map", {&kStringType, &kAttributeMap}};
const Type kCapacityMap = {TypeKind::kMap, 2, "map", {&kStringType, &kQuantityType}};
const Type kCapacity = {TypeKind::kMap, 2, "map", {&kStringType, &kCapacityMap}};
// With lists, the type of an attribute depends on the device.
const Type kDynamicMap = {TypeKind::kMap, 2, "map", {&kStringType, &kDynType}};
const Type kDynamicAttributes = {TypeKind::kMap, 2, "map", {&kStringType, &kDynamicMap}};

const Variable kVariables[] = {{"device", &kDeviceType}};
// Each environment takes a part of the fields: the gates decide about the first and the last.
const Field kFields[] = {
    {kDeviceName, "allowMultipleAllocations", &kBoolType},
    {kDeviceName, "driver", &kStringType},
    {kDeviceName, "capacity", &kCapacity},
    {kDeviceName, "attributes", &kAttributes},
};
const Field kFieldsWithLists[] = {
    {kDeviceName, "allowMultipleAllocations", &kBoolType},
    {kDeviceName, "driver", &kStringType},
    {kDeviceName, "capacity", &kCapacity},
    {kDeviceName, "attributes", &kDynamicAttributes},
};

Environment MakeEnvironment(DeviceGates gates) {
  std::span<const Field> fields = gates.list_attributes ? kFieldsWithLists : kFields;
  if (!gates.consumable_capacity) fields = fields.subspan(1);
  return {DeviceFunctions(gates), kVariables, fields, {}};
}

// One environment for each combination of gates; they live as long as the program.
const Environment& EnvironmentOf(DeviceGates gates) {
  static const Environment kEnvironments[] = {
      MakeEnvironment({false, false}), MakeEnvironment({false, true}),
      MakeEnvironment({true, false}), MakeEnvironment({true, true})};
  return kEnvironments[(gates.consumable_capacity ? 2 : 0) + (gates.list_attributes ? 1 : 0)];
}

// Adds the value of `name` to the map of its domain, a name without one to the driver's.
void AddQualified(Arena& arena, std::string_view name, std::string_view driver, Value value,
                  std::vector<MapEntry>* domains) {
  size_t slash = name.find('/');
  std::string_view domain = slash == std::string_view::npos ? driver : name.substr(0, slash);
  std::string_view id = slash == std::string_view::npos ? name : name.substr(slash + 1);
  size_t place = 0;
  while (place < domains->size() && (*domains)[place].key.text() != domain) ++place;
  if (place == domains->size()) {
    domains->push_back({Value::String(domain), ValueBuilder::Map(arena, {})});
  }
  Value& map = (*domains)[place].value;
  map = ValueBuilder::Insert(arena, map, {Value::String(id), value});
}

Value NestedMap(Arena& arena, std::span<const MapEntry> domains) {
  return ValueBuilder::MapWithDefault(arena, domains, ValueBuilder::Map(arena, {}));
}

Value ValueOf(Arena& arena, std::string_view name, const AttributeValueView& view) {
  switch (view.kind) {
    case AttributeValueView::Kind::kInt:
      return Value::Int(view.number);
    case AttributeValueView::Kind::kBool:
      return Value::Bool(view.number != 0);
    case AttributeValueView::Kind::kString:
      return Value::String(view.text);
    case AttributeValueView::Kind::kVersion:
      break;
  }
  Result<Semver, SemverError> version = Semver::Parse(view.text);
  if (!version.ok()) {
    return ValueBuilder::Error(
        arena, {"attribute ", name, ": parse semantic version: ", version.fault().message});
  }
  return ValueBuilder::OfOpaque(arena, kSemverKind, arena.New<Semver>(*version));
}

Value ValueOf(Arena& arena, const AttributeView& attribute, DeviceGates gates) {
  bool is_list = attribute.is_list && gates.list_attributes;
  if (!is_list && (attribute.is_list || attribute.values.size() != 1)) {
    return ValueBuilder::Error(arena,
                               {"attribute ", attribute.name, ": unsupported attribute value"});
  }
  std::vector<Value> values;
  for (const AttributeValueView& view : attribute.values) {
    values.push_back(ValueOf(arena, attribute.name, view));
    if (values.back().is_error()) return values.back();
  }
  return is_list ? ValueBuilder::List(arena, values) : values.front();
}

Value BuildDevice(Arena& arena, const DeviceView& device, DeviceGates gates) {
  std::vector<MapEntry> attributes;
  for (const AttributeView& attribute : device.attributes) {
    Value value = ValueOf(arena, attribute, gates);
    if (value.is_error()) return value;
    AddQualified(arena, attribute.name, device.driver, value, &attributes);
  }
  std::vector<MapEntry> capacity;
  for (const CapacityView& view : device.capacity) {
    Value value = ValueBuilder::OfOpaque(arena, kQuantityKind, view.value);
    AddQualified(arena, view.name, device.driver, value, &capacity);
  }
  const MapEntry fields[] = {
      {Value::String("driver"), Value::String(device.driver)},
      {Value::String("allowMultipleAllocations"), Value::Bool(device.allow_multiple_allocations)},
      {Value::String("attributes"), NestedMap(arena, attributes)},
      {Value::String("capacity"), NestedMap(arena, capacity)},
  };
  return ValueBuilder::Object(arena, kDeviceName, fields);
}

// Each type of the reference has words of its own.
std::string ConversionFault(const Value& result) {
  std::string type(result.type_name());
  switch (result.kind()) {
    case Kind::kString:
      return "unsupported native conversion from string to 'bool'";
    case Kind::kList:
    case Kind::kMap:
      return "type conversion error from " + type + " to 'bool'";
    case Kind::kOpaque:
      return "type conversion error from '" + type.substr(type.find('.') + 1) + "' to 'bool'";
    default:
      return "unsupported type conversion from '" + type + "' to bool";
  }
}

}  // namespace

DeviceInput::DeviceInput(const DeviceView& device, DeviceGates gates)
    : value_(BuildDevice(arena_, device, gates)) {}

Result<DeviceSelector, CelError> DeviceSelector::Compile(std::string_view expression,
                                                         DeviceGates gates) {
  Compilation compilation = cel::Compile(EnvironmentOf(gates), expression);
  if (compilation.program == nullptr) {
    std::string prefix = compilation.is_instantiation_fault ? "program instantiation failed: "
                                                            : "compilation failed: ";
    return CelError{prefix + compilation.issues};
  }
  const Type& type = compilation.program->type();
  bool is_unknown =
      type.kind == TypeKind::kDyn && (type.name == kAnyType.name || gates.list_attributes);
  if (type.kind != TypeKind::kBool && !is_unknown) {
    return CelError{"must evaluate to bool or the unknown type, not " + ToString(type)};
  }
  return DeviceSelector(std::move(compilation.program));
}

Result<bool, CelError> DeviceSelector::Evaluate(const DeviceInput& device, uint64_t* cost) const {
  if (device.value().is_error()) return CelError{std::string(device.value().text())};
  Arena arena;
  const Value variables[] = {device.value()};
  Evaluation evaluation = cel::Evaluate(*program_, variables, arena);
  if (cost != nullptr) *cost = evaluation.cost;
  const Value& result = evaluation.result;
  if (result.is_error()) return CelError{std::string(result.text())};
  if (result.kind() == Kind::kBool) return result.bool_value();
  return CelError{"CEL result of type " + std::string(result.type_name()) +
                  " could not be converted to bool: " + ConversionFault(result)};
}

Result<const DeviceSelector*, CelError> DeviceSelectorCache::Get(std::string_view expression) {
  for (size_t place = 0; place < entries_.size(); ++place) {
    if (entries_[place].expression != expression) continue;
    for (; place + 1 < entries_.size(); ++place) std::swap(entries_[place], entries_[place + 1]);
    return entries_.back().selector.get();
  }
  Result<DeviceSelector, CelError> selector = DeviceSelector::Compile(expression, gates_);
  if (!selector.ok()) return selector.fault();
  if (entries_.size() == kSizeMax) entries_.erase(entries_.begin());
  entries_.push_back({std::string(expression), std::make_unique<DeviceSelector>(selector.Take())});
  return entries_.back().selector.get();
}

std::span<const FunctionTable> DeviceFunctions(DeviceGates gates) {
  static const FunctionTable kTables[] = {
      IncludesFunctions(),   StandardFunctions(),      OptionalFunctions(), StringFunctions(),
      SetFunctions(),        ListFunctions(),          RegexFunctions(),    UrlFunctions(),
      QuantityFunctions(),   SemverFunctions(),        IpFunctions(),       FormatFunctions(),
      AuthorizerFunctions(), KubernetesListFunctions()};
  std::span<const FunctionTable> tables(kTables);
  return gates.list_attributes ? tables : tables.subspan(1);
}

}  // namespace stowage::cel
