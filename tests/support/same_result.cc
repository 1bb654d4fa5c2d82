#include "tests/support/same_result.h"

#include <fmt/format.h>

namespace stowage {
namespace {

std::string Text(const Status& status) {
  return fmt::format("{} {} ({})", CodeName(status.code()), status.Message(),
                     status.plugin().view());
}

std::string CompareNodeStatuses(const NodeToStatus& actual, const NodeToStatus& want) {
  if (actual.rows() != want.rows()) return "statuses of other rows";
  for (size_t row = 0; row < want.rows(); ++row) {
    if (actual.Get(row) == want.Get(row)) continue;
    return fmt::format("row {}: {}, not {}", row, Text(actual.Get(row)), Text(want.Get(row)));
  }
  return "";
}

std::string ComparePreemptions(const std::optional<PreemptionReport>& actual,
                               const std::optional<PreemptionReport>& want) {
  if (actual.has_value() != want.has_value()) return "one of them preempted";
  if (!want) return "";
  if (actual->selected.has_value() != want->selected.has_value()) return "one found victims";
  if (actual->admissible_nodes != want->admissible_nodes) return "other admissible nodes";
  if (actual->dry_runs.size() != want->dry_runs.size()) return "other dry runs";
  if (actual->message != want->message) return actual->message + ", not " + want->message;
  if (!want->selected) return "";
  if (actual->selected->node != want->selected->node) return "victims on another node";
  // Both point to the snapshot's own pods.
  return actual->selected->pods == want->selected->pods ? "" : "other victims";
}

}  // namespace

std::string CompareResults(const ScheduleResult& actual, const ScheduleResult& want) {
  auto differ = [](std::string_view what, std::string_view one, std::string_view other) {
    return fmt::format("{}: \"{}\", not \"{}\"", what, one, other);
  };
  if (actual.status != want.status) return differ("status", Text(actual.status), Text(want.status));
  if (actual.host != want.host) return differ("host", actual.host.view(), want.host.view());
  if (actual.hint != want.hint) return differ("hint", actual.hint.view(), want.hint.view());
  if (actual.message != want.message) return differ("message", actual.message, want.message);
  if (actual.evaluated_nodes != want.evaluated_nodes ||
      actual.feasible_nodes != want.feasible_nodes) {
    return fmt::format("{} of {} nodes feasible, not {} of {}", actual.feasible_nodes,
                       actual.evaluated_nodes, want.feasible_nodes, want.evaluated_nodes);
  }
  if (actual.nominated_node_name != want.nominated_node_name) return "nominations differ";
  if (want.status.IsSuccess()) return "";
  if (actual.diagnosis.unschedulable_plugins != want.diagnosis.unschedulable_plugins) {
    return "unschedulable plugins differ";
  }
  std::string difference =
      CompareNodeStatuses(actual.diagnosis.node_to_status, want.diagnosis.node_to_status);
  return difference.empty() ? ComparePreemptions(actual.preemption, want.preemption) : difference;
}

}  // namespace stowage
