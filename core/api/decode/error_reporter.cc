#include "core/api/decode/error_reporter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/api/encode/utf8.h"
#include "core/base/format.h"

namespace stowage {
namespace {

std::string MemberText(std::string_view bytes, const JsonValue& object, std::string_view key) {
  JsonValue member = FindMember(bytes, object, key);
  if (!member.exists()) return {};
  return ReadJsonString(member.In(bytes)).value_or(std::string());
}

}  // namespace

void ErrorReporter::Locate(size_t offset, InputError* error) {
  offset = std::min(offset, bytes_.size());
  if (offset < line_begin_) {
    line_ = 1;
    line_begin_ = 0;
    counted_end_ = 0;
  }
  std::string_view before = bytes_.substr(0, offset);
  for (;;) {
    size_t newline = before.find('\n', counted_end_);
    if (newline == std::string_view::npos) break;
    ++line_;
    line_begin_ = newline + 1;
    counted_end_ = line_begin_;
  }
  counted_end_ = std::max(counted_end_, offset);
  error->line = line_;
  error->column = 1 + offset - line_begin_;
}

InputError ErrorReporter::Make(InputErrorCode code, const Subject& subject, size_t offset) {
  InputError error;
  error.code = code;
  error.api_version = subject.api_version;
  error.kind = subject.kind;
  error.namespace_ = MemberText(bytes_, subject.metadata, "namespace");
  error.name = MemberText(bytes_, subject.metadata, "name");
  error.index = index_;
  Locate(offset, &error);
  return error;
}

void ErrorReporter::Report(InputErrorCode code, const Subject& subject, std::string message) {
  InputError error = Make(code, subject, subject.offset);
  error.message = std::move(message);
  sink_.OnError(std::move(error));
}

void ErrorReporter::ReportField(InputErrorCode code, const Subject& subject, std::string_view field,
                                std::string_view value, std::string_view detail) {
  InputError error = Make(code, subject, subject.offset);
  error.field = field;
  error.value = ToValidUtf8(value, InputError::kValueBytesMax);
  if (!field.empty()) error.message = Format("{}: ", field);
  error.message += detail;
  sink_.OnError(std::move(error));
}

void ErrorReporter::ReportFieldError(const Subject& subject, FieldError error) {
  InputError input_error = Make(error.code, subject, subject.offset);
  input_error.field = std::move(error.field);
  input_error.value = std::move(error.value);
  input_error.message = std::move(error.message);
  sink_.OnError(std::move(input_error));
}

void ErrorReporter::ReportFault(const Subject& subject, size_t begin, const JsonFault& fault) {
  InputErrorCode code =
      fault.is_invalid_utf8 ? InputErrorCode::kInvalidUtf8 : InputErrorCode::kMalformedJson;
  InputError error = Make(code, subject, begin + fault.offset);
  error.message = fault.message;
  sink_.OnError(std::move(error));
}

void ErrorReporter::ReportBroken(const Subject& subject, std::string_view text,
                                 const Envelope& broken) {
  size_t begin = broken.value.begin;
  std::optional<JsonFault> fault = FindJsonFault(text.substr(begin));
  if (fault.has_value()) return ReportFault(subject, begin, *fault);
  ReportScanError(subject, *broken.fault_offset, broken.fault_message);
}

void ErrorReporter::ReportScanError(const Subject& subject, size_t offset, std::string message) {
  bool is_utf8 = offset >= bytes_.size() || Utf8SequenceSize(bytes_, offset) > 0;
  ReportFault(subject, 0, {offset, !is_utf8, std::move(message)});
}

void ErrorReporter::ReportSyntaxError(const Subject& subject, size_t begin,
                                      const SyntaxError& error) {
  InputError input_error = Make(error.code, subject, begin + error.offset);
  input_error.message = error.message;
  sink_.OnError(std::move(input_error));
}

}  // namespace stowage
