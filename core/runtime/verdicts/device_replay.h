// DeviceReplay follows devices for a reader that keeps verdicts by row: it reports which rows the
// reader must read again because devices changed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/runtime/framework.h"

namespace stowage {

class DeviceReplay {
 public:
  // False: every row must be read again.
  bool Advance(const Framework& framework);

  // After Advance returned true, until the next one: the rows, each once, ascending.
  std::span<const uint32_t> rows() const { return rows_; }
  // Adds `others`, which are ascending too.
  void Add(std::span<const uint32_t> others);

 private:
  uint64_t slices_ = 0;
  uint64_t classes_ = 0;
  uint64_t changes_ = 0;
  std::vector<uint32_t> rows_;
};

}  // namespace stowage
