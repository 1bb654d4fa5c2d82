// DescribeJsonFault reports where and why a text is not JSON, with the JSON library's message.
//
// core/api/decode/json_tokens.h reads texts; this reads only the texts that it has rejected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stowage {

// The message is one line of valid UTF-8.
struct JsonFault {
  size_t offset = 0;  // in bytes, at most the size of the text
  bool is_invalid_utf8 = false;
  std::string message;
};

// `text` must not be JSON.
JsonFault DescribeJsonFault(std::string_view text);

}  // namespace stowage
