#include "core/plugins/resource_notes.h"

#include "core/base/format.h"

namespace stowage {

ResourceNotes::ResourceNotes(std::string_view strategy, std::span<const Symbol> names,
                             ScoreNotes* notes)
    : names_(names), notes_(notes) {
  std::string list;
  for (const Symbol& name : names) list.append(list.empty() ? "" : ", ").append(name.view());
  notes_->AddOperand("{} over {}", {strategy, list.empty() ? "no resource of the node" : list});
}

void ResourceNotes::AddUncounted(const ResourceUse& use, std::string_view formula, int64_t score) {
  notes_->AddOperand("{}: requested {} + {} = {}; {} = {}",
                     {names_[next_].view(), use.allocated, use.requested - use.allocated,
                      use.requested, formula, score});
  ++next_;
}

void ResourceNotes::Add(const ResourceUse& use, std::string_view formula, int64_t score) {
  AddUncounted(use, formula, score);
  terms_ += Format("{}{} × {}", terms_.empty() ? "" : " + ", score, use.weight);
  weights_ += use.weight;
}

int64_t ResourceNotes::Mean(int64_t value) {
  if (terms_.empty()) {
    notes_->AddResult("no resource counts: {}", {value});
  } else {
    notes_->AddResult("({}) / {} = {}", {terms_, weights_, value});
  }
  return value;
}

}  // namespace stowage
