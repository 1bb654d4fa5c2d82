#include "core/dra/pools.h"

#include <algorithm>

#include "core/base/stable_sort.h"

namespace stowage {
namespace {

const CounterSet* FindCounterSet(const std::vector<const CounterSet*>& sets, const Symbol& name) {
  for (const CounterSet* set : sets) {
    if (set->name == name) return set;
  }
  return nullptr;
}

bool HasDuplicateDevices(const std::vector<PoolDevice>& devices) {
  std::vector<uintptr_t> names;
  names.reserve(devices.size());
  for (const PoolDevice& device : devices) names.push_back(device.device().name.id());
  StableSort(&names);
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool ConsumesUnknownCounter(const std::vector<PoolSlice*>& slices,
                            const std::vector<const CounterSet*>& sets) {
  for (const PoolSlice* slice : slices) {
    for (const Device& device : slice->spec().devices) {
      for (const DeviceCounterConsumption& consumption : device.consumes_counters) {
        const CounterSet* set = FindCounterSet(sets, consumption.counter_set);
        if (set == nullptr) return true;
        for (const auto& [name, counter] : consumption.counters) {
          if (FindEntry(set->counters, name) == nullptr) return true;
        }
      }
    }
  }
  return false;
}

void AddDevices(PoolSlice* slice, Pool* pool) {
  for (size_t index = 0; index < slice->spec().devices.size(); ++index) {
    pool->devices.push_back({slice, index});
    if (!pool->devices.back().device().binding_conditions.empty()) {
      pool->has_binding_conditions = true;
    }
  }
}

// Adds the slices of a complete pool; false if two counter sets have one name.
bool AddSlices(const std::vector<PoolSlice*>& slices, Pool* pool) {
  for (PoolSlice* slice : slices) {
    if (!slice->has_counters()) {
      AddDevices(slice, pool);
      continue;
    }
    for (const CounterSet& set : slice->spec().shared_counters) {
      if (FindCounterSet(pool->counter_sets, set.name) != nullptr) return false;
      pool->counter_sets.push_back(&set);
    }
  }
  return true;
}

// `slices`: those that are relevant for the node, sorted by name.
void FillCompletePool(const std::vector<PoolSlice*>& slices, bool is_partitionable, Pool* pool) {
  bool has_unique_sets = AddSlices(slices, pool);
  if (HasDuplicateDevices(pool->devices)) {
    pool->invalid_reason = "duplicate device name";
  } else if (!has_unique_sets) {
    pool->invalid_reason = "duplicate counter set name";
  } else if (is_partitionable && (ConsumesUnknownCounter(slices, pool->counter_sets) ||
                                  ConsumesUnknownCounter(pool->other_slices, pool->counter_sets))) {
    pool->invalid_reason = "unknown counter set or counter";
  }
  if (!pool->is_invalid()) return;
  pool->devices.clear();
  pool->counter_sets.clear();
  pool->has_binding_conditions = false;
}

int64_t GenerationOf(const PoolSlice* slice) { return slice->spec().pool.generation; }

// The relevant slices of the newest generation among them: those of the node first, then those that
// may serve several nodes, as in the reference's list.
std::vector<PoolSlice*> KeptSlices(const PoolSlices& slices, const std::vector<bool>& is_relevant) {
  std::vector<PoolSlice*> kept;
  for (bool of_one_node : {true, false}) {
    for (size_t index = 0; index < slices.size(); ++index) {
      PoolSlice* slice = slices[index];
      bool is_of_one_node = !slice->spec().node_name.empty() && !slice->has_counters();
      if (!is_relevant[index] || is_of_one_node != of_one_node) continue;
      if (!kept.empty() && GenerationOf(slice) < GenerationOf(kept.front())) continue;
      if (!kept.empty() && GenerationOf(slice) > GenerationOf(kept.front())) kept.clear();
      kept.push_back(slice);
    }
  }
  return kept;
}

}  // namespace

void Pool::Refresh(const AllocatedDevices& allocated, uint64_t reader) {
  std::pair version(reader, allocated.VersionOfPool(id));
  if (version == version_) return;
  version_ = version;
  counters_ = nullptr;
  dedicated_.clear();
  has_devices_in_use_ = allocated.HasDevicesInUse(id);
  if (!has_devices_in_use_) return;
  dedicated_.resize(devices.size());
  for (size_t index = 0; index < devices.size(); ++index) {
    const DeviceUse* use = allocated.Find(IdOf(devices[index]));
    dedicated_[index] = use != nullptr && use->is_dedicated();
  }
}

PoolCounters& Pool::Counters(const AllocatedDevices& allocated) {
  if (counters_ != nullptr) return *counters_;
  counters_ = std::make_unique<PoolCounters>(counter_sets);
  if (!has_devices_in_use_) return *counters_;
  auto take = [this, &allocated](const Device& device) {
    if (device.consumes_counters.empty()) return;
    if (allocated.Find({id.driver, id.pool, device.name}) != nullptr) counters_->Take(device);
  };
  for (const PoolDevice& device : devices) take(device.device());
  for (const PoolSlice* slice : other_slices) {
    for (const Device& device : slice->spec().devices) take(device);
  }
  return *counters_;
}

Result<bool, std::string> IsRelevant(PoolSlice* slice, const Node* node, bool is_partitionable) {
  if (!is_partitionable && (slice->spec().per_device_node_selection || slice->has_counters())) {
    return false;
  }
  if (slice->has_counters()) return true;
  return slice->ServesNode(node);
}

std::unique_ptr<Pool> GatherPool(const PoolSlices& slices, const std::vector<bool>& is_relevant,
                                 bool is_partitionable) {
  std::vector<PoolSlice*> kept = KeptSlices(slices, is_relevant);
  if (kept.empty()) return nullptr;
  int64_t generation = GenerationOf(kept.front());
  auto wanted = static_cast<size_t>(kept.front()->spec().pool.resource_slice_count);
  auto pool = std::make_unique<Pool>();
  pool->id = {kept.front()->spec().driver, kept.front()->spec().pool.name};
  if (kept.size() != wanted) {
    for (PoolSlice* slice : slices) {
      if (GenerationOf(slice) > generation) return nullptr;
      bool is_kept = std::find(kept.begin(), kept.end(), slice) != kept.end();
      if (GenerationOf(slice) == generation && !is_kept) pool->other_slices.push_back(slice);
    }
    pool->is_incomplete = kept.size() + pool->other_slices.size() != wanted;
    if (pool->is_incomplete) return pool;
  }
  StableSort(&kept, [](const PoolSlice* a, const PoolSlice* b) { return a->name() < b->name(); });
  FillCompletePool(kept, is_partitionable, pool.get());
  return pool;
}

bool IsTriedBefore(const Pool& a, const Pool& b) {
  if (a.has_binding_conditions != b.has_binding_conditions) return b.has_binding_conditions;
  if (a.id.driver != b.id.driver) return a.id.driver < b.id.driver;
  return a.id.pool < b.id.pool;
}

}  // namespace stowage
