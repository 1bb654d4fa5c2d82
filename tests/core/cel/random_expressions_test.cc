// Goal: no expression crashes the engine, and the work of each is bounded. Method: expressions by
// seed, and the same with characters changed; tests/fuzz has the same forms for a fuzzer.
#include <gtest/gtest.h>

#include <string>

#include "core/base/rng.h"
#include "core/cel/program.h"
#include "tests/fuzz/expression_run.h"
#include "tests/fuzz/expression_text.h"

namespace stowage {
namespace {

constexpr int kSeeds = 1500;

std::string RandomBytes(Rng* rng, size_t size) {
  std::string bytes;
  for (size_t at = 0; at < size; ++at) bytes += static_cast<char>(rng->Next() & 0xff);
  return bytes;
}

TEST(RandomExpressions, AreBounded) {
  int compiled = 0;
  int evaluated = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Rng rng(static_cast<uint64_t>(seed));
    std::string choices = RandomBytes(&rng, 60);
    InputBytes bytes(choices);
    std::string text = ExpressionText(&bytes).Whole(6);
    ExpressionRun run = RunExpression(text, true);
    EXPECT_LE(run.cost, cel::kCostMax + 10'000) << text;
    EXPECT_EQ(run.answer, RunExpression(text, true).answer) << text;
    compiled += run.has_compiled ? 1 : 0;
    evaluated += run.answer == "true" || run.answer == "false" ? 1 : 0;
    // Most changes make a syntax error, some another expression.
    text[rng.Next() % text.size()] = static_cast<char>(rng.Next() & 0x7f);
    EXPECT_FALSE(RunExpression(text, false).answer.empty()) << text;
  }
  EXPECT_GT(compiled, kSeeds / 2);
  EXPECT_GT(evaluated, kSeeds / 30);
}

}  // namespace
}  // namespace stowage
