#include "core/api/parse_int.h"

#include <gtest/gtest.h>

#include <limits>

namespace stowage {
namespace {

TEST(ParseInt64, ParsesLikeGo) {
  struct {
    std::string_view text;
    std::optional<int64_t> want;
  } cases[] = {
      {"0", 0},
      {"-0", 0},
      {"+7", 7},
      {"0206", 206},
      {"-0206", -206},
      {"9223372036854775807", std::numeric_limits<int64_t>::max()},
      {"-9223372036854775808", std::numeric_limits<int64_t>::min()},
      {"9223372036854775808", std::nullopt},
      {"-9223372036854775809", std::nullopt},
      {"92233720368547758070", std::nullopt},
      {"", std::nullopt},
      {"-", std::nullopt},
      {"+-1", std::nullopt},
      {" 1", std::nullopt},
      {"1 ", std::nullopt},
      {"1_000", std::nullopt},
      {"0x10", std::nullopt},
      {"1.0", std::nullopt},
      {"a", std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(ParseInt64(c.text), c.want) << c.text;
}

}  // namespace
}  // namespace stowage
