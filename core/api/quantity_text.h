// Conversion between a Quantity and its text: parsing into parts and canonical printing, spec 01
// §5. Private to quantity.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/big_decimal.h"
#include "core/api/quantity.h"
#include "core/base/result.h"

namespace stowage {

// 10^exponent, or 2^exponent for BinarySI.
struct QuantitySuffix {
  int32_t exponent = 0;
  Quantity::Format format = Quantity::Format::kDecimalSI;
};

// A suffix of one or two letters.
std::optional<QuantitySuffix> FindQuantitySuffix(std::string_view text);

// The parts of a text; the views point into it.
struct QuantityText {
  bool is_negative = false;
  bool has_digits = false;    // any digit before the suffix, including leading zeros
  std::string_view integer;   // no leading zeros, at least one digit
  std::string_view fraction;  // digits after the point
  QuantitySuffix suffix;
};

Result<QuantityText, QuantityError> SplitQuantityText(std::string_view text);

// The shortest text with an integer and the largest suffix of the format.
std::string CanonicalQuantityText(BigDecimal number, Quantity::Format format);

}  // namespace stowage
