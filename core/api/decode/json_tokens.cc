#include "core/api/decode/json_tokens.h"

#include "core/api/decode/json_reader.h"

namespace stowage {
namespace {

// A byte order mark before the value is skipped.
JsonReader ReaderOf(std::string_view text) {
  JsonReader reader(text, {});
  reader.SkipByteOrderMark();
  return reader;
}

}  // namespace

std::optional<JsonFault> ReadJsonTokens(std::string_view text, TokenSink& sink) {
  JsonReader reader = ReaderOf(text);
  bool is_stopped = !reader.WalkValue(sink) && !reader.has_failed();
  if (is_stopped || reader.IsAtEnd()) return std::nullopt;
  return DescribeJsonFault(text);
}

std::optional<JsonFault> FindJsonFault(std::string_view text) {
  JsonReader reader = ReaderOf(text);
  if (reader.SkipValue() && reader.IsAtEnd()) return std::nullopt;
  return DescribeJsonFault(text);
}

}  // namespace stowage
