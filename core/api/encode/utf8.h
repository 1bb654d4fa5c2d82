// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stowage {

// Bytes of the well-formed sequence at `offset` (1–4), 0 when there is none.
size_t Utf8SequenceSize(std::string_view text, size_t offset);

// Offset of the first byte that belongs to no well-formed sequence; text.size() when all is well.
size_t FindInvalidUtf8(std::string_view text);

// `text` cut to at most `size_max` bytes, never inside a sequence; each byte that belongs to no
// well-formed sequence becomes U+FFFD (and may make the result longer).
std::string ToValidUtf8(std::string_view text, size_t size_max = std::string_view::npos);

}  // namespace stowage
