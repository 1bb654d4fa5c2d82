// SchemaDecoder reads one JSON value into the C++ value that a TypeInfo describes.
// core/api/decode/decode_json.h is the interface to it.
//
// It recurses along the types, so its stack is as deep as they are; the reader skips values that
// have no field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/json_reader.h"

namespace stowage {

class SchemaDecoder {
 public:
  // All arguments must outlive the decoder.
  SchemaDecoder(JsonReader* reader, const DecodeOptions& options, DecodeReport* report)
      : reader_(*reader), options_(options), report_(*report) {}

  // Reads the value at the cursor into `target`, which is of the type `type`. Returns false if the
  // reader failed.
  bool Read(const TypeInfo& type, void* target);
  // Reads the rest of an object whose first members, `names_read`, the caller has read. A duplicate
  // of one of them stops the decoder, and it returns false. `key`: that of the member whose value
  // is at the cursor, if there is one.
  bool ReadRest(const TypeInfo& type, void* target,
                std::initializer_list<std::string_view> names_read, std::string_view key = {});

 private:
  static constexpr size_t kStrictErrorsMax = 100;

  // The destination of a value; without a type it is skipped.
  struct Slot {
    const TypeInfo* type = nullptr;
    void* target = nullptr;
  };
  // An object or array that is being read. Frames are linked, so that errors can name their path.
  struct Frame {
    Frame(const Frame* outer, Slot slot) : outer(outer), type(slot.type), target(slot.target) {}

    const Frame* outer;
    const TypeInfo* type;
    void* target;
    const FieldInfo* field = nullptr;  // kObject: of the current key
    size_t count = 0;                  // kList: items begun
    std::string_view key;              // maps: the current key
  };

  // Resolves optionals to their contents.
  static Slot Inside(Slot slot);
  bool ReadValue(Slot slot, const Frame* outer);
  bool ReadCached(Slot slot, char first, const Frame* outer);
  bool ReadAnew(Slot slot, char first, const Frame* outer);
  bool ReadNull(Slot slot);
  bool ReadBool(Slot slot, bool value, const Frame* outer);
  bool ReadContainer(Slot slot, bool is_object, const Frame* outer);
  bool ReadObject(Slot slot, const Frame* outer);
  bool ReadMember(std::string_view key, Frame* frame, uint64_t* seen);
  bool ReadList(Slot slot, const Frame* outer);
  bool ReadMap(Slot slot, const Frame* outer);
  bool ReadKeys(Slot slot);
  bool ReadLabels(Slot slot, const Frame* outer);
  bool ReadLabel(const Symbol& key, const Frame& frame);
  bool ReadResources(Slot slot, const Frame* outer);
  bool ReadRaw(std::string* text);
  bool ReadRawMember(Slot slot, const Frame* outer);

  void PutNumber(Slot slot, std::string_view text, const Frame* outer);
  void PutString(Slot slot, std::string_view text, const Frame* outer);
  void PutTime(Slot slot, std::string_view text, const Frame* outer);
  void PutInteger(Slot slot, std::string_view text, const Frame* outer);
  void PutQuantity(Slot slot, std::string_view text, std::string_view written, const Frame* outer);

  // The containers from the root to `inner`.
  static std::vector<const Frame*> PathTo(const Frame* inner);
  // The path of the current value: "spec.containers[0].resources.requests[cpu]".
  static std::string FieldPath(const Frame* outer);
  // The path of `key` in `frame`, in the form of upstream's strict decoder, which writes map keys
  // like fields.
  static std::string StrictPath(std::string_view key, const Frame& frame);
  void AddStrictError(std::string_view what, std::string_view key, const Frame& frame);
  struct Written {
    std::string_view value;  // in the error
    std::string_view text;   // in the message
  };
  void AddFieldError(InputErrorCode code, const Written& written, std::string_view detail,
                     const Frame* outer);
  void AddTypeError(const TypeInfo& expected, std::string_view actual, const Written& written,
                    const Frame* outer);

  JsonReader& reader_;
  const DecodeOptions& options_;
  DecodeReport& report_;
  // The entries of the current map so far, in order of the text; these maps cannot contain maps.
  std::vector<LabelMap::Entry> labels_;
  std::vector<ResourceList::Entry> quantities_;
};

}  // namespace stowage
