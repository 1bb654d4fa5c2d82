#include "core/cel/inference.h"

#include <string>

namespace stowage::cel {
namespace {

bool IsDyn(const Type& type) { return type.kind == TypeKind::kDyn; }
bool IsFree(const Type& type) { return type.kind == TypeKind::kParameter; }

// null fits types that may be absent in messages.
bool AcceptsNull(const Type& type) {
  return type.kind == TypeKind::kNull || type.kind == TypeKind::kOpaque ||
         type.kind == TypeKind::kObject || type.kind == TypeKind::kTimestamp ||
         type.kind == TypeKind::kDuration;
}

bool IsEqualOrLessSpecific(const Type& a, const Type& b) {
  if (IsDyn(a) || IsFree(a)) return true;
  if (IsDyn(b) || IsFree(b)) return false;
  if (a.kind != b.kind || a.num_parameters != b.num_parameters) return false;
  if (a.kind == TypeKind::kOpaque && a.name != b.name) return false;
  if (a.num_parameters == 0) return SameType(a, b);
  for (size_t place = 0; place < a.num_parameters; ++place) {
    if (!IsEqualOrLessSpecific(*a.parameters[place], *b.parameters[place])) return false;
  }
  return true;
}

}  // namespace

const Type* Inference::NewVariable() {
  std::string name = "_var" + std::to_string(num_variables_++);
  const Type* type = arena_.New<Type>(TypeKind::kParameter, uint8_t{0}, arena_.Copy(name));
  return type == nullptr ? &kErrorType : type;
}

const Type* Inference::MostGeneral(const Type* a, const Type* b) {
  if (b->kind == TypeKind::kNull) return a;
  return IsEqualOrLessSpecific(*a, *b) ? a : b;
}

const Type* Inference::Find(const Type* variable) const {
  for (size_t place = bindings_.size(); place-- > 0;) {
    if (bindings_[place].variable == variable) return bindings_[place].type;
  }
  return nullptr;
}

bool Inference::IsReferencedIn(const Type& variable, const Type& type) {
  if (!Spend()) return true;
  if (IsFree(type)) {
    if (&type == &variable) return true;
    const Type* bound = Find(&type);
    return bound != nullptr && IsReferencedIn(variable, *bound);
  }
  for (size_t place = 0; place < type.num_parameters; ++place) {
    if (IsReferencedIn(variable, *type.parameters[place])) return true;
  }
  return false;
}

bool Inference::Bind(const Type& type, const Type& variable, bool* is_bound) {
  *is_bound = true;
  if (SameType(type, variable)) return true;
  const Type* bound = Find(&variable);
  if (bound == nullptr) {
    *is_bound = false;
    if (IsReferencedIn(variable, type)) return false;
    bindings_.push_back({&variable, &type});
    return true;
  }
  if (SameType(type, *bound)) return true;
  if (!Assign(type, *bound)) return false;
  const Type* general = MostGeneral(&type, bound);
  if (!IsReferencedIn(variable, *general)) bindings_.push_back({&variable, general});
  return true;
}

bool Inference::Assign(const Type& to, const Type& from) {
  if (!Spend()) return false;
  bool is_bound = false;
  if (IsFree(from)) {
    if (Bind(to, from, &is_bound)) return true;
    if (is_bound) return false;
  }
  if (IsFree(to)) return Bind(from, to, &is_bound);
  bool is_error = to.kind == TypeKind::kError || from.kind == TypeKind::kError;
  if (IsDyn(to) || IsDyn(from) || is_error) return true;
  if (to.kind == TypeKind::kNull) return AcceptsNull(from);
  if (from.kind == TypeKind::kNull) return AcceptsNull(to);
  if (to.kind != from.kind) return false;
  if (to.kind == TypeKind::kType) return true;
  if (to.kind >= TypeKind::kOpaque && to.name != from.name) return false;
  if (to.num_parameters != from.num_parameters) return false;
  for (size_t place = 0; place < to.num_parameters; ++place) {
    if (!Assign(*to.parameters[place], *from.parameters[place])) return false;
  }
  return true;
}

bool Inference::IsAssignable(const Type& to, const Type& from) {
  size_t before = bindings_.size();
  if (Assign(to, from)) return true;
  bindings_.resize(before);
  return false;
}

bool Inference::IsAssignable(const std::vector<const Type*>& to,
                             const std::vector<const Type*>& from) {
  size_t before = bindings_.size();
  bool fits = to.size() == from.size();
  for (size_t place = 0; fits && place < to.size(); ++place) {
    fits = Assign(*to[place], *from[place]);
  }
  if (!fits) bindings_.resize(before);
  return fits;
}

const Type* Inference::Substitute(const Type* type, bool frees_are_dyn) {
  if (!Spend()) return &kErrorType;
  if (IsFree(*type)) {
    const Type* bound = Find(type);
    if (bound != nullptr) return Substitute(bound, frees_are_dyn);
    return frees_are_dyn ? &kDynType : type;
  }
  const Type* parameters[2] = {};
  bool is_same = true;
  for (size_t place = 0; place < type->num_parameters; ++place) {
    parameters[place] = Substitute(type->parameters[place], frees_are_dyn);
    is_same = is_same && parameters[place] == type->parameters[place];
  }
  if (is_same) return type;
  Type* copy = arena_.New<Type>(*type);
  if (copy == nullptr) return &kErrorType;
  copy->parameters[0] = parameters[0];
  copy->parameters[1] = parameters[1];
  return copy;
}

}  // namespace stowage::cel
