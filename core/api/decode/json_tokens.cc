#include "core/api/decode/json_tokens.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/api/encode/utf8.h"

namespace stowage {
namespace {

using Json = nlohmann::json;

// The library's texts read "[json.exception…] parse error at line 1, column 8: syntax error while
// …"; the place is told apart, so only what follows it is kept. The token that was read last may be
// of any length.
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

// Passes the library's events on and keeps its error.
class SaxAdapter {
 public:
  explicit SaxAdapter(TokenSink* sink) : sink_(sink) {}

  // NOLINTBEGIN(readability-identifier-naming): the names are the library's.
  bool null() { return sink_->Null(); }
  bool boolean(bool value) { return sink_->Bool(value); }
  bool number_integer(Json::number_integer_t value) { return Integer(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return Integer(value); }
  bool number_float(Json::number_float_t value, const std::string& text) {
    return sink_->Number(text, value);
  }
  bool string(std::string& text) { return sink_->String(text); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(size_t) { return sink_->OpenObject(); }
  bool key(std::string& text) { return sink_->Key(text); }
  bool end_object() { return sink_->CloseObject(); }
  bool start_array(size_t) { return sink_->OpenArray(); }
  bool end_array() { return sink_->CloseArray(); }
  bool parse_error(size_t position, const std::string&, const Json::exception& error) {
    // `position` counts the bytes read, the faulty one included.
    fault_.emplace();
    fault_->offset = position == 0 ? 0 : position - 1;
    fault_->message = FaultMessage(error.what());
    return false;
  }
  // NOLINTEND

  std::optional<TokenFault> TakeFault() { return std::move(fault_); }

 private:
  template <typename T>
  bool Integer(T value) {
    char buffer[24];
    auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return sink_->Number(std::string_view(buffer, static_cast<size_t>(end - buffer)),
                         static_cast<double>(value));
  }

  TokenSink* sink_;
  std::optional<TokenFault> fault_;
};

class NullSink final : public TokenSink {
 public:
  bool Null() override { return true; }
  bool Bool(bool) override { return true; }
  bool Number(std::string_view, double) override { return true; }
  bool String(std::string_view) override { return true; }
  bool Key(std::string_view) override { return true; }
  bool OpenObject() override { return true; }
  bool CloseObject() override { return true; }
  bool OpenArray() override { return true; }
  bool CloseArray() override { return true; }
};

}  // namespace

std::optional<TokenFault> ReadJsonTokens(std::string_view text, TokenSink& sink) {
  SaxAdapter adapter(&sink);
  bool done = Json::sax_parse(text.data(), text.data() + text.size(), &adapter);
  std::optional<TokenFault> fault = adapter.TakeFault();
  if (done) {
    // The library takes a NUL after the value for the end of its input; JSON has no place for one.
    size_t nul = text.find('\0');
    if (nul != std::string_view::npos) fault = TokenFault{nul, false, "unexpected NUL byte"};
  }
  if (!fault.has_value()) return std::nullopt;
  fault->offset = std::min(fault->offset, text.size());
  size_t invalid = FindInvalidUtf8(text);
  if (invalid < text.size() && invalid <= fault->offset) {
    return TokenFault{invalid, true, "invalid UTF-8"};
  }
  return fault;
}

std::optional<TokenFault> FindJsonFault(std::string_view text) {
  NullSink sink;
  return ReadJsonTokens(text, sink);
}

}  // namespace stowage
