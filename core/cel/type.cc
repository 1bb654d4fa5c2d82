#include "core/cel/type.h"

#include "core/base/check.h"

namespace stowage::cel {

const Type kDynType = {TypeKind::kDyn, 0, "dyn"};
const Type kAnyType = {TypeKind::kDyn, 0, "any"};
const Type kErrorType = {TypeKind::kError, 0, "!error!"};
const Type kNullType = {TypeKind::kNull, 0, "null"};
const Type kBoolType = {TypeKind::kBool, 0, "bool"};
const Type kIntType = {TypeKind::kInt, 0, "int"};
const Type kUintType = {TypeKind::kUint, 0, "uint"};
const Type kDoubleType = {TypeKind::kDouble, 0, "double"};
const Type kStringType = {TypeKind::kString, 0, "string"};
const Type kBytesType = {TypeKind::kBytes, 0, "bytes"};
const Type kTimestampType = {TypeKind::kTimestamp, 0, "timestamp"};
const Type kDurationType = {TypeKind::kDuration, 0, "duration"};

namespace {

constexpr struct {
  char letter;
  Type type;
} kLetters[] = {
    {'*', {TypeKind::kDyn, 0, "dyn"}},
    {'n', {TypeKind::kNull, 0, "null"}},
    {'b', {TypeKind::kBool, 0, "bool"}},
    {'i', {TypeKind::kInt, 0, "int"}},
    {'u', {TypeKind::kUint, 0, "uint"}},
    {'d', {TypeKind::kDouble, 0, "double"}},
    {'s', {TypeKind::kString, 0, "string"}},
    {'y', {TypeKind::kBytes, 0, "bytes"}},
    {'t', {TypeKind::kTimestamp, 0, "timestamp"}},
    {'r', {TypeKind::kDuration, 0, "duration"}},
    {'l', {TypeKind::kList, 1, "list"}},
    {'m', {TypeKind::kMap, 2, "map"}},
    {'k', {TypeKind::kType, 1, "type"}},
    {'o', {TypeKind::kOpaque, 1, kOptionalName}},
    {'A', {TypeKind::kParameter, 0, "A"}},
    {'B', {TypeKind::kParameter, 0, "B"}},
    {'C', {TypeKind::kParameter, 0, "C"}},
    {'Q', {TypeKind::kOpaque, 0, "kubernetes.Quantity"}},
    {'V', {TypeKind::kOpaque, 0, "kubernetes.Semver"}},
    {'I', {TypeKind::kOpaque, 0, "net.IP"}},
    {'N', {TypeKind::kOpaque, 0, "net.CIDR"}},
    {'U', {TypeKind::kOpaque, 0, "kubernetes.URL"}},
    {'F', {TypeKind::kOpaque, 0, "kubernetes.NamedFormat"}},
    {'Z', {TypeKind::kOpaque, 0, "kubernetes.authorization.Authorizer"}},
    {'P', {TypeKind::kOpaque, 0, "kubernetes.authorization.PathCheck"}},
    {'G', {TypeKind::kOpaque, 0, "kubernetes.authorization.GroupCheck"}},
    {'R', {TypeKind::kOpaque, 0, "kubernetes.authorization.ResourceCheck"}},
    {'D', {TypeKind::kOpaque, 0, "kubernetes.authorization.Decision"}},
};

const Type* WithParameters(Arena& arena, const Type& shape, const Type* first,
                           const Type* second = nullptr) {
  Type* type = arena.New<Type>(shape);
  if (type == nullptr || first == nullptr) return &kErrorType;
  type->parameters[0] = first;
  type->parameters[1] = second;
  return type;
}

}  // namespace

const Type* ListOf(Arena& arena, const Type* element) {
  return WithParameters(arena, {TypeKind::kList, 1, "list"}, element);
}
const Type* MapOf(Arena& arena, const Type* key, const Type* value) {
  return WithParameters(arena, {TypeKind::kMap, 2, "map"}, key, value);
}
const Type* OptionalOf(Arena& arena, const Type* value) {
  return WithParameters(arena, {TypeKind::kOpaque, 1, kOptionalName}, value);
}
const Type* TypeOf(Arena& arena, const Type* type) {
  return WithParameters(arena, {TypeKind::kType, 1, "type"}, type);
}

const Type& TypeOfLetter(char letter) {
  for (const auto& row : kLetters) {
    if (row.letter == letter) return row.type;
  }
  CheckFailed("core/cel/type.cc: an unknown letter of a type");
}

const Type* ParseType(Arena& arena, std::string_view* letters) {
  CHECK(!letters->empty());
  const Type& type = TypeOfLetter(letters->front());
  letters->remove_prefix(1);
  if (type.num_parameters == 0) return &type;
  const Type* first = ParseType(arena, letters);
  const Type* second = type.num_parameters == 2 ? ParseType(arena, letters) : nullptr;
  return WithParameters(arena, type, first, second);
}

std::string ToString(const Type& type) {
  std::string text(type.name);
  if (type.num_parameters == 0) return text;
  text += '(' + ToString(*type.parameters[0]);
  if (type.num_parameters == 2) text += ", " + ToString(*type.parameters[1]);
  return text + ')';
}

bool SameType(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.num_parameters != b.num_parameters) return false;
  bool is_named = a.kind >= TypeKind::kOpaque;
  if (is_named && a.name != b.name) return false;
  for (size_t place = 0; place < a.num_parameters; ++place) {
    if (!SameType(*a.parameters[place], *b.parameters[place])) return false;
  }
  return true;
}

}  // namespace stowage::cel
