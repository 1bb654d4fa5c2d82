// SchemaDecoder turns the tokens of one JSON text into the C++ value that a TypeInfo describes.
// core/api/decode/decode_json.h is the way in.
//
// It keeps one frame per open object or array of known type; a value without a field is skipped by
// counting brackets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/decode/decode_json.h"
#include "core/api/decode/token_sink.h"
#include "core/api/encode/json_writer.h"

namespace stowage {

class SchemaDecoder final : public TokenSink {
 public:
  // `target` is a value of the type `type`; all arguments outlive the decoder.
  SchemaDecoder(const TypeInfo& type, void* target, const DecodeOptions& options,
                DecodeReport* report)
      : root_{&type, target}, options_(options), report_(report) {}

  // The reading was stopped because the text nests deeper than the options allow.
  bool is_too_deep() const { return is_too_deep_; }

  bool Null() override;
  bool Bool(bool value) override;
  bool Number(std::string_view text) override;
  bool String(std::string_view text) override;
  bool Key(std::string_view text) override;
  bool OpenObject() override { return Open(true); }
  bool CloseObject() override { return Close(true); }
  bool OpenArray() override { return Open(false); }
  bool CloseArray() override { return Close(false); }

 private:
  // Types nest far less than this; a Schema that contains itself is impossible.
  static constexpr size_t kFramesMax = 32;
  static constexpr size_t kStrictErrorsMax = 100;

  // Where the next value goes; no type: it is skipped.
  struct Slot {
    const TypeInfo* type = nullptr;
    void* target = nullptr;
  };
  struct Frame {
    const TypeInfo* type = nullptr;
    void* target = nullptr;
    const FieldInfo* field = nullptr;  // kObject: of the last key; null when unknown
    uint64_t seen = 0;                 // kObject, strict: fields met, by position
    size_t count = 0;                  // kList: items begun
    Symbol key;                        // maps: the last key
  };

  Frame& top() { return frames_[frame_count_ - 1]; }
  Slot NextSlot();
  // Steps through optionals to what they hold.
  static Slot Inside(Slot slot);
  bool Open(bool is_object);
  bool Close(bool is_object);
  void EnterContainer(Slot slot, bool is_object);
  void PushFrame(Slot slot);
  void BeginRaw(std::string* text, bool is_object);
  bool MapKey(std::string_view text);
  // Whether the open object has had frame.key.
  bool HasKey(const Frame& frame, std::string_view text) const;
  void AddLabel(Symbol value) { labels_.emplace_back(top().key, std::move(value)); }

  void PutNumber(const Slot& slot, std::string_view text);
  void PutString(const Slot& slot, std::string_view text);
  void PutInteger(const Slot& slot, std::string_view text);
  void PutQuantity(const Slot& slot, std::string_view text, std::string_view written);

  // The path of the next value: "spec.containers[0].resources.requests[cpu]".
  std::string FieldPath() const;
  // The path of `key` in the open object, in the form of upstream's strict decoder, which writes
  // map keys like fields.
  std::string StrictPath(std::string_view key) const;
  void AddStrictError(std::string_view what, std::string_view key);
  // `written` is the value as the message shows it; `value` as the error carries it.
  void AddFieldError(InputErrorCode code, std::string_view value, std::string_view written,
                     std::string_view detail);
  void AddTypeError(const TypeInfo& expected, std::string_view actual, std::string_view value,
                    std::string_view written);

  Slot root_;
  const DecodeOptions& options_;
  DecodeReport* report_;
  std::array<Frame, kFramesMax> frames_;
  size_t frame_count_ = 0;
  size_t depth_ = 0;
  size_t skip_depth_ = 0;  // open brackets of the value that is being skipped
  bool is_too_deep_ = false;
  std::optional<JsonWriter> raw_;  // writes the RawJson or RawMember that is being read
  size_t raw_depth_ = 0;
  RawMember* raw_member_ = nullptr;
  std::string raw_member_json_;
  // What the open map has so far, in order of the text; such maps hold no maps.
  std::vector<LabelMap::Entry> labels_;
  std::vector<ResourceList::Entry> quantities_;
};

}  // namespace stowage
