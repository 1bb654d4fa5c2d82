// ObjectStream decodes the objects and Lists of objects in a batch and passes them to its sink.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/batch.h"
#include "core/api/decode/envelope.h"
#include "core/api/decode/error_reporter.h"

namespace stowage {

// The kind of an object, from the object itself or from its List.
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

  // Scans the object at the end of `text`, as ScanEvent does. The items of a List, most of its
  // text, are decoded in the same pass; Decode passes them to the sink. Returns false for an event,
  // and if the text is not an object or the scan finds an error.
  bool ReadAhead(std::string_view text, size_t begin, Envelope* item);
  // Decodes an object or a List; every object in a List counts as one item.
  void Decode(const Envelope& item, ChangeType change) { DecodeNamed(item, change, nullptr); }
  // Decodes the items of a List that is truncated, or malformed outside its items, as far as they
  // can be separated. Returns true if the error was found, and reported, among the items.
  bool DecodeBroken(const Envelope& list, ChangeType change);

  Subject SubjectOf(const Envelope& item, const TypeName* inherited) const;

 private:
  // `inherited` is the kind that a typed List gives its items.
  void DecodeNamed(const Envelope& item, ChangeType change, const TypeName* inherited);
  void DecodeObject(const JsonValue& value, const KindInfo& info, const Subject& subject,
                    ChangeType change);
  void DecodeList(const Envelope& list, const TypeName& type, ChangeType change);
  // Returns false if the array is malformed; the error has been reported.
  bool DecodeItems(const JsonValue& items, ChangeType change, const TypeName* inherited);
  void ForgetAhead();
  void ReadItemsAhead(const Envelope& list, JsonScanner* scanner);
  // Passes the item at the cursor to the sink, if it has been read ahead.
  bool PassItem(ChangeType change, JsonScanner* scanner);
  bool CheckListMembers(const Envelope& list, const Subject& subject, Bookmark* bookmark);
  std::optional<TypeName> ReadTypeName(const Envelope& item, const Subject& subject,
                                       const TypeName* inherited);
  // The views in the result are valid as long as `type`.
  std::optional<KindInfo> Find(const TypeName& type) const;
  bool IsList(const Envelope& item, const TypeName& type) const;

  // An item that has been decoded, although it was not known yet whether it is in a List.
  struct ItemAhead {
    size_t begin;
    size_t end;
    AnyObject object;
  };

  std::string_view bytes_;
  const DecodeLimits& limits_;
  ErrorReporter& errors_;
  BatchSink& sink_;
  size_t nesting_ = 0;            // number of Lists around the current object
  std::vector<ItemAhead> ahead_;  // in order of the text
  size_t passed_ = 0;             // the number of those that the sink has
  // The kind of those that name none; null if that of the List was not known yet.
  const KindInfo* kind_ahead_ = nullptr;
};

}  // namespace stowage
