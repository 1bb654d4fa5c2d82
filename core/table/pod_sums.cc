#include "core/table/pod_sums.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"
#include "core/table/node_info.h"

namespace stowage {

void PodSums::CountLive(int64_t live, int change) {
  if (!is_ordered_) return;
  auto place = domains_by_live_.try_emplace(live, 0).first;
  place->second += static_cast<size_t>(change);
  if (place->second == 0) domains_by_live_.erase(place);
}

void PodSums::Add(const Share& share, int sign) {
  if (!share.is_counted) return;
  CHECK(share.value < domains_.size());
  Domain& domain = domains_[share.value];
  if (domain.rows > 0) CountLive(domain.live, -1);
  domain.live += sign * share.live;
  domain.all += sign * share.all;
  if (domain.rows == 0) ++num_domains_;
  domain.rows += sign;
  if (domain.rows == 0) --num_domains_;
  if (domain.rows > 0) CountLive(domain.live, 1);
  total_ += sign * share.all;
}

void PodSums::Read(const NodeTable& table, size_t row) {
  bool is_missing = column_->At(row) == TopologyColumn::kMissing;
  Share share{counts_->Live(row), is_missing ? 0 : counts_->All(row), column_->AtOrEmpty(row),
              filter_ == nullptr || filter_(*table.info(row).node())};
  SetShare(row, share);
}

void PodSums::ReadCounts(size_t row) {
  Share share = shares_[row];
  share.live = counts_->Live(row);
  share.all = column_->At(row) == TopologyColumn::kMissing ? 0 : counts_->All(row);
  SetShare(row, share);
}

void PodSums::SetShare(size_t row, const Share& share) {
  if (share == shares_[row]) return;
  Add(share, 1);
  Add(shares_[row], -1);
  shares_[row] = share;
}

void PodSums::ReadAll(const NodeTable& table) {
  shares_.assign(table.size(), {});
  domains_.assign(column_->num_values(), {});
  num_domains_ = 0;
  total_ = 0;
  is_ordered_ = false;
  domains_by_live_.clear();
  for (size_t row = 0; row < table.size(); ++row) Read(table, row);
  if (column_->num_values() <= kUnorderedMax) return;
  is_ordered_ = true;
  for (const Domain& domain : domains_) {
    if (domain.rows > 0) CountLive(domain.live, 1);
  }
}

void PodSums::Refresh(const NodeTable& table) {
  column_->Refresh(table);
  counts_->Refresh(table);
  const uint64_t nodes_head = table.node_changes().head();
  const bool are_nodes_same = std::exchange(nodes_head_, nodes_head) == nodes_head;
  const uint64_t cursor = std::exchange(counts_head_, counts_->head());
  auto read = [&](uint32_t row) { Read(table, row); };
  switch (replay_.Advance(table)) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kMoved:
      replay_.Move(&shares_, {}, [this](const Share& gone) { Add(gone, -1); });
      [[fallthrough]];
    case RowReplay::Step::kRows:
      // Nothing but the Node and the counts of a row affects its share.
      if (are_nodes_same &&
          counts_->ForEachChangeSince(cursor, [this](uint32_t row) { ReadCounts(row); })) {
        return;
      }
      domains_.resize(column_->num_values());
      std::ranges::for_each(replay_.rows(table), read);
      return;
    case RowReplay::Step::kAll:
      ReadAll(table);
  }
}

int64_t PodSums::MinLive() const {
  int64_t min = std::numeric_limits<int32_t>::max();
  if (is_ordered_) {
    return domains_by_live_.empty() ? min : std::min(min, domains_by_live_.begin()->first);
  }
  for (const Domain& domain : domains_) {
    if (domain.rows > 0) min = std::min(min, domain.live);
  }
  return min;
}

}  // namespace stowage
