#include "core/api/resource_text.h"

namespace stowage {
namespace {

std::string PluralOf(std::string_view kind) {
  std::string plural(kind);
  for (char& c : plural) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  bool is_plural = plural.ends_with("endpoints") || plural.ends_with("securitycontextconstraints");
  if (plural.empty() || is_plural) return plural;
  if (plural.back() == 's') return plural + "es";
  if (plural.back() != 'y') return plural + "s";
  plural.pop_back();
  return plural + "ies";
}

}  // namespace

std::string ResourceTextOf(std::string_view api_version, std::string_view kind) {
  size_t slash = api_version.find('/');
  bool has_group = slash != std::string_view::npos;
  std::string text = PluralOf(kind);
  text += '.';
  text += has_group ? api_version.substr(slash + 1) : api_version;
  text += '.';
  if (has_group) text += api_version.substr(0, slash);
  return text;
}

}  // namespace stowage
