#include "core/framework/pod_counts.h"

#include <algorithm>

#include "core/framework/node_info.h"

namespace stowage {

bool PodMatcher::Matches(const Pod& pod) const {
  const Symbol& namespace_ = pod.metadata.namespace_;
  bool is_of_namespace = all_namespaces || std::find(namespaces.begin(), namespaces.end(),
                                                     namespace_) != namespaces.end();
  return is_of_namespace && selector.Matches(pod.metadata.labels);
}

std::string PodMatcher::CanonicalKey() const {
  std::vector<Symbol> sorted = namespaces;
  std::sort(sorted.begin(), sorted.end());
  std::string key = all_namespaces ? "*" : "";
  for (const Symbol& name : sorted) {
    key += name.view();
    key += ',';
  }
  key += '\n';
  key += selector.CanonicalKey();
  return key;
}

bool PodCounts::Matches(const Pod& pod) const {
  return std::all_of(matchers_.begin(), matchers_.end(),
                     [&pod](const PodMatcher& matcher) { return matcher.Matches(pod); });
}

PodCounts::Count PodCounts::CountOf(const NodeInfo& node) const {
  Count count;
  for (const PodInfoRef& info : node.pods()) {
    if (!Matches(*info->pod)) continue;
    ++count.all;
    if (!info->pod->metadata.deletion_timestamp) ++count.live;
  }
  return count;
}

void PodCounts::Read(const NodeInfo& node, Count* count) {
  total_ -= count->all;
  *count = CountOf(node);
  total_ += count->all;
}

void PodCounts::Add(const Pod& pod, int change, Count* count) {
  if (!Matches(pod)) return;
  count->all += change;
  if (!pod.metadata.deletion_timestamp) count->live += change;
  total_ += change;
}

int64_t PodCounts::LiveOn(const NodeInfo& node) const { return CountOf(node).live; }

void PodCounts::Refresh(const NodeTable& table) {
  uint64_t cursor = std::exchange(log_head_, table.pod_log().head());
  auto add = [this](const PodLog::Entry& entry) {
    Add(*entry.change.pod->pod, entry.change.is_added ? 1 : -1, &counts_[entry.row]);
  };
  switch (replay_.Advance(table)) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kMoved:
      replay_.Move(&counts_, {}, [this](const Count& gone) { total_ -= gone.all; });
      [[fallthrough]];
    case RowReplay::Step::kRows:
      if (table.pod_log().ForEachSince(cursor, add)) return;
      for (uint32_t row : replay_.rows()) Read(table.info(row), &counts_[row]);
      return;
    case RowReplay::Step::kAll:
      counts_.assign(table.size(), {});
      total_ = 0;
      for (size_t row = 0; row < table.size(); ++row) Read(table.info(row), &counts_[row]);
  }
}

}  // namespace stowage
