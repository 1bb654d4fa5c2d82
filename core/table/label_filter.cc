#include "core/table/label_filter.h"

#include <algorithm>

#include "core/base/cold.h"
#include "core/table/node_info.h"
#include "core/table/pod_counts.h"

namespace stowage {

// Symbols keep their identity while a pod on a node has them.
STOWAGE_COLD std::array<uint32_t, LabelFilter::kBitsOfLabel> LabelFilter::BitsOf(
    const Symbol& key, const Symbol& value) {
  auto hash = static_cast<uint32_t>(SymbolHash()(key) * 31 + SymbolHash()(value)) * 0x9e3779b1u;
  hash ^= hash >> 15;
  return {hash % kBits, hash / kBits % kBits};
}

// Only labels with one possible value are asked for: they select most workloads.
STOWAGE_COLD void LabelFilter::AddBitsOf(const Selector& selector, std::vector<uint32_t>* bits) {
  for (const Requirement& requirement : selector.requirements()) {
    if (requirement.op() != SelectorOperator::kIn || requirement.values().size() != 1) continue;
    for (uint32_t bit : BitsOf(requirement.key(), requirement.values()[0])) bits->push_back(bit);
  }
}

STOWAGE_COLD LabelFilter::Alternatives LabelFilter::AlternativesOf(const PodSelection& selection) {
  Alternatives alternatives(1);
  for (const PodMatcher& matcher : selection.matchers) {
    const bool is_further =
        selection.rule != PodSelection::Rule::kAll && &matcher != &selection.matchers.front();
    if (is_further) alternatives.emplace_back();
    AddBitsOf(matcher.selector, &alternatives.back());
  }
  return alternatives;
}

STOWAGE_COLD void LabelFilter::Read(const NodeTable& table, uint32_t row) {
  auto& bits = rows_[row];
  bits = {};
  for (const PodInfoRef& pod : table.info(row).pods()) {
    for (const auto& [key, value] : pod->pod->metadata.labels) {
      for (uint32_t bit : BitsOf(key, value)) {
        bits[bit / kWordBits] |= uint64_t{1} << (bit % kWordBits);
      }
    }
  }
}

STOWAGE_COLD void LabelFilter::Refresh(const NodeTable& table) {
  switch (replay_.Advance(table)) {
    case RowReplay::Step::kNothing:
      return;
    case RowReplay::Step::kMoved:
      replay_.Move(&rows_, {}, [](const auto&) {});
      [[fallthrough]];
    case RowReplay::Step::kRows:
      for (uint32_t row : replay_.rows(table)) Read(table, row);
      return;
    case RowReplay::Step::kAll:
      rows_.assign(table.size(), {});
      for (uint32_t row = 0; row < table.size(); ++row) Read(table, row);
  }
}

STOWAGE_COLD bool LabelFilter::MayHave(size_t row, const Alternatives& alternatives) const {
  return std::ranges::any_of(alternatives, [&](const auto& bits) { return HasAll(row, bits); });
}

STOWAGE_COLD bool LabelFilter::HasAll(size_t row, const std::vector<uint32_t>& bits) const {
  return std::ranges::all_of(bits, [&set = rows_[row]](uint32_t bit) {
    return (set[bit / kWordBits] >> (bit % kWordBits) & 1) != 0;
  });
}

}  // namespace stowage
