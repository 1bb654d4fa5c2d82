#include "core/table/pod_counts.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/cold.h"
#include "core/base/stable_sort.h"
#include "core/table/node_info.h"

namespace stowage {

bool PodMatcher::Matches(const Pod& pod) const {
  const Symbol& namespace_ = pod.metadata.namespace_;
  bool is_of_namespace = all_namespaces || std::find(namespaces.begin(), namespaces.end(),
                                                     namespace_) != namespaces.end();
  return is_of_namespace && selector.Matches(pod.metadata.labels);
}

std::string PodMatcher::CanonicalKey() const {
  std::vector<Symbol> sorted = namespaces;
  if (!std::is_sorted(sorted.begin(), sorted.end())) StableSort(&sorted);
  std::string key = all_namespaces ? "*" : "";
  for (const Symbol& name : sorted) {
    key += name.view();
    key += ',';
  }
  key += '\n';
  key += selector.CanonicalKey();
  return key;
}

int64_t PodSelection::AmountOf(const Pod& pod) const {
  if (matchers.size() == 1 && rule != Rule::kSum) return matchers.front().Matches(pod) ? 1 : 0;
  auto matches = [&pod](const PodMatcher& matcher) { return matcher.Matches(pod); };
  if (rule == Rule::kAll) return std::all_of(matchers.begin(), matchers.end(), matches) ? 1 : 0;
  if (rule == Rule::kAny) return std::any_of(matchers.begin(), matchers.end(), matches) ? 1 : 0;
  int64_t sum = 0;
  for (size_t at = 0; at < matchers.size(); ++at) {
    if (matches(matchers[at])) sum += weights[at];
  }
  return sum;
}

std::string PodSelection::CanonicalKey() const {
  std::string key(1, static_cast<char>('a' + static_cast<int>(rule)));
  for (size_t at = 0; at < matchers.size(); ++at) {
    if (rule == Rule::kSum) key += std::to_string(weights[at]) + ',';
    key += matchers[at].CanonicalKey();
    key += '\0';
  }
  return key;
}

PodCounts::Count PodCounts::CountOf(const NodeInfo& node) const {
  Count count;
  for (const PodInfoRef& info : node.pods()) {
    int64_t amount = selection_.AmountOf(*info->pod);
    count.all += amount;
    if (!info->pod->metadata.deletion_timestamp) count.live += amount;
  }
  return count;
}

void PodCounts::Read(const NodeInfo& node, uint32_t row) {
  Count& count = counts_[row];
  total_ -= count.all;
  count = CountOf(node);
  total_ += count.all;
  NoteChange(row);
}

int64_t PodCounts::AmountOf(const PodLog::Entry& entry) {
  Known& known = known_[entry.kind % PodKinds::kPlaces];
  if (known.kind != entry.kind) {
    known = {entry.kind, selection_.AmountOf(*entry.change.pod->pod)};
  }
  return known.amount;
}

void PodCounts::Add(const PodLog::Entry& entry, uint32_t row) {
  int64_t amount = AmountOf(entry);
  if (amount == 0) return;
  const Pod& pod = *entry.change.pod->pod;
  if (!entry.change.is_added) amount = -amount;
  Count& count = counts_[row];
  count.all += amount;
  if (!pod.metadata.deletion_timestamp) count.live += amount;
  total_ += amount;
  NoteChange(row);
}

STOWAGE_COLD void PodCounts::FollowKinds(const PodLog& log) {
  kinds_ = log.kinds();
  known_.clear();
  known_.resize(PodKinds::kPlaces);
}

int64_t PodCounts::LiveOn(const NodeInfo& node) const { return CountOf(node).live; }

void PodCounts::ReadAll(const NodeTable& table, const LabelFilter* filter) {
  counts_.assign(table.size(), {});
  total_ = 0;
  const LabelFilter::Alternatives alternatives = LabelFilter::AlternativesOf(selection_);
  for (uint32_t row = 0; row < table.size(); ++row) {
    if (filter == nullptr || filter->MayHave(row, alternatives)) Read(table.info(row), row);
  }
  ForgetChanges();
}

void PodCounts::Refresh(const NodeTable& table, const LabelFilter* filter) {
  uint64_t cursor = std::exchange(log_head_, table.pod_log().head());
  if (kinds_ != table.pod_log().kinds()) FollowKinds(table.pod_log());
  auto add = [this](uint32_t row, const PodLog::Entry& entry) { Add(entry, row); };
  auto read = [&](uint32_t row) { Read(table.info(row), row); };
  switch (replay_.Advance(table)) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kMoved:
      ForgetChanges();
      replay_.Move(&counts_, {}, [this](const Count& gone) { total_ -= gone.all; });
      [[fallthrough]];
    case RowReplay::Step::kRows:
      if (!table.ReplayPods(cursor, add, read)) std::ranges::for_each(replay_.rows(table), read);
      return;
    case RowReplay::Step::kAll:
      ReadAll(table, filter);
  }
}

}  // namespace stowage
