// The memory behind lists and maps: a block with room at its end, which later values may share.
// Private to value.cc and value_builder.cc.
//
// A value covers the first `size` elements of its block. As with slices of Go, adding to the value
// that covers all used elements writes into the block's room, and the earlier values stay as they
// are. So a comprehension builds a list of n elements with about 2n writes.
// `weight` is at least that of all values that share the block.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/cel/value.h"

namespace stowage::cel {

struct ListBlock {
  uint32_t used;
  uint32_t capacity;
  uint64_t weight;

  const Value* items() const { return reinterpret_cast<const Value*>(this + 1); }
  Value* items() { return reinterpret_cast<Value*>(this + 1); }
};

struct MapBlock {
  uint32_t used;
  uint32_t capacity;
  uint64_t weight;
  const Value* missing;        // what a lookup of an absent key returns; may be null
  std::string_view type_name;  // of an object

  const MapEntry* entries() const { return reinterpret_cast<const MapEntry*>(this + 1); }
  MapEntry* entries() { return reinterpret_cast<MapEntry*>(this + 1); }
};
static_assert(sizeof(MapBlock) % 8 == 0 && sizeof(ListBlock) == 16);

struct ValueBlocks {
  // The block of a list, a map or an object; null if it has none.
  static const void* Of(const Value& value) { return value.payload_.pointer; }
};

// The order of the entries of a map; kNoOverload or kUnordered if a key cannot be one.
Order CompareKeys(const Value& a, const Value& b);
// The entry of the key itself, or null.
const MapEntry* FindEntry(const Value& map, const Value& key);

}  // namespace stowage::cel
