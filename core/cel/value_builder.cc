#include <algorithm>

#include "core/cel/value.h"
#include "core/cel/value_blocks.h"

namespace stowage::cel {
namespace {

constexpr uint32_t kCapacityMin = 4;
constexpr size_t kSizeMax = UINT32_MAX / sizeof(MapEntry);

Value Exceeded() { return Value::Error(kCostExceeded); }

uint64_t WeightOf(const Value& value) { return value.weight(); }
uint64_t WeightOf(const MapEntry& entry) { return entry.key.weight() + entry.value.weight(); }

// A block that holds `size` elements and has room for `capacity`; null without memory.
template <typename Block, typename Element>
Block* NewBlock(Arena& arena, std::span<const Element> elements, size_t capacity) {
  if (capacity > kSizeMax) return nullptr;
  void* place = arena.Allocate(sizeof(Block) + capacity * sizeof(Element));
  if (place == nullptr) return nullptr;
  auto* block = new (place) Block{};
  block->used = static_cast<uint32_t>(elements.size());
  block->capacity = static_cast<uint32_t>(capacity);
  block->weight = 1;
  for (const Element& element : elements) block->weight += WeightOf(element);
  std::copy(elements.begin(), elements.end(), reinterpret_cast<Element*>(block + 1));
  return block->weight <= kWeightMax ? block : nullptr;
}

bool KeyLess(const MapEntry& a, const MapEntry& b) {
  return CompareKeys(a.key, b.key) == Order::kLess;
}

bool IsKey(const Value& key) {
  return key.kind() >= Kind::kBool && key.kind() <= Kind::kString && key.kind() != Kind::kDouble;
}

}  // namespace

Value ValueBuilder::Joined(Arena& arena, Kind kind, std::initializer_list<std::string_view> parts) {
  size_t size = 0;
  for (std::string_view part : parts) size += part.size();
  auto* text = static_cast<char*>(arena.Allocate(size));
  if (text == nullptr) return Exceeded();
  char* at = text;
  for (std::string_view part : parts) at = std::copy(part.begin(), part.end(), at);
  return Value::Text(kind, {text, size});
}
Value ValueBuilder::String(Arena& arena, std::initializer_list<std::string_view> parts) {
  return Joined(arena, Kind::kString, parts);
}
Value ValueBuilder::Bytes(Arena& arena, std::initializer_list<std::string_view> parts) {
  return Joined(arena, Kind::kBytes, parts);
}
Value ValueBuilder::Error(Arena& arena, std::initializer_list<std::string_view> parts) {
  return Joined(arena, Kind::kError, parts);
}

Value ValueBuilder::List(Arena& arena, std::span<const Value> items) {
  auto* block = NewBlock<ListBlock>(arena, items, items.size());
  if (block == nullptr) return Exceeded();
  return {Kind::kList, block->used, block};
}

Value ValueBuilder::Concat(Arena& arena, Value list, std::span<const Value> items) {
  if (items.empty()) return list;
  auto* block = static_cast<ListBlock*>(const_cast<void*>(list.payload_.pointer));
  size_t size = list.size_ + items.size();
  bool has_room = list.size_ != 0 && block->used == list.size_ && size <= block->capacity;
  if (!has_room) {
    size_t capacity = std::max<size_t>(2 * size, kCapacityMin);
    block = NewBlock<ListBlock>(arena, list.items(), capacity);
    if (block == nullptr) return Exceeded();
  }
  std::copy(items.begin(), items.end(), block->items() + list.size_);
  block->used = static_cast<uint32_t>(size);
  for (const Value& item : items) block->weight += item.weight();
  if (block->weight > kWeightMax) return Exceeded();
  return {Kind::kList, block->used, block};
}

Value ValueBuilder::Map(Arena& arena, std::span<const MapEntry> entries) {
  auto* block = NewBlock<MapBlock>(arena, std::span<const MapEntry>(), entries.size());
  if (block == nullptr) return Exceeded();
  Value map = {Kind::kMap, 0, block};
  for (const MapEntry& entry : entries) {
    map = Insert(arena, map, entry);
    if (map.is_error()) return map;
  }
  return map;
}

Value ValueBuilder::MapWithDefault(Arena& arena, std::span<const MapEntry> entries, Value missing) {
  Value map = Map(arena, entries);
  if (map.is_error()) return map;
  auto* block = static_cast<MapBlock*>(const_cast<void*>(map.payload_.pointer));
  block->missing = arena.New<Value>(missing);
  return block->missing == nullptr ? Exceeded() : map;
}

Value ValueBuilder::Insert(Arena& arena, Value map, const MapEntry& entry) {
  if (!IsKey(entry.key)) return Value::Error("unsupported key type");
  auto* block = static_cast<MapBlock*>(const_cast<void*>(map.payload_.pointer));
  bool has_room = block != nullptr && block->used == map.size_ && block->used < block->capacity;
  if (!has_room) {
    size_t capacity = std::max<size_t>(2 * (size_t{map.size_} + 1), kCapacityMin);
    block = NewBlock<MapBlock>(arena, map.entries(), capacity);
    if (block == nullptr) return Exceeded();
  }
  MapEntry* end = block->entries() + map.size_;
  MapEntry* place = std::lower_bound(block->entries(), end, entry, KeyLess);
  if (place != end && CompareKeys(place->key, entry.key) == Order::kEqual) {
    place->value = entry.value;
  } else {
    std::copy_backward(place, end, end + 1);
    *place = entry;
    ++block->used;
  }
  block->weight += WeightOf(entry);
  if (block->weight > kWeightMax) return Exceeded();
  return {Kind::kMap, block->used, block};
}

Value ValueBuilder::Object(Arena& arena, std::string_view type_name,
                           std::span<const MapEntry> fields) {
  Value object = Map(arena, fields);
  if (object.is_error()) return object;
  static_cast<MapBlock*>(const_cast<void*>(object.payload_.pointer))->type_name = type_name;
  object.kind_ = Kind::kObject;
  return object;
}

Value ValueBuilder::Optional(Arena& arena, Value value) {
  if (value.weight() >= kWeightMax) return Exceeded();
  const Value* place = arena.New<Value>(value);
  if (place == nullptr) return Exceeded();
  return {Kind::kOptional, 0, place};
}

Value ValueBuilder::OfOpaque(Arena& arena, const OpaqueKind& kind, const void* data,
                             bool is_pointer) {
  const Opaque* opaque = arena.New<Opaque>(&kind, data, is_pointer);
  return opaque == nullptr ? Exceeded() : Value::OfOpaque(opaque);
}

}  // namespace stowage::cel
