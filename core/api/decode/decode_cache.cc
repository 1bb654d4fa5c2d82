#include "core/api/decode/decode_cache.h"

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

DecodeCache* first_cache = nullptr;

}  // namespace

DecodeCache::DecodeCache() : next_cache_(std::exchange(first_cache, this)) {}

void DecodeCache::ForgetAll() {
  for (DecodeCache* cache = first_cache; cache != nullptr; cache = cache->next_cache_) {
    cache->entries_.fill(Entry());
    cache->blocks_used_ = 0;
    cache->ForgetValues();
  }
}

size_t DecodeCache::BlocksOf(size_t size) { return std::min(size / kBlockBytes, kBlocksMax); }

bool DecodeCache::IsNext(const Entry& entry, const JsonReader& reader) {
  std::string_view ahead = reader.Ahead();
  size_t size = entry.text.size();
  return size > 0 && size <= ahead.size() && entry.depth == reader.depth() &&
         entry.options == reader.options() && EqualBytes(ahead.data(), entry.text.data(), size);
}

bool DecodeCache::Read(JsonReader* reader, void* target) const {
  std::string_view ahead = reader->Ahead();
  size_t blocks_max = BlocksOf(ahead.size());
  uint64_t hash = 0;
  for (size_t blocks = 1; blocks <= blocks_max && blocks_used_ >> blocks != 0; ++blocks) {
    hash = HashOfBlock(hash, ahead.data() + (blocks - 1) * kBlockBytes);
    if ((blocks_used_ >> blocks & 1) == 0) continue;
    size_t first = hash % kBuckets * kWays;
    for (size_t place = first; place < first + kWays; ++place) {
      if (!IsNext(entries_[place], *reader)) continue;
      reader->Skip(entries_[place].text.size());
      CopyTo(place, target);
      return true;
    }
  }
  return false;
}

void DecodeCache::Add(const JsonReader& reader, size_t begin, const void* target) {
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
  Entry& entry = entries_[place];
  entry.text.assign(text);
  entry.depth = reader.depth();
  entry.options = reader.options();
  CopyFrom(target, place);
}

}  // namespace stowage
