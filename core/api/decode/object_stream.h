// ObjectStream decodes objects and Lists of them out of a batch and hands them to its sink.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/decode/batch.h"
#include "core/api/decode/envelope.h"
#include "core/api/decode/error_reporter.h"

namespace stowage {

// The kind of an object, as it names itself or as its List names it.
struct TypeName {
  std::string api_version;
  std::string kind;
};

// The text of a member that must be a string; nullopt after an error was reported.
std::optional<std::string> RequireString(std::string_view bytes, const JsonValue& value,
                                         std::string_view field, const Subject& subject,
                                         ErrorReporter* errors);

class ObjectStream {
 public:
  ObjectStream(std::string_view bytes, const DecodeLimits& limits, ErrorReporter* errors,
               BatchSink* sink)
      : bytes_(bytes), limits_(limits), errors_(*errors), sink_(*sink) {}

  // An object or a List; every object in it counts as one item.
  void Decode(const Envelope& item, ChangeType change) { DecodeNamed(item, change, nullptr); }
  // A text that breaks off or is broken outside its items: those that can be told apart. True when
  // the fault was met, and reported, among the items.
  bool DecodeBroken(const Envelope& list, ChangeType change);

  Subject SubjectOf(const Envelope& item, const TypeName* inherited) const;

 private:
  // `inherited` is the kind that a typed List gives to its items.
  void DecodeNamed(const Envelope& item, ChangeType change, const TypeName* inherited);
  void DecodeObject(const JsonValue& value, const KindInfo& info, const Subject& subject,
                    ChangeType change);
  void DecodeList(const Envelope& list, const TypeName& type, ChangeType change);
  // False when the array is no array of values; the fault was reported.
  bool DecodeItems(const JsonValue& items, ChangeType change, const TypeName* inherited);
  bool CheckListMembers(const Envelope& list, const Subject& subject, Bookmark* bookmark);
  std::optional<TypeName> ReadTypeName(const Envelope& item, const Subject& subject,
                                       const TypeName* inherited);
  // The views in it live as long as `type`.
  std::optional<KindInfo> Find(const TypeName& type) const;
  bool IsList(const Envelope& item, const TypeName& type) const;

  std::string_view bytes_;
  const DecodeLimits& limits_;
  ErrorReporter& errors_;
  BatchSink& sink_;
  size_t nesting_ = 0;  // Lists around what is being decoded
};

}  // namespace stowage
