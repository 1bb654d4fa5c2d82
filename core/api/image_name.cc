#include "core/api/image_name.h"

#include <string_view>

namespace stowage {

Symbol NormalizedImageName(const Symbol& name) {
  std::string_view text = name.view();
  size_t last_slash = text.rfind('/');
  // A colon before the last slash belongs to the registry's port.
  std::string_view last = last_slash == std::string_view::npos ? text : text.substr(last_slash);
  if (last.find(':') != std::string_view::npos) return name;
  return Symbol(name.str() + ":latest");
}

}  // namespace stowage
