// TokenSink receives the tokens of a JSON text in order. It separates the reader of JSON text
// (core/api/decode/json_tokens.h) from the builders of values.
#pragma once

#include <string_view>

namespace stowage {

// Views are valid during the call only. A method returns false to stop the reading.
class TokenSink {
 public:
  virtual ~TokenSink() = default;

  virtual bool Null() = 0;
  virtual bool Bool(bool value) = 0;
  // Passes the number's own text, because a quantity keeps its form ("1e3").
  virtual bool Number(std::string_view text) = 0;
  virtual bool String(std::string_view text) = 0;
  virtual bool Key(std::string_view text) = 0;
  virtual bool OpenObject() = 0;
  virtual bool CloseObject() = 0;
  virtual bool OpenArray() = 0;
  virtual bool CloseArray() = 0;
};

}  // namespace stowage
