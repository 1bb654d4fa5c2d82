#include "core/base/split.h"

#include <algorithm>

namespace stowage {
namespace {

// The characters for which Go's unicode.IsSpace is true.
constexpr std::string_view kSpaces[] = {" ",
                                        "\t",
                                        "\n",
                                        "\v",
                                        "\f",
                                        "\r",
                                        "\xC2\x85",
                                        "\xC2\xA0",
                                        "\xE1\x9A\x80",
                                        "\xE2\x80\x80",
                                        "\xE2\x80\x81",
                                        "\xE2\x80\x82",
                                        "\xE2\x80\x83",
                                        "\xE2\x80\x84",
                                        "\xE2\x80\x85",
                                        "\xE2\x80\x86",
                                        "\xE2\x80\x87",
                                        "\xE2\x80\x88",
                                        "\xE2\x80\x89",
                                        "\xE2\x80\x8A",
                                        "\xE2\x80\xA8",
                                        "\xE2\x80\xA9",
                                        "\xE2\x80\xAF",
                                        "\xE2\x81\x9F",
                                        "\xE3\x80\x80"};

bool IsPlain(char c) { return c > ' ' && static_cast<unsigned char>(c) < 0x80; }

}  // namespace

std::string_view TrimSpace(std::string_view text) {
  auto starts = [&](std::string_view space) { return text.starts_with(space); };
  auto ends = [&](std::string_view space) { return text.ends_with(space); };
  while (!text.empty() && !IsPlain(text.front())) {
    const auto* space = std::find_if(std::begin(kSpaces), std::end(kSpaces), starts);
    if (space == std::end(kSpaces)) break;
    text.remove_prefix(space->size());
  }
  while (!text.empty() && !IsPlain(text.back())) {
    const auto* space = std::find_if(std::begin(kSpaces), std::end(kSpaces), ends);
    if (space == std::end(kSpaces)) break;
    text.remove_suffix(space->size());
  }
  return text;
}

}  // namespace stowage
