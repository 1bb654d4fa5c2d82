#include "core/api/decode/batch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/api/decode/envelope.h"
#include "core/api/decode/error_reporter.h"
#include "core/api/decode/json_reader.h"
#include "core/api/decode/json_tokens.h"
#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_stream.h"
#include "core/api/decode/one_pass.h"
#include "core/api/decode/schema_decoder.h"
#include "core/api/encode/utf8.h"
#include "core/api/field_error.h"
#include "core/base/format.h"

namespace stowage {
namespace {

struct BookmarkObject {
  ObjectMeta metadata;
};

}  // namespace

template <>
struct Schema<CompletionItem> {
  static constexpr auto kFields =
      Fields(Field<&CompletionItem::call>("call"), Field<&CompletionItem::status>("status"),
             Field<&CompletionItem::body>("body"), Field<&CompletionItem::error>("error"),
             Field<&CompletionItem::message>("message"));
};

template <>
struct Schema<ActivateCommand> {
  static constexpr auto kFields = Fields(Field<&ActivateCommand::pods>("pods"));
};

template <>
struct Schema<WaitingPodCommand> {
  static constexpr auto kFields =
      Fields(Field<&WaitingPodCommand::uid>("uid"), Field<&WaitingPodCommand::plugin>("plugin"),
             Field<&WaitingPodCommand::message>("message"));
};

template <>
struct Schema<BookmarkObject> {
  static constexpr auto kFields = Fields(Field<&BookmarkObject::metadata>("metadata"));
};

namespace {

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::optional<ChangeType> ChangeTypeOf(std::string_view type) {
  if (type == "ADDED") return ChangeType::kAdded;
  if (type == "MODIFIED") return ChangeType::kModified;
  if (type == "DELETED") return ChangeType::kDeleted;
  return std::nullopt;
}

// Whether items of this type are decoded completely, so that decoding checks their grammar.
bool IsReadWhole(std::string_view type) {
  return type == "COMPLETION" || type == "ACTIVATE" || type == "ALLOW_WAITING_POD" ||
         type == "REJECT_WAITING_POD";
}

bool IsKnownFault(std::string_view error) {
  return error.empty() || error == "timeout" || error == "network" || error == "aborted";
}

class BatchDecoder {
 public:
  BatchDecoder(std::string_view bytes, const DecodeLimits& limits, BatchSink* sink)
      : bytes_(bytes),
        limits_(limits),
        sink_(*sink),
        errors_(bytes, sink),
        objects_(bytes_, limits, &errors_, sink) {}

  void DecodeDocument();
  void DecodeLines();

 private:
  // Reads a line whose identifying members come first, as an API server writes them, in one pass,
  // and returns its end. Returns nullopt for any other line, or if there is any error; the sink has
  // received nothing then, and DecodeItem reads the line.
  std::optional<size_t> DecodeInOnePass(size_t begin);
  bool DecodeInOnePass(JsonReader* reader);
  bool DecodeTypedInOnePass(JsonReader* reader);
  bool DecodeCompletionInOnePass(JsonReader* reader);
  // `text` is the batch up to the end of the item, which begins at `begin`.
  void DecodeItem(std::string_view text, size_t begin);
  void DecodeBroken(std::string_view text, const Envelope& item);
  void DecodeTyped(const Envelope& item, const Envelope& object);
  void DecodeEvent(std::string_view type, const Envelope& event, const Subject& subject);
  void DecodeBookmark(const JsonValue& object);
  void DecodeStatus(const JsonValue& object, const Subject& subject);
  void DecodeSync(bool is_end, const Envelope& event, const Subject& subject);
  void DecodeScheduleOne(const Envelope& event, const Subject& subject);
  void DecodeCompletion(const Envelope& event, const Subject& subject);
  void DecodeWaitingPod(bool is_allowed, const Envelope& event, const Subject& subject);
  // Reads the whole command; returns false after reporting its errors.
  template <typename T>
  bool DecodeCommand(const Envelope& event, const Subject& subject, T* command);
  bool RequireObject(const Envelope& event, const Subject& subject);
  Envelope ScanObject(const JsonValue& object) const {
    return ScanEnvelope(bytes_.substr(0, object.end), object.begin);
  }

