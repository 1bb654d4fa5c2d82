// Bytes as the choices of an expression of CEL that has the form of one: its evaluator and
// libraries.
#include "tests/fuzz/expression_run.h"
#include "tests/fuzz/expression_text.h"
#include "tests/fuzz/fuzzed_engine.h"
#include "tests/fuzz/fuzzer.h"

STOWAGE_FUZZER(Evaluations) {
  stowage::InputBytes choices({reinterpret_cast<const char*>(bytes), size});
  std::string text = stowage::ExpressionText(&choices).Whole(8);
  stowage::ExpressionRun once = stowage::RunExpression(text, true);
  stowage::ExpectSameBytes("the same once more", once.answer,
                           stowage::RunExpression(text, true).answer);
  return 0;
}
