#include "core/table/resource.h"

#include <algorithm>

#include "core/api/resource_names.h"
#include "core/api/sorted_entries.h"

namespace stowage {
namespace {

// Adds `sign` × each of `amounts`, which are sorted by name. New names are collected and merged at
// the end, because inserting them one by one would take quadratic time.
void AddScalars(const Resource::Scalars& amounts, int64_t sign, Resource::Scalars* sum) {
  Resource::Scalars added;
  auto place = sum->begin();
  for (const auto& [name, amount] : amounts) {
    place = std::lower_bound(place, sum->end(), name,
                             [](const auto& entry, const Symbol& n) { return entry.first < n; });
    if (place != sum->end() && place->first == name) {
      place->second += sign * amount;
    } else {
      added.emplace_back(name, sign * amount);
    }
  }
  if (!added.empty()) MergeEntries(&added, sum);
}

}  // namespace

const ResourceNames& ResourceNames::Get() {
  static const ResourceNames* names = new ResourceNames;
  return *names;
}

void Resource::Add(const ResourceList& list) {
  const ResourceNames& names = ResourceNames::Get();
  Scalars added;
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
      added.emplace_back(name, quantity.Value());
    }
  }
  AddScalars(added, 1, &scalars);
}

void Resource::Add(const Resource& other) {
  milli_cpu += other.milli_cpu;
  memory += other.memory;
  ephemeral_storage += other.ephemeral_storage;
  AddScalars(other.scalars, 1, &scalars);
}

void Resource::Subtract(const Resource& other) {
  milli_cpu -= other.milli_cpu;
  memory -= other.memory;
  ephemeral_storage -= other.ephemeral_storage;
  AddScalars(other.scalars, -1, &scalars);
}

const int64_t* Resource::FindScalar(const Symbol& name) const { return FindEntry(scalars, name); }

int64_t Resource::Scalar(const Symbol& name) const {
  const int64_t* amount = FindScalar(name);
  return amount == nullptr ? 0 : *amount;
}

}  // namespace stowage
