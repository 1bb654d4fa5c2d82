#include "core/framework/diagnosis.h"

#include <array>

#include "core/base/check.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"

namespace stowage {
namespace {

constexpr size_t kSearchMax = 256;

}  // namespace

NodeToStatus::NodeToStatus(std::span<const uint8_t> verdicts, const std::vector<Status>& statuses)
    : NodeToStatus(verdicts.size()) {
  std::array<size_t, 256> counts{};
  for (uint8_t verdict : verdicts) ++counts[verdict];
  std::array<Id, 256> ids{};
  for (size_t index = 0; index < statuses.size(); ++index) {
    size_t count = counts[index + 1];
    if (count == 0) continue;
    distinct_.push_back(statuses[index]);
    counts_.push_back(count);
    own_count_ += count;
    ids[index + 1] = static_cast<Id>(distinct_.size());
  }
  if (verdicts.empty()) return;
  std::vector<Id>& by_row = ids_.Mutable();
  for (size_t row = 0; row < verdicts.size(); ++row) by_row[row] = ids[verdicts[row]];
}

NodeToStatus::Id NodeToStatus::IdOf(const Status& status) {
  // Searches the newest statuses first and only up to a limit, because extenders may give every
  // node its own message.
  size_t oldest = distinct_.size() > kSearchMax ? distinct_.size() - kSearchMax : 0;
  for (size_t index = distinct_.size(); index > oldest; --index) {
    if (distinct_[index - 1] == status) return static_cast<Id>(index);
  }
  distinct_.push_back(status);
  counts_.push_back(0);
  return static_cast<Id>(distinct_.size());
}

void NodeToStatus::Set(size_t row, const Status& status) {
  CHECK(row < ids_.size());
  Id& id = ids_.Mutable()[row];
  if (id != 0) {
    --counts_[id - 1];
    --own_count_;
  }
  id = status.IsSuccess() ? 0 : IdOf(status);
  if (id == 0) return;
  ++counts_[id - 1];
  ++own_count_;
}

const Status& NodeToStatus::Get(size_t row) const {
  CHECK(row < ids_.size());
  return ids_[row] == 0 ? absent_status_ : distinct_[ids_[row] - 1];
}

void NodeToStatus::CountReasons(size_t total, std::map<Symbol, size_t>* histogram) const {
  for (size_t index = 0; index < distinct_.size(); ++index) {
    if (counts_[index] == 0) continue;
    for (const Symbol& reason : distinct_[index].reasons()) (*histogram)[reason] += counts_[index];
  }
  if (own_count_ >= total) return;
  for (const Symbol& reason : absent_status_.reasons()) {
    (*histogram)[reason] += total - own_count_;
  }
}

void Diagnosis::AddPluginStatus(const Status& status) {
  if (status.plugin().empty() || !status.IsRejected()) return;
  unschedulable_plugins.insert(status.plugin());
  if (status.code() == Code::kPending) pending_plugins.insert(status.plugin());
}

std::string FitErrorMessage(size_t num_all_nodes, const Diagnosis& diagnosis) {
  std::string message = Format("0/{} nodes are available:", num_all_nodes);
  if (!diagnosis.pre_filter_msg.empty()) {
    message += Format(" {}.", diagnosis.pre_filter_msg);
  } else {
    std::map<Symbol, size_t> histogram;
    diagnosis.node_to_status.CountReasons(num_all_nodes, &histogram);
    std::vector<std::string> lines;
    for (const auto& [reason, count] : histogram) {
      lines.push_back(Format("{} {}", count, reason.view()));
    }
    StableSort(&lines);
    if (!lines.empty()) message += Format(" {}.", Join(lines, ", "));
  }
  if (!diagnosis.post_filter_msg.empty()) message += " " + diagnosis.post_filter_msg;
  return message;
}

}  // namespace stowage
