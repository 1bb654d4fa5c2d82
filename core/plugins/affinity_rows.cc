#include "core/plugins/affinity_rows.h"

namespace stowage {

std::span<const uint8_t> AffinityRows::UnmetBy(const Pod& pod, const NodeChunk& chunk) {
  // What is read within an evaluation would be void after it.
  if (chunk.table.evaluation() != 0) return {};
  Requirement* found = nullptr;
  for (const auto& one : known_) {
    if (one == nullptr || !one->IsOf(pod)) continue;
    found = one.get();
    break;
  }
  if (found == nullptr) {
    if (!chunk.is_consecutive) return {};
    auto& place = known_[next_++ % kMax];
    place = std::make_unique<Requirement>(pod);
    found = place.get();
  }
  found->Follow(chunk.table);
  return found->unmet;
}

bool AffinityRows::Requirement::IsOf(const Pod& pod) const {
  const std::optional<LabelMap>& labels = pod.spec.node_selector;
  bool has_same_labels = labels && node_selector ? labels->IsSame(*node_selector)
                                                 : labels.has_value() == node_selector.has_value();
  return has_same_labels && affinity.IsSame(pod.spec.affinity);
}

void AffinityRows::Requirement::Follow(const NodeTable& table) {
  RowReplay::Step step = replay.AdvanceNodes(table);
  auto read = [&](size_t row) {
    unmet[row] = required.Match(*table.info(row).node()).matches ? 0 : 1;
  };
  if (step == RowReplay::Step::kAll) {
    unmet.resize(table.size());
    for (size_t row = 0; row < table.size(); ++row) read(row);
  } else if (step != RowReplay::Step::kNothing) {
    if (step == RowReplay::Step::kMoved) replay.Move(&unmet, uint8_t{0}, [](uint8_t) {});
    for (uint32_t row : replay.rows(table)) read(row);
  }
}

}  // namespace stowage
