// PodTexts remembers the texts of a few pods, because the next text is often one of them but for a
// few values: pods of a template differ in name, uid and version, and so do the events that report
// the same step of each. A text is compared with a remembered one, and only the members that differ
// are decoded, into a copy of that pod.
//
// Members are those of the pod and of its metadata, spec and status. They must have the same names
// in the same order; any other text is left to the caller. Texts of deletions are remembered apart,
// because less is decoded of them. This affects speed only:
// tests/core/api/decode/pod_texts_test.cc reads every text both ways.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/json_reader.h"
#include "core/api/decode/type_info.h"
#include "core/api/pod.h"

namespace stowage {

class PodTexts {
 public:
  // Larger texts are not remembered.
  static constexpr size_t kTextBytesMax = 32'768;

  // Those of deletions, or the others. They are never destroyed.
  static PodTexts& Get(bool is_deleted);
  // Forgets both.
  static void ForgetAll();

  // Where the rest of a pod's text begins.
  struct Place {
    size_t offset;
    size_t depth;     // of the reader there
    std::string key;  // of the member whose value comes first; empty: a name comes first
  };

  // Reads the rest of a pod at the reader's cursor into `pod`, which is empty, and moves past it.
  // Returns false and changes nothing if no remembered text is like it.
  bool Read(JsonReader* reader, Pod* pod, bool* has_managed_fields);
  // May remember the text between `place` and the reader's cursor, like which Read found none and
  // from which `pod` was decoded without an error.
  void Add(const JsonReader& reader, const Place& place, const Pod& pod, bool has_managed_fields);

 private:
  // One value of the text.
  struct Member {
    size_t begin;
    size_t end;
    const FieldInfo* part;   // of the pod: metadata, spec or status; null: the pod itself
    const FieldInfo* field;  // of the part; null: the value is not read
  };
  struct Known {
    std::string text;
    size_t depth;
    JsonReader::Options options;
    std::vector<Member> members;  // in order of the text
    Pod pod;
    bool has_managed_fields;
  };

  // Events of a few steps alternate: created, bound, started.
  static constexpr size_t kKnownMax = 4;
  // After so many texts in a row that were like none, only some are compared and remembered.
  static constexpr size_t kPatience = 16;
  static constexpr size_t kPause = 64;

  // `type`: what is decoded of a text.
  explicit PodTexts(const TypeInfo& type) : type_(type) {}

  bool IsWorthwhile() const { return num_missed_ < kPatience || num_missed_ % kPause == 0; }
  static bool ReadLike(const Known& known, JsonReader* reader, Pod* pod);

  const TypeInfo& type_;
  std::list<Known> known_;  // the latest used first
  size_t num_missed_ = 0;   // texts since the last one that was found
};

}  // namespace stowage
