// The counters that the devices of a pool share (partitionable devices; spec
// plugins/dynamic-resources-allocator "Counters").
#pragma once

#include <cstddef>
#include <vector>

#include "core/api/resource_slice.h"
#include "core/dra/device_shortage.h"

namespace stowage {

class PoolCounters;

// The consumption of a search, in its order, so that it can be undone.
class CounterLog {
 public:
  size_t size() const { return entries_.size(); }
  // Undoes what was consumed since the log had this size.
  void UndoTo(size_t size);

 private:
  friend class PoolCounters;
  struct Entry {
    PoolCounters* pool;
    size_t set;
    size_t counter;
    Quantity before;
  };

  std::vector<Entry> entries_;
};

class PoolCounters {
 public:
  explicit PoolCounters(const std::vector<const CounterSet*>& sets);

  // Takes the part of a device that is in use. It may take more than there is.
  void Take(const Device& device);
  // Takes the part of a device that is tried. False if more of any counter of the pool is taken
  // then than there is, even of one that the device does not consume; then nothing is taken.
  // Counters that the pool does not have are ignored.
  bool Consume(const Device& device, CounterLog* log);
  // The first counter for which Consume is false.
  DeviceShortage ShortageFor(const Device& device) const;

 private:
  friend class CounterLog;
  struct SharedCounter {
    Symbol name;
    Quantity value;
    Quantity taken;

    bool is_exceeded() const { return taken.Compare(value) > 0; }
  };
  struct SharedCounterSet {
    Symbol name;
    std::vector<SharedCounter> counters;
  };

  // Sets how much of the counter is taken.
  void Set(SharedCounter* counter, const Quantity& taken);
  template <typename Visit>
  void ForEachConsumed(const Device& device, Visit visit);

  std::vector<SharedCounterSet> sets_;
  size_t num_exceeded_ = 0;
};

}  // namespace stowage
