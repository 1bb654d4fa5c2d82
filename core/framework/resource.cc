#include "core/framework/resource.h"

#include <algorithm>

#include "core/api/resource_names.h"

namespace stowage {
namespace {

auto LowerBound(auto& scalars, const Symbol& name) {
  return std::lower_bound(
      scalars.begin(), scalars.end(), name,
      [](const auto& entry, const Symbol& other) { return entry.first < other; });
}

}  // namespace

const ResourceNames& ResourceNames::Get() {
  static const ResourceNames* names = new ResourceNames;
  return *names;
}

void Resource::Add(const ResourceList& list) {
  const ResourceNames& names = ResourceNames::Get();
  for (const auto& [name, quantity] : list) {
    if (name == names.cpu) {
      milli_cpu += quantity.MilliValue();
    } else if (name == names.memory) {
      memory += quantity.Value();
    } else if (name == names.ephemeral_storage) {
      ephemeral_storage += quantity.Value();
    } else if (name == names.pods) {
      allowed_pod_number += quantity.Value();
    } else if (IsScalarResourceName(name.view())) {
      MutableScalar(name) += quantity.Value();
    }
  }
}

void Resource::Add(const Resource& other) {
  milli_cpu += other.milli_cpu;
  memory += other.memory;
  ephemeral_storage += other.ephemeral_storage;
  for (const auto& [name, amount] : other.scalars) MutableScalar(name) += amount;
}

void Resource::Subtract(const Resource& other) {
  milli_cpu -= other.milli_cpu;
  memory -= other.memory;
  ephemeral_storage -= other.ephemeral_storage;
  for (const auto& [name, amount] : other.scalars) MutableScalar(name) -= amount;
}

const int64_t* Resource::FindScalar(const Symbol& name) const {
  for (const auto& entry : scalars) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

int64_t Resource::Scalar(const Symbol& name) const {
  const int64_t* amount = FindScalar(name);
  return amount == nullptr ? 0 : *amount;
}

int64_t& Resource::MutableScalar(const Symbol& name) {
  for (auto& entry : scalars) {
    if (entry.first == name) return entry.second;
  }
  return scalars.insert(LowerBound(scalars, name), {name, 0})->second;
}

}  // namespace stowage
