#include "core/dra/shared_counters.h"

#include "core/api/sorted_entries.h"

namespace stowage {

void CounterLog::UndoTo(size_t size) {
  while (entries_.size() > size) {
    Entry& last = entries_.back();
    last.pool->Set(&last.pool->sets_[last.set].counters[last.counter], last.before);
    entries_.pop_back();
  }
}

PoolCounters::PoolCounters(const std::vector<const CounterSet*>& sets) {
  sets_.reserve(sets.size());
  for (const CounterSet* set : sets) {
    SharedCounterSet& added = sets_.emplace_back();
    added.name = set->name;
    added.counters.reserve(set->counters.size());
    for (const auto& [name, counter] : set->counters) {
      added.counters.push_back({name, counter.value, Quantity()});
      if (added.counters.back().is_exceeded()) ++num_exceeded_;  // a negative value
    }
  }
}

void PoolCounters::Set(SharedCounter* counter, const Quantity& taken) {
  if (counter->is_exceeded()) --num_exceeded_;
  counter->taken = taken;
  if (counter->is_exceeded()) ++num_exceeded_;
}

// Calls visit(set, index of the counter, amount). Both lists of counters are sorted by name.
template <typename Visit>
void PoolCounters::ForEachConsumed(const Device& device, Visit visit) {
  for (const DeviceCounterConsumption& consumption : device.consumes_counters) {
    for (SharedCounterSet& set : sets_) {
      if (set.name != consumption.counter_set) continue;
      size_t index = 0;
      for (const auto& [name, counter] : consumption.counters) {
        while (index < set.counters.size() && set.counters[index].name < name) ++index;
        if (index == set.counters.size()) break;
        if (set.counters[index].name == name) visit(&set, index, counter.value);
      }
      break;
    }
  }
}

void PoolCounters::Take(const Device& device) {
  ForEachConsumed(device, [this](SharedCounterSet* set, size_t index, const Quantity& amount) {
    Quantity sum = set->counters[index].taken;
    sum.Add(amount);
    Set(&set->counters[index], sum);
  });
}

bool PoolCounters::Consume(const Device& device, CounterLog* log) {
  size_t before = log->size();
  ForEachConsumed(device, [&](SharedCounterSet* set, size_t index, const Quantity& amount) {
    Quantity sum = set->counters[index].taken;
    log->entries_.push_back({this, static_cast<size_t>(set - sets_.data()), index, sum});
    sum.Add(amount);
    Set(&set->counters[index], sum);
  });
  if (num_exceeded_ == 0) return true;
  log->UndoTo(before);
  return false;
}

DeviceShortage PoolCounters::ShortageFor(const Device& device) const {
  for (const SharedCounterSet& set : sets_) {
    for (const SharedCounter& counter : set.counters) {
      Quantity asked;
      for (const DeviceCounterConsumption& consumption : device.consumes_counters) {
        if (consumption.counter_set != set.name) continue;
        const Counter* consumed = FindEntry(consumption.counters, counter.name);
        if (consumed != nullptr) asked.Add(consumed->value);
      }
      Quantity left = counter.value;
      left.Sub(counter.taken);
      if (asked.Compare(left) <= 0) continue;
      return {DeviceShortage::Kind::kTooLittle, set.name, counter.name, asked, left};
    }
  }
  return {};
}

}  // namespace stowage
