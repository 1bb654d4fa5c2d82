// ErrorReporter converts an error in a batch into an InputError, with its position, the item's
// index and the object's name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/api/decode/batch.h"
#include "core/api/decode/envelope.h"
#include "core/api/decode/input_error.h"
#include "core/api/decode/json_tokens.h"

namespace stowage {

// The identifying fields of the object that an error belongs to. Offsets are those of the batch.
struct Subject {
  size_t offset = 0;
  std::string api_version;
  std::string kind;
  JsonValue metadata;  // namespace and name are looked up when they are needed
};

class ErrorReporter {
 public:
  ErrorReporter(std::string_view bytes, BatchSink* sink) : bytes_(bytes), sink_(*sink) {}

  // Later errors belong to the next item.
  void NextItem() {
    ++index_;
    sink_.OnItemEnd();
  }

  void Report(InputErrorCode code, const Subject& subject, std::string message);
  // The message is "<field>: <detail>". `value` is the invalid text as it was given.
  void ReportField(InputErrorCode code, const Subject& subject, std::string_view field,
                   std::string_view value, std::string_view detail);
  // Reports an error of the decoder.
  void ReportFieldError(const Subject& subject, FieldError error);
  // Reports a syntax error; `begin` is the batch offset of the text that was read.
  void ReportFault(const Subject& subject, size_t begin, const JsonFault& fault);
  // `broken` was scanned from `text`, the start of the batch, and is not a JSON object. Reports the
  // JSON reader's error; if the reader finds none, the scan's.
  void ReportBroken(const Subject& subject, std::string_view text, const Envelope& broken);
  // Reports a scan's error at a batch offset.
  void ReportScanError(const Subject& subject, size_t offset, std::string message);
  void ReportSyntaxError(const Subject& subject, size_t begin, const SyntaxError& error);

 private:
  InputError Make(InputErrorCode code, const Subject& subject, size_t offset);
  // Sets line and column; cheap if offsets ascend.
  void Locate(size_t offset, InputError* error);

  std::string_view bytes_;
  BatchSink& sink_;
  size_t index_ = 0;
  size_t line_ = 1;         // of line_begin_
  size_t line_begin_ = 0;   // offset of the start of that line
  size_t counted_end_ = 0;  // newlines before it are counted; lines may be long
};

}  // namespace stowage
