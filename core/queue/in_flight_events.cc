#include "core/queue/in_flight_events.h"

#include <iterator>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/stable_sort.h"

namespace stowage {

bool InFlightEvents::AddPod(const PodRef& pod) {
  const Symbol& uid = pod->metadata.uid;
  auto [key, entry, is_new] = pods_.try_emplace(uid);
  if (!is_new) return false;
  if (spare_.empty()) spare_.emplace_back();
  entries_.splice(entries_.end(), spare_);
  entries_.back() = pod;
  entry = std::prev(entries_.end());
  return true;
}

void InFlightEvents::AddEvent(const ClusterEvent& event, const EventObjects& objects) {
  if (!pods_.empty()) entries_.push_back(Event{event, objects});
}

std::vector<const InFlightEvents::Event*> InFlightEvents::EventsSince(const Symbol& uid) const {
  auto found = pods_.find(uid);
  CHECK(found != pods_.end());
  std::vector<const Event*> events;
  for (auto entry = std::next(found->second); entry != entries_.end(); ++entry) {
    if (const auto* event = std::get_if<Event>(&*entry)) events.push_back(event);
  }
  return events;
}

void InFlightEvents::Done(const Symbol& uid) {
  auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  if (spare_.empty()) {
    spare_.splice(spare_.end(), entries_, found->second);
    spare_.front() = PodRef();
  } else {
    entries_.erase(found->second);
  }
  pods_.erase(found);
  while (!entries_.empty() && std::holds_alternative<Event>(entries_.front())) {
    entries_.pop_front();
  }
}

STOWAGE_COLD std::vector<PodRef> InFlightEvents::Pods() const {
  std::vector<PodRef> pods;
  for (const Entry& entry : entries_) {
    if (const auto* pod = std::get_if<PodRef>(&entry)) pods.push_back(*pod);
  }
  StableSort(&pods,
             [](const PodRef& a, const PodRef& b) { return a->metadata.uid < b->metadata.uid; });
  return pods;
}

STOWAGE_COLD std::map<std::string, int64_t> InFlightEvents::CountEvents() const {
  std::map<std::string, int64_t> counts;
  for (const Entry& entry : entries_) {
    if (const auto* event = std::get_if<Event>(&entry)) ++counts[event->event.Label()];
  }
  return counts;
}

}  // namespace stowage
