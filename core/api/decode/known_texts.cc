#include "core/api/decode/known_texts.h"

#include <algorithm>
#include <utility>

#include "core/base/equal_bytes.h"

namespace stowage {
namespace {

uint64_t HashOfBlock(uint64_t hash, const char* block) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15u;
  hash = (hash ^ LoadAs<uint64_t>(block)) * kMultiplier;
  hash ^= hash >> 32;
  hash = (hash ^ LoadAs<uint64_t>(block + sizeof(uint64_t))) * kMultiplier;
  return hash ^ hash >> 32;
}

KnownTexts* first_of_all = nullptr;

}  // namespace

KnownTexts::KnownTexts() : following_(std::exchange(first_of_all, this)) {}

void KnownTexts::ForgetAll() {
  for (KnownTexts* texts = first_of_all; texts != nullptr; texts = texts->following_) {
    texts->known_.fill(Known());
    texts->blocks_used_ = 0;
    texts->ForgetValues();
  }
}

size_t KnownTexts::BlocksOf(size_t size) { return std::min(size / kBlockBytes, kBlocksMax); }

bool KnownTexts::IsAhead(const Known& known, const JsonReader& reader) {
  std::string_view ahead = reader.Ahead();
  size_t size = known.text.size();
  return size > 0 && size <= ahead.size() && known.depth == reader.depth() &&
         known.options == reader.options() && EqualBytes(ahead.data(), known.text.data(), size);
}

bool KnownTexts::Take(JsonReader* reader, void* target) const {
  std::string_view ahead = reader->Ahead();
  size_t blocks_max = BlocksOf(ahead.size());
  uint64_t hash = 0;
  for (size_t blocks = 1; blocks <= blocks_max && blocks_used_ >> blocks != 0; ++blocks) {
    hash = HashOfBlock(hash, ahead.data() + (blocks - 1) * kBlockBytes);
    if ((blocks_used_ >> blocks & 1) == 0) continue;
    size_t first = hash % kBuckets * kWays;
    for (size_t place = first; place < first + kWays; ++place) {
      if (!IsAhead(known_[place], *reader)) continue;
      reader->Pass(known_[place].text.size());
      CopyTo(place, target);
      return true;
    }
  }
  return false;
}

void KnownTexts::Keep(const JsonReader& reader, size_t begin, const void* target) {
  std::string_view text = reader.TextSince(begin);
  if (text.size() < kTextBytesMin || text.size() > kTextBytesMax) return;
  size_t blocks = BlocksOf(text.size());
  uint64_t hash = 0;
  for (size_t at = 0; at < blocks; ++at) hash = HashOfBlock(hash, text.data() + at * kBlockBytes);
  size_t bucket = hash % kBuckets;
  uint8_t& way = next_[bucket];
  size_t place = bucket * kWays + way;
  way = static_cast<uint8_t>((way + 1) % kWays);
  blocks_used_ |= uint32_t{1} << blocks;
  Known& known = known_[place];
  known.text.assign(text);
  known.depth = reader.depth();
  known.options = reader.options();
  CopyFrom(target, place);
}

}  // namespace stowage
