// ErrorReporter converts a fault in a batch into an InputError: it has the place, the item's index
// and the object's name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/api/decode/batch.h"
#include "core/api/decode/envelope.h"
#include "core/api/decode/input_error.h"
#include "core/api/decode/json_tokens.h"

namespace stowage {

// What an error says about the object it belongs to. Offsets are those of the batch.
struct Subject {
  size_t offset = 0;
  std::string api_version;
  std::string kind;
  JsonValue metadata;  // namespace and name are looked up when they are needed
};

class ErrorReporter {
 public:
  ErrorReporter(std::string_view bytes, BatchSink* sink) : bytes_(bytes), sink_(*sink) {}

  // Errors belong to the following item from now on.
  void NextItem() {
    ++index_;
    sink_.OnItemEnd();
  }

  void Report(InputErrorCode code, const Subject& subject, std::string message);
  // The message is "<field>: <detail>". `value` is the offending text as it came in.
  void ReportField(InputErrorCode code, const Subject& subject, std::string_view field,
                   std::string_view value, std::string_view detail);
  // As the decoder found it.
  void ReportFieldError(const Subject& subject, FieldError error);
  // A fault of syntax; `begin` is where the text that was read begins in the batch.
  void ReportFault(const Subject& subject, size_t begin, const JsonFault& fault);
  // `broken` was scanned from `text`, a part of the batch from its start, and is no JSON object;
  // the reader of tokens says why, and the scan where it has no objection.
  void ReportBroken(const Subject& subject, std::string_view text, const Envelope& broken);
  // Where a scan stumbled; `offset` is that of the batch.
  void ReportStumble(const Subject& subject, size_t offset, std::string message);
  void ReportSyntaxError(const Subject& subject, size_t begin, const SyntaxError& error);

 private:
  InputError Make(InputErrorCode code, const Subject& subject, size_t offset);
  // Sets line and column; cheap when offsets ascend.
  void Locate(size_t offset, InputError* error);

  std::string_view bytes_;
  BatchSink& sink_;
  size_t index_ = 0;
  size_t line_ = 1;         // of line_begin_
  size_t line_begin_ = 0;   // where the line of the last place begins
  size_t counted_end_ = 0;  // newlines before it are counted; a line may be long
};

}  // namespace stowage
