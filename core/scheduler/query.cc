#include "core/scheduler/query.h"

#include "core/api/encode/json_writer.h"
#include "core/scheduler/records.h"

namespace stowage {

bool RefuseQuery(const Pod* pod, InputErrorCode code, std::string_view field,
                 std::string_view message, std::string* out) {
  InputError error;
  error.code = code;
  error.field = field;
  error.message = message;
  if (pod != nullptr) {
    error.api_version = "v1";
    error.kind = "Pod";
    error.namespace_ = pod->metadata.namespace_.str();
    error.name = pod->metadata.name.str();
  }
  JsonWriter json(out);
  json.BeginObject();
  WriteInputError(error, &json);
  json.EndObject();
  return false;
}

bool RefuseUnread(const DecodeReport& report, std::string* out) {
  if (report.syntax_error) {
    return RefuseQuery(nullptr, report.syntax_error->code, "", report.syntax_error->message, out);
  }
  if (!report.field_errors.empty()) {
    const FieldError& error = report.field_errors.front();
    return RefuseQuery(nullptr, error.code, error.field, error.message, out);
  }
  return RefuseQuery(nullptr, InputErrorCode::kFieldValueNotSupported, "",
                     report.strict_errors.front(), out);
}

ObjectKey KeyFromText(std::string_view text) {
  size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {Symbol(), Symbol::Find(text)};
  return {Symbol::Find(text.substr(0, slash)), Symbol::Find(text.substr(slash + 1))};
}

}  // namespace stowage