  std::string_view bytes_;
  const DecodeLimits& limits_;
  BatchSink& sink_;
  ErrorReporter errors_;
  ObjectStream objects_;
};

void BatchDecoder::DecodeDocument() { DecodeItem(bytes_, 0); }

void BatchDecoder::DecodeLines() {
  for (size_t begin = 0; begin < bytes_.size();) {
    if (std::optional<size_t> end = DecodeInOnePass(begin)) {
      begin = *end + 1;
      continue;
    }
    size_t end = std::min(bytes_.find('\n', begin), bytes_.size());
    std::string_view line = bytes_.substr(begin, end - begin);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      DecodeItem(bytes_.substr(0, end), begin);
    }
    begin = end + 1;
  }
}

std::optional<size_t> BatchDecoder::DecodeInOnePass(size_t begin) {
  JsonReader reader(bytes_, {.is_line = true}, begin);
  if (reader.Peek() != '{' || !DecodeInOnePass(&reader)) return std::nullopt;
  errors_.NextItem();
  return reader.offset();
}

bool BatchDecoder::DecodeInOnePass(JsonReader* reader) {
  size_t begin = reader->offset();
  std::string_view key;
  if (!reader->EnterObject(&key)) return false;
  if (IsName(*reader, key, "type")) return DecodeTypedInOnePass(reader);
  reader->set_depth_max(limits_.depth);
  std::optional<AnyObject> object = stowage::DecodeInOnePass({reader, bytes_, begin, key}, limits_);
  if (!object.has_value() || !reader->IsAtEnd()) return false;
  sink_.OnObject(ChangeType::kPresent, *std::move(object));
  return true;
}

bool BatchDecoder::DecodeTypedInOnePass(JsonReader* reader) {
  std::string_view type;
  if (!ReadPlainString(reader, &type)) return false;
  if (type == "COMPLETION") return DecodeCompletionInOnePass(reader);
  std::optional<ChangeType> change = ChangeTypeOf(type);
  std::string_view key;
  if (!change.has_value() || !reader->NextMember(&key)) return false;
  if (!IsName(*reader, key, "object") || reader->Peek() != '{') return false;
  bool is_deleted = *change == ChangeType::kDeleted;
  if (!is_deleted) reader->set_depth_max(limits_.depth + 1);
  size_t begin = reader->offset();
  if (!reader->EnterObject(&key)) return false;
  std::optional<AnyObject> object =
      stowage::DecodeInOnePass({reader, bytes_, begin, key, is_deleted}, limits_);
  if (!object.has_value() || reader->NextMember(&key) || !reader->IsAtEnd()) return false;
  sink_.OnObject(*change, *std::move(object));
  return true;
}

bool BatchDecoder::DecodeCompletionInOnePass(JsonReader* reader) {
  reader->set_depth_max(limits_.depth);
  CompletionItem completion;
  DecodeOptions options;
  DecodeReport report;
  SchemaDecoder decoder(reader, options, &report);
  bool is_read =
      decoder.ReadRest(kTypeInfo<CompletionItem>, &completion, {"type", "kind", "apiVersion"}) &&
      reader->IsAtEnd() && report.field_errors.empty();
  if (!is_read || completion.call <= 0 || !IsKnownFault(completion.error)) return false;
  sink_.OnCompletion(std::move(completion));
  return true;
}

void BatchDecoder::DecodeItem(std::string_view text, size_t begin) {
  bool is_marked = text.substr(begin, kByteOrderMark.size()) == kByteOrderMark;
  if (is_marked) begin += kByteOrderMark.size();
  if (Envelope read; objects_.ReadAhead(text, begin, &read)) {
    return objects_.Decode(read, ChangeType::kPresent);
  }
  Envelope object;
  Envelope item = ScanEvent(text, begin, &object);
  if (item.fault_offset.has_value()) return DecodeBroken(text, item);
  bool names_its_kind = item.kind.exists() || item.api_version.exists();
  if (item.type.exists() && !names_its_kind) {
    DecodeTyped(item, object);
  } else {
    objects_.Decode(item, ChangeType::kPresent);
  }
}

void BatchDecoder::DecodeBroken(std::string_view text, const Envelope& item) {
  // If a watch event is truncated, its object names it.
  Envelope named = item.object.is_object() ? ScanEnvelope(text, item.object.begin) : item;
  Subject subject = objects_.SubjectOf(named, nullptr);
  if (!item.items.is_array()) {
    errors_.ReportBroken(subject, text, item);
    return errors_.NextItem();
  }
  // Items are reported one by one. The error of the whole document is the scan's, because the first
  // error in the text may be inside an item.
  if (objects_.DecodeBroken(item, ChangeType::kPresent)) return;
  errors_.ReportScanError(subject, *item.fault_offset, item.fault_message);
  errors_.NextItem();
}

void BatchDecoder::DecodeTyped(const Envelope& item, const Envelope& object) {
  Subject subject{item.value.begin, {}, {}, {}};
  std::optional<std::string> type = RequireString(bytes_, item.type, "type", subject, &errors_);
  if (!type.has_value()) return errors_.NextItem();
  bool is_plain = item.member_count == 2 && item.object.exists();
  if (!is_plain && !IsReadWhole(*type)) {
    if (std::optional<JsonFault> fault = FindMemberFault(bytes_, item.value, item.object)) {
      errors_.ReportFault(subject, 0, *fault);
      return errors_.NextItem();
    }
  }
  std::optional<ChangeType> change = ChangeTypeOf(*type);
  if (change.has_value() && RequireObject(item, subject)) {
    return objects_.Decode(object, *change);
  }
  if (!change.has_value()) DecodeEvent(*type, item, subject);
  errors_.NextItem();
}

void BatchDecoder::DecodeEvent(std::string_view type, const Envelope& event,
                               const Subject& subject) {
  if (type == "BOOKMARK") {
    if (RequireObject(event, subject)) DecodeBookmark(event.object);
  } else if (type == "ERROR") {
    if (RequireObject(event, subject)) DecodeStatus(event.object, subject);
  } else if (type == "SYNC_BEGIN" || type == "SYNC_END") {
    DecodeSync(type == "SYNC_END", event, subject);
  } else if (type == "SCHEDULE_ONE") {
    DecodeScheduleOne(event, subject);
  } else if (type == "COMPLETION") {
    DecodeCompletion(event, subject);
  } else if (type == "ACTIVATE") {
    ActivateCommand command;
    if (DecodeCommand(event, subject, &command)) sink_.OnActivate(std::move(command));
  } else if (type == "ALLOW_WAITING_POD" || type == "REJECT_WAITING_POD") {
    DecodeWaitingPod(type == "ALLOW_WAITING_POD", event, subject);
  } else {
    errors_.ReportField(InputErrorCode::kFieldValueNotSupported, subject, "type", type,
                        Format("Unsupported value: {}: supported values: \"ACTIVATE\", \"ADDED\", "
                               "\"ALLOW_WAITING_POD\", \"BOOKMARK\", \"COMPLETION\", \"DELETED\", "
                               "\"ERROR\", \"MODIFIED\", \"REJECT_WAITING_POD\", \"SCHEDULE_ONE\", "
                               "\"SYNC_BEGIN\", \"SYNC_END\"",
                               GoQuote(ToValidUtf8(type, InputError::kValueBytesMax))));
  }
}

bool BatchDecoder::RequireObject(const Envelope& event, const Subject& subject) {
  if (event.object.is_object()) return true;
  if (!event.object.exists() || event.object.is_null()) {
    errors_.ReportField(InputErrorCode::kFieldValueRequired, subject, "object", {},
                        "Required value");
  } else {
    errors_.ReportField(
        InputErrorCode::kFieldValueTypeInvalid, subject, "object", {},
        Format("Invalid value: must be an object, not {}", event.object.type_name()));
  }
  return false;
}

void BatchDecoder::DecodeBookmark(const JsonValue& object) {
  Subject subject = objects_.SubjectOf(ScanObject(object), nullptr);
  BookmarkObject parsed;
  DecodeOptions options;
  options.depth_max = limits_.depth;
  DecodeReport report = DecodeJson(object.In(bytes_), options, &parsed);
  if (report.syntax_error.has_value()) {
    return errors_.ReportSyntaxError(subject, object.begin, *report.syntax_error);
  }
  for (FieldError& error : report.field_errors) {
    errors_.ReportFieldError(subject, std::move(error));
  }
  if (!report.field_errors.empty()) return;
  const ObjectMeta& metadata = parsed.metadata;
  if (metadata.resource_version.empty()) {
    return errors_.ReportField(InputErrorCode::kFieldValueRequired, subject,
                               "metadata.resourceVersion", {}, "Required value");
  }
  const Symbol* mark = metadata.annotations.Find(Symbol::Find(kInitialEventsEnd));
  sink_.OnBookmark({subject.api_version, subject.kind, metadata.resource_version,
                    mark != nullptr && *mark == "true"});
}

void BatchDecoder::DecodeStatus(const JsonValue& object, const Subject& subject) {
  if (std::optional<JsonFault> fault = FindJsonFault(object.In(bytes_))) {
    errors_.ReportFault(subject, object.begin, *fault);
  } else {
    sink_.OnStatus(object.In(bytes_));
  }
}

void BatchDecoder::DecodeSync(bool is_end, const Envelope& event, const Subject& subject) {
  std::optional<std::string> resource =
      RequireString(bytes_, event.resource, "resource", subject, &errors_);
  if (!resource.has_value()) return;
  std::optional<KindKey> kind = FindKindKey(*resource, limits_.other_resources);
  if (!kind.has_value()) {
    return errors_.ReportField(
        InputErrorCode::kFieldValueNotSupported, subject, "resource", *resource,
        Format("Unsupported value: {}: this engine does not read this resource",
               GoQuote(ToValidUtf8(*resource, InputError::kValueBytesMax))));
  }
  SyncMark mark{is_end, std::move(*kind), {}};
  bool has_version = event.resource_version.exists() && !event.resource_version.is_null() &&
                     event.resource_version.In(bytes_) != "\"\"";
  if (has_version) {
    std::optional<std::string> version =
        RequireString(bytes_, event.resource_version, "resourceVersion", subject, &errors_);
    if (!version.has_value()) return;
    mark.resource_version = std::move(*version);
  }
  sink_.OnSync(std::move(mark));
}

void BatchDecoder::DecodeScheduleOne(const Envelope& event, const Subject& subject) {
  std::optional<std::string> pod = RequireString(bytes_, event.pod, "pod", subject, &errors_);
  if (!pod.has_value()) return;
  size_t slash = pod->find('/');
  bool is_full_name = slash != std::string::npos && slash > 0 && slash + 1 < pod->size() &&
                      pod->find('/', slash + 1) == std::string::npos;
  if (!is_full_name) {
    return errors_.ReportField(InputErrorCode::kFieldValueInvalid, subject, "pod", *pod,
                               Format("Invalid value: {}: must be namespace/name",
                                      GoQuote(ToValidUtf8(*pod, InputError::kValueBytesMax))));
  }
  sink_.OnScheduleOne({pod->substr(0, slash), pod->substr(slash + 1)});
}

template <typename T>
bool BatchDecoder::DecodeCommand(const Envelope& event, const Subject& subject, T* command) {
  DecodeOptions options;
  options.depth_max = limits_.depth;
  DecodeReport report = DecodeJson(event.value.In(bytes_), options, command);
  if (report.syntax_error.has_value()) {
    errors_.ReportSyntaxError(subject, event.value.begin, *report.syntax_error);
    return false;
  }
  for (FieldError& error : report.field_errors) {
    errors_.ReportFieldError(subject, std::move(error));
  }
  return report.field_errors.empty();
}

void BatchDecoder::DecodeWaitingPod(bool is_allowed, const Envelope& event,
                                    const Subject& subject) {
  WaitingPodCommand command;
  if (!DecodeCommand(event, subject, &command)) return;
  command.is_allowed = is_allowed;
  if (command.uid.empty()) {
    errors_.ReportField(InputErrorCode::kFieldValueRequired, subject, "uid", {}, "Required value");
  } else if (command.plugin.empty()) {
    errors_.ReportField(InputErrorCode::kFieldValueRequired, subject, "plugin", {},
                        "Required value");
  } else {
    sink_.OnWaitingPod(std::move(command));
  }
}

void BatchDecoder::DecodeCompletion(const Envelope& event, const Subject& subject) {
  CompletionItem completion;
  if (!DecodeCommand(event, subject, &completion)) return;
  if (completion.call <= 0) {
    return errors_.ReportField(InputErrorCode::kFieldValueRequired, subject, "call", {},
                               "Required value");
  }
  const std::string& error = completion.error;
  if (IsKnownFault(error)) return sink_.OnCompletion(std::move(completion));
  errors_.ReportField(
      InputErrorCode::kFieldValueNotSupported, subject, "error", error,
      Format("Unsupported value: {}: supported values: \"aborted\", \"network\", \"timeout\"",
             GoQuote(ToValidUtf8(error, InputError::kValueBytesMax))));
}

}  // namespace

void DecodeBatch(std::string_view bytes, BatchFormat format, const DecodeLimits& limits,
                 BatchSink& sink) {
  if (bytes.size() > limits.batch_bytes) {
    ErrorReporter(bytes, &sink)
        .Report(InputErrorCode::kTooLarge, {},
                Format("the batch has {} bytes, more than {}", bytes.size(), limits.batch_bytes));
    return;
  }
  BatchDecoder decoder(bytes, limits, &sink);
  if (format == BatchFormat::kDocument) {
    decoder.DecodeDocument();
  } else {
    decoder.DecodeLines();
  }
}

}  // namespace stowage
