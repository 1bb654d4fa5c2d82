// The members of a JSON object, or the items of an array, of which any may be absent.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "tests/fuzz/input_bytes.h"

namespace stowage {

using Forms = std::initializer_list<std::string_view>;

class Members {
 public:
  Members& Add(std::string_view member) {
    if (member.empty()) return *this;
    if (!text_.empty()) text_ += ',';
    text_ += member;
    return *this;
  }
  Members& Add(std::string_view name, std::string_view value) {
    return Add(fmt::format(R"("{}":{})", name, value));
  }
  // Left out if there are none.
  Members& Add(std::string_view name, const Members& members) {
    return members.text_.empty() ? *this : Add(name, members.Object());
  }
  Members& AddItems(std::string_view name, const Members& items) {
    return items.text_.empty() ? *this : Add(name, "[" + items.text_ + "]");
  }
  Members& AddString(std::string_view name, std::string_view text) {
    return Add(name, fmt::format(R"("{}")", text));
  }
  Members& Pick(InputBytes* bytes, Forms forms) { return Add(bytes->Pick(forms)); }

  std::string Object() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

}  // namespace stowage
