#include "core/framework/pod_sums.h"

namespace stowage {

void PodSums::Read(size_t row) {
  Share& share = shares_[row];
  live_[share.value] -= share.live;
  share = {column_->AtOrEmpty(row), static_cast<int32_t>(counts_->Live(row))};
  live_[share.value] += share.live;
}

void PodSums::Refresh(const NodeTable& table) {
  Bitset changed;
  RowReplay::Step step = replay_.Advance(table, &changed);
  if (step == RowReplay::Step::kNothing) return;
  if (step == RowReplay::Step::kRows) {
    live_.resize(column_->num_values());
    changed.ForEach([this](size_t row) { Read(row); });
    return;
  }
  shares_.assign(table.size(), {});
  live_.assign(column_->num_values(), 0);
  for (size_t row = 0; row < table.size(); ++row) Read(row);
}

}  // namespace stowage
