#include "core/base/uuid.h"

#include <gtest/gtest.h>

namespace stowage {
namespace {

// Method: the wanted text was made by another program from the digest of "hello".
TEST(UuidOf, HasTheFormOfARandomUuid) {
  EXPECT_EQ(UuidOf("hello"), "2cf24dba-5fb0-430e-a6e8-3b2ac5b9e29e");
  EXPECT_NE(UuidOf("hello"), UuidOf("hello "));
}

}  // namespace
}  // namespace stowage
