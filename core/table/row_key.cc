#include "core/table/row_key.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/cold.h"

namespace stowage {

STOWAGE_COLD void RowKey::Add(Part part) {
  if (IsTooLong()) return;
  if (std::find(parts_.begin(), parts_.end(), part) == parts_.end()) {
    parts_.push_back(std::move(part));
  }
}

STOWAGE_COLD void RowKey::AddDomain(std::shared_ptr<PodSums> sums) {
  std::shared_ptr<TopologyColumn> column = sums->column();
  if (column->HasOneRowEach()) {
    AddHasKey(std::move(column));
    bool is_weighted = sums->counts()->selection().rule == PodSelection::Rule::kSum;
    Add({.kind = is_weighted ? Kind::kWeightedSum : Kind::kSum, .sums = std::move(sums)});
  } else {
    AddLabel(std::move(column));
  }
}

STOWAGE_COLD void RowKey::AddDomain(TopologyIndex* index, uint32_t term) {
  const std::shared_ptr<TopologyColumn>& column = index->Terms().entries()[term].column;
  if (column->HasOneRowEach()) {
    AddHasKey(column);
    Add({.kind = Kind::kTermPods, .column = column, .index = index, .term = term});
  } else {
    AddLabel(column);
  }
}

STOWAGE_COLD void RowKey::AddLabel(std::shared_ptr<TopologyColumn> column) {
  Add({.kind = Kind::kValue, .column = std::move(column)});
}

STOWAGE_COLD void RowKey::AddLivePods(std::shared_ptr<PodCounts> counts) {
  Add({.kind = Kind::kLivePods, .counts = std::move(counts)});
}

void RowKey::AddHasKey(std::shared_ptr<TopologyColumn> column) {
  Add({.kind = Kind::kHasKey, .column = std::move(column)});
}

STOWAGE_COLD bool RowKey::ReadsPods() const {
  return std::ranges::any_of(parts_, [](const Part& part) {
    return part.kind != Kind::kHasKey && part.kind != Kind::kValue;
  });
}

void RowKey::Refresh(const NodeTable& table) const {
  for (const Part& part : parts_) {
    if (part.column != nullptr) part.column->Refresh(table);
    if (part.sums != nullptr) part.sums->Refresh(table);
    if (part.counts != nullptr) part.counts->Refresh(table);
    if (part.index != nullptr) part.index->Terms();
  }
}

// All and Live of a sum become one number, because plugins read either.
void RowKey::Read(size_t row, int64_t* key) const {
  for (const Part& part : parts_) {
    switch (part.kind) {
      case Kind::kHasKey:
        *key++ = part.column->At(row) == TopologyColumn::kMissing ? 0 : 1;
        break;
      case Kind::kValue:
        *key++ = part.column->At(row);
        break;
      case Kind::kSum: {
        uint32_t value = part.sums->column()->AtOrEmpty(row);
        *key++ = part.sums->Live(value) << 32 | part.sums->All(value);
        break;
      }
      case Kind::kWeightedSum:
        *key++ = part.sums->All(part.sums->column()->AtOrEmpty(row));
        break;
      case Kind::kTermPods: {
        const ExistingTerms::Entry& entry = part.index->Terms().entries()[part.term];
        *key++ = entry.pods.At(part.column->At(row));
        break;
      }
      case Kind::kLivePods:
        *key++ = part.counts->Live(row);
        break;
    }
  }
}

}  // namespace stowage
