// The escapes of URLs, "%2F", by the part of a URL that they are in. As in Go's net/url.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stowage::cel {

enum class UrlPart : uint8_t { kPath, kHost, kZone, kUser, kQuery, kFragment };

// Writes the text without escapes. Returns false with the message of the error in `out`.
bool UnescapeUrl(std::string_view text, UrlPart part, std::string* out);

std::string EscapeUrlPath(std::string_view path);

// Whether a path is written with valid escapes, though perhaps with more or fewer than
// EscapeUrlPath would use.
bool IsEscapedUrlPath(std::string_view path);

}  // namespace stowage::cel
