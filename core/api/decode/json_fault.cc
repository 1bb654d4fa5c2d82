#include "core/api/decode/json_fault.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/api/encode/utf8.h"
#include "core/base/check.h"

namespace stowage {
namespace {

using Json = nlohmann::json;

// The library's texts are "[json.exception…] parse error at line 1, column 8: syntax error while
// …". The position is reported separately, so only the part after it is kept. The last token in it
// may be of any length.
std::string FaultMessage(std::string_view what) {
  constexpr std::string_view kColumn = ", column ";
  constexpr std::string_view kLastRead = "last read: '";
  constexpr size_t kLastReadMax = 40;
  constexpr size_t kMessageMax = 240;
  if (size_t column = what.find(kColumn); column != std::string_view::npos) {
    size_t colon = what.find(": ", column);
    if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
  } else if (size_t bracket = what.find("] "); bracket != std::string_view::npos) {
    what.remove_prefix(bracket + 2);
  }
  std::string message(what);
  size_t read = message.find(kLastRead);
  size_t read_end = message.rfind('\'');
  if (read != std::string::npos && read_end != std::string::npos) {
    read += kLastRead.size();
    if (read_end > read + kLastReadMax) {
      message.replace(read + kLastReadMax, read_end - read - kLastReadMax, "...");
    }
  }
  return ToValidUtf8(message, kMessageMax);
}

// A SAX handler that ignores everything but the error.
class FaultHandler {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the names are the library's.
  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(Json::number_integer_t) { return true; }
  bool number_unsigned(Json::number_unsigned_t) { return true; }
  bool number_float(Json::number_float_t, const std::string&) { return true; }
  bool string(const std::string&) { return true; }
  bool binary(const Json::binary_t&) { return true; }
  bool start_object(size_t) { return true; }
  bool key(const std::string&) { return true; }
  bool end_object() { return true; }
  bool start_array(size_t) { return true; }
  bool end_array() { return true; }
  bool parse_error(size_t position, const std::string&, const Json::exception& error) {
    // `position` counts the bytes read, including the faulty one.
    fault_.emplace();
    fault_->offset = position == 0 ? 0 : position - 1;
    fault_->message = FaultMessage(error.what());
    return false;
  }
  // NOLINTEND

  std::optional<JsonFault> TakeFault() { return std::move(fault_); }

 private:
  std::optional<JsonFault> fault_;
};

}  // namespace

JsonFault DescribeJsonFault(std::string_view text) {
  FaultHandler handler;
  Json::sax_parse(text.data(), text.data() + text.size(), &handler);
  std::optional<JsonFault> fault = handler.TakeFault();
  if (!fault.has_value()) {
    // The library treats a NUL after the value as the end of its input; in JSON it is an error.
    size_t nul = text.find('\0');
    CHECK(nul != std::string_view::npos);
    fault = JsonFault{nul, false, "unexpected NUL byte"};
  }
  fault->offset = std::min(fault->offset, text.size());
  size_t invalid = FindInvalidUtf8(text);
  if (invalid < text.size() && invalid <= fault->offset) {
    return JsonFault{invalid, true, "invalid UTF-8"};
  }
  return *std::move(fault);
}

}  // namespace stowage
