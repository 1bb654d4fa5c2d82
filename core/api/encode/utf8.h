// UTF-8 according to RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stowage {

// The size in bytes (1–4) of the well-formed sequence at `offset`; 0 if there is none.
size_t Utf8SequenceSize(std::string_view text, size_t offset);

// The offset of the first byte outside a well-formed sequence; text.size() if there is none.
size_t FindInvalidUtf8(std::string_view text);

// `text` cut to at most `size_max` bytes, but never inside a sequence. Each byte outside a
// well-formed sequence becomes U+FFFD, which may make the result longer than `size_max`.
std::string ToValidUtf8(std::string_view text, size_t size_max = std::string_view::npos);

}  // namespace stowage
