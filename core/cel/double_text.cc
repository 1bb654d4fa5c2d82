#include "core/cel/double_text.h"

#include <fmt/compile.h>

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/base/format.h"

namespace stowage::cel {
namespace {

// ± 0.DIGITS · 10^point; no digits for 0.
struct Decimal {
  bool is_negative = false;
  std::string digits;
  int point = 0;
};

// The longest shortest text of a double, such as 2.2250738585072014e-308, fits.
constexpr size_t kShortestMax = 32;

Decimal ShortestDecimal(double value) {
  Decimal decimal;
  decimal.is_negative = std::signbit(value);
  char buffer[kShortestMax];
  std::string_view text(buffer, fmt::format_to(buffer, FMT_COMPILE("{}"), std::fabs(value)));
  size_t exponent = text.find('e');
  bool is_behind_point = false;
  for (char c : text.substr(0, exponent)) {
    if (c == '.') {
      is_behind_point = true;
    } else if (c != '0' || !decimal.digits.empty()) {
      decimal.digits += c;
      if (!is_behind_point) ++decimal.point;
    } else if (is_behind_point) {
      --decimal.point;
    }
  }
  if (exponent != std::string_view::npos) {
    decimal.point += std::atoi(std::string(text.substr(exponent + 1)).c_str());
  }
  while (!decimal.digits.empty() && decimal.digits.back() == '0') decimal.digits.pop_back();
  if (decimal.digits.empty()) decimal.point = 0;
  return decimal;
}

std::string SpecialText(double value) {
  return std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

std::string Plain(const Decimal& decimal) {
  std::string text = decimal.is_negative ? "-" : "";
  auto count = static_cast<int>(decimal.digits.size());
  if (decimal.point <= 0) {
    text += '0';
    if (count > 0) text += '.';
    text.append(static_cast<size_t>(-decimal.point), '0');
    return text + decimal.digits;
  }
  auto whole = static_cast<size_t>(decimal.point);
  if (decimal.point >= count) {
    return text.append(decimal.digits).append(whole - decimal.digits.size(), '0');
  }
  return text.append(decimal.digits, 0, whole).append(".").append(decimal.digits, whole);
}

}  // namespace

std::string DoubleText(double value) {
  constexpr int kExponentMin = -4;
  constexpr int kPlainDigits = 6;
  if (!std::isfinite(value)) return SpecialText(value);
  Decimal decimal = ShortestDecimal(value);
  int exponent = decimal.digits.empty() ? 0 : decimal.point - 1;
  if (exponent >= kExponentMin && exponent < kPlainDigits) return Plain(decimal);
  std::string text = decimal.is_negative ? "-" : "";
  text += decimal.digits[0];
  if (decimal.digits.size() > 1) text.append(".").append(decimal.digits, 1);
  return text + Format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string PlainDoubleText(double value) {
  return std::isfinite(value) ? Plain(ShortestDecimal(value)) : SpecialText(value);
}

std::string FixedDoubleText(double value, int precision) {
  return fmt::format(FMT_COMPILE("{:.{}f}"), value, precision);
}

std::string ScientificDoubleText(double value, int precision) {
  return fmt::format(FMT_COMPILE("{:.{}e}"), value, precision);
}

}  // namespace stowage::cel
