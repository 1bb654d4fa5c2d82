#include "core/api/quantity_text.h"

#include <utility>

#include "core/api/parse_int.h"
#include "core/base/format.h"

namespace stowage {
namespace {

constexpr QuantityError kFormatError{
    "quantities must match the regular expression "
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"};
constexpr QuantityError kSuffixError{"unable to parse quantity's suffix"};

constexpr std::string_view kDecimalSuffixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr std::string_view kBinarySuffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
constexpr int64_t kDecimalExponentMin = -9;
constexpr int64_t kDecimalExponentMax = 18;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsSuffixLetter(char c) {
  return std::string_view("eEinumkKMGTP").find(c) != std::string_view::npos;
}

// Cuts off and returns the longest prefix of `rest` whose characters are all `wanted`.
template <typename Predicate>
std::string_view Take(std::string_view& rest, Predicate wanted) {
  size_t length = 0;
  while (length < rest.size() && wanted(rest[length])) ++length;
  std::string_view taken = rest.substr(0, length);
  rest.remove_prefix(length);
  return taken;
}

std::optional<QuantitySuffix> ParseSuffix(std::string_view text) {
  if (text.empty()) return QuantitySuffix{};
  if (std::optional<QuantitySuffix> known = FindQuantitySuffix(text)) return known;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  std::optional<int64_t> exponent = ParseInt64(text.substr(1));
  if (!exponent) return std::nullopt;
  return QuantitySuffix{static_cast<int32_t>(*exponent), Quantity::Format::kDecimalExponent};
}

// "1Gi" and so on; nullopt for numbers that BinarySI does not print: fractions and less than 1024.
std::optional<std::string> BinaryText(BigDecimal number) {
  constexpr int64_t kPlacesMax = 100;  // far above 2^63, the most that can be parsed
  if (number.PlaceMax() > kPlacesMax || !number.RoundUp(0)) return std::nullopt;
  number.Rescale(0);
  BigDecimal magnitude = number;
  if (magnitude.Sign() < 0) magnitude.Negate();
  if (magnitude.Compare(BigDecimal(1024, 0)) < 0) return std::nullopt;
  size_t suffix = 0;
  while (suffix + 1 < std::size(kBinarySuffixes) && number.DivideExactly(1024)) ++suffix;
  return Format("{}{}{}", number.Sign() < 0 ? "-" : "", number.Digits(), kBinarySuffixes[suffix]);
}

}  // namespace

std::optional<QuantitySuffix> FindQuantitySuffix(std::string_view text) {
  bool is_binary = text.size() == 2 && text[1] == 'i';
  if (!is_binary && text.size() != 1) return std::nullopt;
  int32_t thousands = 0;
  switch (text[0]) {
    case 'n':
      thousands = -3;
      break;
    case 'u':
      thousands = -2;
      break;
    case 'm':
      thousands = -1;
      break;
    case 'k':
    case 'K':
      thousands = 1;
      break;
    case 'M':
      thousands = 2;
      break;
    case 'G':
      thousands = 3;
      break;
    case 'T':
      thousands = 4;
      break;
    case 'P':
      thousands = 5;
      break;
    case 'E':
      thousands = 6;
      break;
    default:
      return std::nullopt;
  }
  // Kilo is "k" but kibi is "Ki"; there is no binary fraction.
  if (text[0] == (is_binary ? 'k' : 'K') || (is_binary && thousands < 0)) return std::nullopt;
  return is_binary ? QuantitySuffix{thousands * 10, Quantity::Format::kBinarySI}
                   : QuantitySuffix{thousands * 3, Quantity::Format::kDecimalSI};
}

Result<QuantityText, QuantityError> SplitQuantityText(std::string_view text) {
  if (text.empty()) return kFormatError;
  QuantityText parts;
  std::string_view rest = text;
  if (rest[0] == '+' || rest[0] == '-') {
    parts.is_negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  parts.has_digits = !Take(rest, [](char c) { return c == '0'; }).empty();
  parts.integer = Take(rest, IsDigit);
  if (!rest.empty() && rest[0] == '.') {
    rest.remove_prefix(1);
    parts.fraction = Take(rest, IsDigit);
  }
  parts.has_digits = parts.has_digits || !parts.integer.empty() || !parts.fraction.empty();
  if (parts.integer.empty()) parts.integer = "0";

  std::string_view suffix = rest;
  Take(rest, IsSuffixLetter);
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) rest.remove_prefix(1);
  Take(rest, IsDigit);
  if (!rest.empty()) return kFormatError;
  std::optional<QuantitySuffix> parsed = ParseSuffix(suffix);
  if (!parsed) return kSuffixError;
  parts.suffix = *parsed;
  return parts;
}

std::string CanonicalQuantityText(BigDecimal number, Quantity::Format format) {
  if (number.Sign() == 0) return "0";
  if (format == Quantity::Format::kBinarySI) {
    if (std::optional<std::string> text = BinaryText(number)) return *std::move(text);
    format = Quantity::Format::kDecimalSI;
  }
  std::string digits = number.Digits();
  size_t length = digits.find_last_not_of('0') + 1;
  int64_t exponent = number.scale() + static_cast<int64_t>(digits.size() - length);
  digits.resize(length);
  for (; exponent % 3 != 0; --exponent) digits.push_back('0');
  std::string_view sign = number.Sign() < 0 ? "-" : "";
  bool has_suffix = exponent >= kDecimalExponentMin && exponent <= kDecimalExponentMax;
  if (format == Quantity::Format::kDecimalSI && has_suffix) {
    return Format("{}{}{}", sign, digits, kDecimalSuffixes[(exponent - kDecimalExponentMin) / 3]);
  }
  // The reference drops a DecimalSI suffix above "E" entirely; other exponents are printed.
  return exponent == 0 ? Format("{}{}", sign, digits) : Format("{}{}e{}", sign, digits, exponent);
}

}  // namespace stowage
