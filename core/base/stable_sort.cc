#include "core/base/stable_sort.h"

#include <algorithm>
#include <numeric>

namespace stowage {

std::vector<size_t> StableOrder(size_t count, IsIndexBefore is_before, const void* context) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<size_t> merged(count);
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      size_t left = begin;
      size_t right = std::min(begin + width, count);
      size_t left_end = right;
      size_t right_end = std::min(right + width, count);
      for (size_t at = begin; at < right_end; ++at) {
        bool takes_right = right < right_end &&
                           (left == left_end || is_before(context, order[right], order[left]));
        merged[at] = order[takes_right ? right++ : left++];
      }
    }
    order.swap(merged);
  }
  return order;
}

}  // namespace stowage
