#include "core/api/decode/decode_json.h"

#include <algorithm>

#include "core/api/decode/json_fault.h"
#include "core/api/decode/json_reader.h"
#include "core/api/decode/schema_decoder.h"
#include "core/base/format.h"

namespace stowage {
namespace {

// Offset of the bracket that opens level `depth_max` + 1 of a text that is well-formed up to there.
size_t FindTooDeep(std::string_view text, size_t depth_max) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t offset = 0; offset < text.size(); ++offset) {
    char c = text[offset];
    if (in_string) {
      if (c == '\\') ++offset;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if ((c == '{' || c == '[') && ++depth > depth_max) {
      return offset;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return text.size();
}

SyntaxError MakeSyntaxError(InputErrorCode code, std::string_view text, size_t offset) {
  std::string_view before = text.substr(0, offset);
  size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  auto newlines = std::count(before.begin(), before.end(), '\n');
  SyntaxError error;
  error.code = code;
  error.offset = offset;
  error.line = 1 + static_cast<size_t>(newlines);
  error.column = 1 + offset - line_begin;
  return error;
}

}  // namespace

std::string DecodeReport::StrictErrorText() const {
  if (strict_errors.empty()) return {};
  return Format("strict decoding error: {}", Join(strict_errors, ", "));
}

DecodeReport DecodeJson(std::string_view text, const DecodeOptions& options, const TypeInfo& type,
                        void* target) {
  DecodeReport report;
  JsonReader reader(text, {.depth_max = options.depth_max});
  reader.SkipByteOrderMark();
  if (SchemaDecoder(&reader, options, &report).Read(type, target) && reader.IsAtEnd()) {
    return report;
  }
  if (reader.is_too_deep()) {
    report.syntax_error =
        MakeSyntaxError(InputErrorCode::kTooDeep, text, FindTooDeep(text, options.depth_max));
    report.syntax_error->message = Format("nested deeper than {} levels", options.depth_max);
  } else {
    JsonFault fault = DescribeJsonFault(text);
    report.syntax_error = MakeSyntaxError(
        fault.is_invalid_utf8 ? InputErrorCode::kInvalidUtf8 : InputErrorCode::kMalformedJson, text,
        fault.offset);
    report.syntax_error->message = std::move(fault.message);
  }
  return report;
}

}  // namespace stowage
