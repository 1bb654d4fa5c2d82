#include "core/api/decode/known_texts.h"

#include <utility>

#include "core/base/equal_bytes.h"

namespace stowage {
namespace {

size_t BucketOf(std::string_view text, size_t buckets) {
  uint32_t hash = 0;
  for (char c : text.substr(0, KnownTexts::kTextBytesMin))
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x01000193;
  return (hash >> 16) % buckets;
}

KnownTexts* first_of_all = nullptr;

}  // namespace

KnownTexts::KnownTexts() : following_(std::exchange(first_of_all, this)) {}

void KnownTexts::ForgetAll() {
  for (KnownTexts* texts = first_of_all; texts != nullptr; texts = texts->following_) {
    texts->known_.fill(Known());
    texts->ForgetValues();
  }
}

bool KnownTexts::Take(JsonReader* reader, void* target) const {
  std::string_view ahead = reader->Ahead();
  size_t first = BucketOf(ahead, kBuckets) * kWays;
  for (size_t place = first; place < first + kWays; ++place) {
    const Known& known = known_[place];
    size_t size = known.text.size();
    bool is_it = size > 0 && size <= ahead.size() && known.depth == reader->depth() &&
                 known.options == reader->options() &&
                 EqualBytes(ahead.data(), known.text.data(), size);
    if (!is_it) continue;
    reader->Pass(size);
    CopyTo(place, target);
    return true;
  }
  return false;
}

void KnownTexts::Keep(const JsonReader& reader, size_t begin, const void* target) {
  std::string_view text = reader.TextSince(begin);
  if (text.size() < kTextBytesMin || text.size() > kTextBytesMax) return;
  size_t bucket = BucketOf(text, kBuckets);
  uint8_t& way = next_[bucket];
  size_t place = bucket * kWays + way;
  way = static_cast<uint8_t>((way + 1) % kWays);
  Known& known = known_[place];
  known.text.assign(text);
  known.depth = reader.depth();
  known.options = reader.options();
  CopyFrom(target, place);
}

}  // namespace stowage
