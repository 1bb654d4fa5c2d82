// Arbitrary bytes as an expression of CEL: its lexer, parser and checker.
#include "tests/fuzz/expression_run.h"
#include "tests/fuzz/fuzzed_engine.h"
#include "tests/fuzz/fuzzer.h"

STOWAGE_FUZZER(Expressions) {
  std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (bool has_lists : {false, true}) {
    stowage::ExpressionRun once = stowage::RunExpression(text, has_lists);
    stowage::ExpectSameBytes("the same once more", once.answer,
                             stowage::RunExpression(text, has_lists).answer);
  }
  return 0;
}
