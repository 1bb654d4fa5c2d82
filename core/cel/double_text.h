// Doubles as text, like Go's strconv.FormatFloat.
#pragma once

#include <string>

namespace stowage::cel {

// The shortest text that parses to the same number, format 'g': "1.5", "1e+06", "NaN", "+Inf".
std::string DoubleText(double value);

// The same digits without an exponent, format 'f': "1000000".
std::string PlainDoubleText(double value);

// With that many digits behind the point: "1.50", and "1.50e+00". The number is finite.
std::string FixedDoubleText(double value, int precision);
std::string ScientificDoubleText(double value, int precision);

}  // namespace stowage::cel
