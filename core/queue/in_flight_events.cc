#include "core/queue/in_flight_events.h"

#include <iterator>

#include "core/base/check.h"

namespace stowage {

bool InFlightEvents::AddPod(const PodRef& pod) {
  if (Contains(pod->metadata.uid)) return false;
  pods_[pod->metadata.uid] = entries_.insert(entries_.end(), pod);
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
  entries_.erase(found->second);
  pods_.erase(found);
  while (!entries_.empty() && std::holds_alternative<Event>(entries_.front())) {
    entries_.pop_front();
  }
}

std::vector<PodRef> InFlightEvents::Pods() const {
  std::vector<PodRef> pods;
  for (const auto& [uid, entry] : pods_) pods.push_back(std::get<PodRef>(*entry));
  return pods;
}

std::map<std::string, int64_t> InFlightEvents::CountEvents() const {
  std::map<std::string, int64_t> counts;
  for (const Entry& entry : entries_) {
    if (const auto* event = std::get_if<Event>(&entry)) ++counts[event->event.Label()];
  }
  return counts;
}

}  // namespace stowage
