#include "core/cache/node_items.h"

#include "core/base/check.h"
#include "core/base/cold.h"

namespace stowage {

NodeItems::NodeItems(const NodeItems& other)
    : places_(other.places_), links_(other.links_), free_(other.free_), head_(other.head_) {
  if (other.num_savepoints_ == 0) return;
  for (Place& place : places_) place.kept_at = 0;
}

NodeItems::Number NodeItems::Add(const Symbol& name) {
  if (free_.empty()) {
    free_.push_back(end());
    places_.emplace_back();
    links_.emplace_back();
  }
  Number node = free_.back();
  free_.pop_back();
  Mutable(node) = Item(name);
  MoveToFront(node);
  return node;
}

// The number may be given to another node at once: the log restores the item before its place.
void NodeItems::Remove(Number node) {
  KeepPlace(node);
  Unlink(node);
  Mutable(node) = Item();
  free_.push_back(node);
}

void NodeItems::MoveToFront(Number node) {
  if (head_ == node) return;
  KeepPlace(node);
  if (links_[node].is_linked) Unlink(node);
  LinkAfter(kNone, node);
}

void NodeItems::Unlink(Number node) {
  Link& link = links_[node];
  if (link.previous != kNone) links_[link.previous].next = link.next;
  if (link.next != kNone) links_[link.next].previous = link.previous;
  if (head_ == node) head_ = link.next;
  link = Link();
}

// kNone: at the front.
void NodeItems::LinkAfter(Number previous, Number node) {
  Number& next = previous == kNone ? head_ : links_[previous].next;
  links_[node] = {previous, next, true};
  if (next != kNone) links_[next].previous = node;
  next = node;
}

void NodeItems::KeepPlace(Number node) {
  if (num_savepoints_ == 0) return;
  log_.push_back({node, links_[node].previous, links_[node].is_linked});
}

// Once per savepoint is enough: Restore undoes the log from its end.
void NodeItems::KeepItem(Number node) {
  Place& place = places_[node];
  if (place.kept_at == num_savepoints_) return;
  log_.push_back({node, kNone, false, place.item, place.kept_at});
  place.kept_at = num_savepoints_;
}

NodeItems::Savepoint NodeItems::Save() {
  ++num_savepoints_;
  return {log_.size()};
}

STOWAGE_COLD std::vector<NodeItems::Number> NodeItems::Restore(Savepoint savepoint) {
  CHECK(num_savepoints_ > 0 && savepoint.log_size <= log_.size());
  std::vector<Number> changed;
  for (; log_.size() > savepoint.log_size; log_.pop_back()) {
    Change& change = log_.back();
    if (change.item) {
      Place& place = places_[change.node];
      place.item = std::move(*change.item);
      place.kept_at = change.kept_at;
      changed.push_back(change.node);
      continue;
    }
    // Undone from its end, the log frees numbers and takes them in the reverse order.
    const bool is_linked = links_[change.node].is_linked;
    if (is_linked && !change.was_linked) free_.push_back(change.node);
    if (!is_linked && change.was_linked) {
      CHECK(free_.back() == change.node);
      free_.pop_back();
    }
    if (is_linked) Unlink(change.node);
    if (change.was_linked) LinkAfter(change.previous, change.node);
  }
  --num_savepoints_;
  return changed;
}

// The log then belongs to the savepoint before.
STOWAGE_COLD void NodeItems::Release(Savepoint savepoint) {
  CHECK(num_savepoints_ > 0 && savepoint.log_size <= log_.size());
  --num_savepoints_;
  for (size_t at = savepoint.log_size; at < log_.size(); ++at) {
    uint32_t& kept_at = places_[log_[at].node].kept_at;
    if (log_[at].item) kept_at = num_savepoints_;
  }
  if (num_savepoints_ == 0) log_.clear();
}

}  // namespace stowage
