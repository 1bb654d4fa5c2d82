#include "core/plugins/use_columns.h"

namespace stowage {

bool UseColumns::Add(const int64_t* allocatable, const int64_t* allocated, int64_t request,
                     int64_t weight) {
  bool is_in_range = request >= 0 && request < kMaxAmount && weight >= 0 && weight < kMaxAmount;
  if (size_ == kMax || !is_in_range) return false;
  auto& [of_allocatable, of_allocated] = copies_[size_];
  columns_[size_] = {Read(allocatable, &of_allocatable), Read(allocated, &of_allocated), request,
                     weight};
  ++size_;
  return true;
}

const int64_t* UseColumns::Read(const int64_t* column, Amounts* copy) const {
  if (chunk_.is_consecutive) return column + chunk_.rows[0];
  size_t count = chunk_.rows.size();
  for (size_t offset = 0; offset < count; ++offset) (*copy)[offset] = column[chunk_.rows[offset]];
  if (count < num_rows()) (*copy)[count] = (*copy)[count - 1];
  return copy->data();
}

}  // namespace stowage
