// NamedFormat is one of the formats that Kubernetes' format library can validate texts with.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::cel {

struct NamedFormat {
  std::string_view name;  // "dns1123Label"
  // The size of a pattern for the format, for costs.
  uint32_t pattern_size;
  // The messages about a text that does not have the format; none if it does.
  std::vector<std::string> (*validate)(std::string_view text);
};

std::span<const NamedFormat> NamedFormats();

}  // namespace stowage::cel
