// ResourceNotes writes the notes of NodeResourcesFit's scoring strategies: one line for each
// resource, then their weighted mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/symbol.h"
#include "core/framework/score_notes.h"
#include "core/plugins/resource_allocation.h"

namespace stowage {

class ResourceNotes {
 public:
  // `names` are those of the scored resources, in their order.
  ResourceNotes(std::string_view strategy, std::span<const Symbol> names, ScoreNotes* notes);

  // Adds the line of the next resource with the formula of its score.
  void Add(const ResourceUse& use, std::string_view formula, int64_t score);
  // A resource that does not count in the mean.
  void AddUncounted(const ResourceUse& use, std::string_view formula, int64_t score);
  // Adds the line of the mean, and returns `value`.
  int64_t Mean(int64_t value);

 private:
  std::span<const Symbol> names_;
  ScoreNotes* notes_;
  size_t next_ = 0;
  std::string terms_;
  int64_t weights_ = 0;
};

}  // namespace stowage
