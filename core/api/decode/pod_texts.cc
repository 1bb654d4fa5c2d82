#include "core/api/decode/pod_texts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/api/decode/byte_match.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/schema_decoder.h"
#include "core/base/cold.h"

namespace stowage {
namespace {

// The number of equal bytes at the start of two texts.
size_t CommonSize(std::string_view a, std::string_view b) {
  size_t size = std::min(a.size(), b.size());
  auto other = [&a, &b](size_t at) { return LoadWord(a.data() + at) ^ LoadWord(b.data() + at); };
  size_t at = 0;
  while (at + 2 * kWordSize <= size && (other(at) | other(at + kWordSize)) == 0)
    at += 2 * kWordSize;
  for (; at + kWordSize <= size; at += kWordSize) {
    if (uint64_t bits = other(at); bits != 0) return at + FirstMatch(bits);
  }
  while (at < size && a[at] == b[at]) ++at;
  return at;
}

// Whether a value that is decoded anew leaves nothing of the one before it, unless it is null.
bool IsReplaced(const TypeInfo& type) {
  return type.kind <= TypeKind::kDuration || type.clear != nullptr;
}

// Not by an assignment, which the module contains for nothing else.
void Replace(Pod* pod, const Pod& other) {
  std::destroy_at(pod);
  std::construct_at(pod, other);
}

// Finds the members of a pod's text, which has been decoded.
template <typename Member>
class MemberFinder {
 public:
  MemberFinder(std::string_view text, std::vector<Member>* members)
      : reader_(text, {}), members_(*members) {}

  // `type`: what is decoded of the text. `key`: of the member whose value comes first, if its name
  // is not in the text. Returns false if a member cannot be decoded on its own.
  bool Find(const TypeInfo& type, std::string_view key) {
    bool has = !key.empty() || reader_.NextMember(&key);
    return FindIn(type, nullptr, has, key);
  }

 private:
  STOWAGE_COLD bool FindIn(const TypeInfo& type, const FieldInfo* part, bool has,
                           std::string_view key) {
    uint64_t seen = 0;
    for (; has; has = reader_.NextMember(&key)) {
      const FieldInfo* field = type.Find(key);
      if (field != nullptr) {
        uint64_t bit = uint64_t{1} << (field - type.fields);
        // The values of equal names add up.
        if ((seen & bit) != 0) return false;
        seen |= bit;
      }
      char first = reader_.Peek();
      if (part == nullptr && field != nullptr && field->type->kind == TypeKind::kObject) {
        if (first != '{') return false;
        bool has_inner = reader_.EnterObject(&key);
        if (!FindIn(*field->type, field, has_inner, key)) return false;
        continue;
      }
      if (field != nullptr && !IsReplaced(*field->type)) return false;
      size_t begin = reader_.offset();
      reader_.SkipValue();
      members_.push_back({begin, reader_.offset(), part, field});
    }
    return true;
  }

  JsonReader reader_;
  std::vector<Member>& members_;
};

}  // namespace

PodTexts& PodTexts::Get(bool is_deleted) {
  static auto* texts = new PodTexts[2]{PodTexts(PodType()), PodTexts(DeletedPodType())};
  return texts[is_deleted ? 1 : 0];
}

STOWAGE_COLD void PodTexts::ForgetAll() {
  for (bool is_deleted : {false, true}) {
    PodTexts& texts = Get(is_deleted);
    texts.known_.clear();
    texts.num_missed_ = 0;
  }
}

bool PodTexts::Read(JsonReader* reader, Pod* pod, bool* has_managed_fields) {
  if (!IsWorthwhile()) return false;
  for (auto known = known_.begin(); known != known_.end(); ++known) {
    if (!ReadLike(*known, reader, pod)) continue;
    *has_managed_fields = known->has_managed_fields;
    num_missed_ = 0;
    known_.splice(known_.begin(), known_, known);
    return true;
  }
  if (!known_.empty()) Replace(pod, Pod());
  return false;
}

bool PodTexts::ReadLike(const Known& known, JsonReader* reader, Pod* pod) {
  if (reader->depth() != known.depth || reader->options() != known.options) return false;
  Replace(pod, known.pod);
  JsonReader own = *reader;
  DecodeOptions options;
  DecodeReport report;
  SchemaDecoder decoder(&own, options, &report);
  auto member = known.members.begin();
  for (std::string_view rest = known.text;;) {
    size_t same = CommonSize(rest, own.Ahead());
    if (same == rest.size()) {
      own.Skip(same, known.depth - 1);
      *reader = std::move(own);
      return true;
    }
    // The first difference must be inside a value, or directly behind it: 1 and 10.
    size_t offset = known.text.size() - rest.size();
    while (member != known.members.end() && member->end < offset + same) ++member;
    if (member == known.members.end() || member->begin > offset + same) return false;
    own.Skip(member->begin - offset, known.depth + (member->part == nullptr ? 0 : 1));
    if (member->field == nullptr) {
      if (!own.SkipValue()) return false;
    } else {
      void* part = member->part == nullptr ? pod : member->part->member(pod);
      void* target = member->field->member(part);
      const TypeInfo& type = *member->field->type;
      if (own.Peek() == 'n') return false;
      if (type.clear != nullptr) type.clear(target);
      if (!decoder.Read(type, target) || !report.field_errors.empty()) return false;
    }
    rest.remove_prefix(member->end - offset);
    ++member;
  }
}

STOWAGE_COLD void PodTexts::Add(const JsonReader& reader, const Place& place, const Pod& pod,
                                bool has_managed_fields) {
  ++num_missed_;
  std::string_view text = reader.TextSince(place.offset);
  bool is_next = num_missed_ >= kPatience ? IsWorthwhile() : std::has_single_bit(num_missed_);
  if (!is_next || text.size() > kTextBytesMax) return;
  known_.push_front(
      {std::string(text), place.depth, reader.options(), {}, pod, has_managed_fields});
  Known& known = known_.front();
  bool can_be_read = MemberFinder(known.text, &known.members).Find(type_, place.key);
  if (!can_be_read) known_.pop_front();
  if (known_.size() > kKnownMax) known_.pop_back();
}

}  // namespace stowage
