// NodeItems holds the nodes of a cache in the order of their last change, newest first.
//
// A node has a number as long as it exists, and its address does not change. Changes can be undone:
// while a savepoint exists, every change is logged, and Restore undoes the log. So a savepoint
// costs time and memory only for what changes after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/cache/image_states.h"
#include "core/table/node_info.h"
#include "core/table/pod_log.h"

namespace stowage {

class NodeItems {
 public:
  using Number = uint32_t;
  static constexpr Number kNone = 0xffffffff;

  struct Item {
    explicit Item(const Symbol& name = {}) : info(name) {}
    NodeInfo info;
    PodJournal pod_changes;  // since the snapshot's last refresh of `info`
    NodeImages images;
    uint64_t images_version = 0;  // of the summaries in `info`
  };
  // Savepoints nest: the latest one must be the first to be restored or released.
  struct Savepoint {
    size_t log_size = 0;
  };

  NodeItems() = default;
  // A copy has no savepoint.
  NodeItems(const NodeItems& other);
  NodeItems& operator=(NodeItems other) noexcept {
    std::swap(places_, other.places_);
    std::swap(links_, other.links_);
    std::swap(free_, other.free_);
    std::swap(head_, other.head_);
    std::swap(log_, other.log_);
    std::swap(num_savepoints_, other.num_savepoints_);
    return *this;
  }

  const Item& operator[](Number node) const { return places_[node].item; }
  // The item for writing.
  Item& Mutable(Number node) {
    if (num_savepoints_ > 0) KeepItem(node);
    return places_[node].item;
  }
  Number Add(const Symbol& name);
  void Remove(Number node);
  // Makes the node the one that was changed last.
  void MoveToFront(Number node);

  Number head() const { return head_; }  // kNone if there is no node
  Number Next(Number node) const { return links_[node].next; }
  // Larger than every number.
  Number end() const { return static_cast<Number>(links_.size()); }

  Savepoint Save();
  // Returns the nodes that have changed since.
  std::vector<Number> Restore(Savepoint savepoint);
  void Release(Savepoint savepoint);

 private:
  struct Place {
    Item item;
    uint32_t kept_at = 0;  // the number of savepoints when the item was last logged
  };
  // Apart from the items, because a change of one node writes the links of three others.
  struct Link {
    Number previous = kNone;
    Number next = kNone;
    bool is_linked = false;
  };
  // The state of a node before a change: its place in the order, or its item.
  struct Change {
    Number node;
    Number previous = kNone;
    bool was_linked = false;
    std::optional<Item> item = {};
    uint32_t kept_at = 0;
  };

  void KeepItem(Number node);
  void KeepPlace(Number node);
  void Unlink(Number node);
  void LinkAfter(Number previous, Number node);

  std::deque<Place> places_;  // by number
  std::vector<Link> links_;   // by number
  std::vector<Number> free_;
  Number head_ = kNone;
  std::vector<Change> log_;  // empty without savepoints
  uint32_t num_savepoints_ = 0;
};

}  // namespace stowage
