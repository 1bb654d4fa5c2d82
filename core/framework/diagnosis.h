// NodeToStatus, Diagnosis and FitError's message: why a pod fits on no node.
// Counterparts: framework.NodeToStatus, framework.Diagnosis, framework.FitError, v1.36; spec 05
// §10.1.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/api/shared.h"
#include "core/framework/status.h"

namespace stowage {

// The refusals of nodes by snapshot row. Equal statuses are stored once, unless there are very many
// different ones, so that counting reasons over thousands of rows costs one addition each.
class NodeToStatus {
 public:
  // A status number: 0 means that the row has no status of its own, k is distinct()[k - 1].
  using Id = uint32_t;

  NodeToStatus() = default;
  explicit NodeToStatus(size_t rows) : ids_(std::vector<Id>(rows, 0)) {}
  // By row: 0 for no status, k for statuses[k - 1]. No two statuses are equal.
  NodeToStatus(std::span<const uint8_t> verdicts, const std::vector<Status>& statuses);

  // Success removes the row's own status.
  void Set(size_t row, const Status& status);
  // The row's own status, else the absent status.
  const Status& Get(size_t row) const;
  bool HasOwn(size_t row) const { return ids_[row] != 0; }
  Id id(size_t row) const { return ids_[row]; }
  size_t rows() const { return ids_.size(); }
  // Number of rows with a status of their own.
  size_t own_count() const { return own_count_; }
  const std::vector<Status>& distinct() const { return distinct_; }
  // Number of rows with distinct()[index].
  size_t CountOf(size_t index) const { return counts_[index]; }

  // The status of every row without its own; UnschedulableAndUnresolvable without reasons, unless
  // PreFilter set another one.
  const Status& absent_status() const { return absent_status_; }
  void set_absent_status(Status status) { absent_status_ = std::move(status); }

  // Adds the number of nodes with each reason to `histogram`: own statuses, then the absent status
  // for the rest of `total` nodes.
  void CountReasons(size_t total, std::map<Symbol, size_t>* histogram) const;

 private:
  Id IdOf(const Status& status);

  SharedList<Id> ids_;  // shared, because a decision copies what its entry keeps
  std::vector<Status> distinct_;
  std::vector<size_t> counts_;  // rows per distinct status
  size_t own_count_ = 0;
  Status absent_status_ = Status::WithoutReasons(Code::kUnschedulableAndUnresolvable);
};

struct Diagnosis {
  NodeToStatus node_to_status;
  std::set<Symbol> unschedulable_plugins;
  std::set<Symbol> pending_plugins;
  std::string pre_filter_msg;
  std::string post_filter_msg;
  // The PreFilter plugin's status if it refused the pod on all nodes.
  Status pre_filter_status;

  // Records the plugin of the status, for FitError and the queue.
  void AddPluginStatus(const Status& status);
  // For an attempt that ends in an error: no plugin counts as rejecting the pod, even if some
  // refused nodes.
  void ForgetPlugins() {
    unschedulable_plugins.clear();
    pending_plugins.clear();
  }
};

// FitError's message: "0/5 nodes are available: …".
std::string FitErrorMessage(size_t num_all_nodes, const Diagnosis& diagnosis);

}  // namespace stowage
