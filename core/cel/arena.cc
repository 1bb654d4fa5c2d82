#include "core/cel/arena.h"

#include <algorithm>
#include <cstring>

namespace stowage::cel {

Arena::~Arena() {
  for (const Owned& owned : owned_) owned.destroy(owned.object);
}

void* Arena::Allocate(size_t bytes) {
  if (bytes > bytes_left_) is_exhausted_ = true;
  if (is_exhausted_) return nullptr;
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  bytes_left_ -= std::min(bytes, bytes_left_);
  if (bytes > block_left_) {
    size_t block = std::max(bytes, std::min(kBlockBytes << std::min<size_t>(blocks_.size(), 5),
                                            bytes_left_ / kAlignment * kAlignment + bytes));
    blocks_.emplace_back(new uint64_t[block / kAlignment]);
    at_ = reinterpret_cast<char*>(blocks_.back().get());
    block_left_ = block;
  }
  void* place = at_;
  at_ += bytes;
  block_left_ -= bytes;
  return place;
}

std::string_view Arena::Copy(std::string_view text) {
  auto* place = static_cast<char*>(Allocate(text.size()));
  if (place == nullptr) return {};
  std::memcpy(place, text.data(), text.size());
  return {place, text.size()};
}

}  // namespace stowage::cel
