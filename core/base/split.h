// Splits and trims texts like Go's strings package.
#pragma once

#include <string_view>
#include <vector>

namespace stowage {

// The text without Unicode white space at both ends; the text must be UTF-8.
std::string_view TrimSpace(std::string_view text);

// The parts between separators; a text without a separator is one part.
inline std::vector<std::string_view> Split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t end; (end = text.find(separator)) != std::string_view::npos;) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
  return parts;
}

}  // namespace stowage
