// Arbitrary bytes as the input of a new scheduler: the options as one line of JSON, then a
// KubeSchedulerConfiguration. An accepted one has to work: it schedules a small cluster twice, with
// the same bytes.
#include <fmt/format.h>

#include "tests/fuzz/fuzzed_engine.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/objects.h"

namespace stowage {
namespace {

constexpr int32_t kCycles = 20;
constexpr size_t kTurns = 3;
constexpr double kBetweenTurnsUs = 61e6;

std::string RunWith(std::string_view text) {
  FuzzedEngine engine(text);
  std::string said = engine.answer();
  if (!engine.ok()) return said;
  said += engine.Apply(SmallCluster(), FuzzedEngine::kLines);
  for (size_t turn = 0; turn < kTurns; ++turn) {
    said += engine.Run(kCycles);
    engine.Advance(kBetweenTurnsUs);
  }
  said += engine.Evaluate(R"({"pod":"default/p1","detail":"table","classify":true})");
  said += engine.Inspect(R"({"metrics":true})");
  return said + engine.Inspect(R"({"cache":true})");
}

}  // namespace
}  // namespace stowage

STOWAGE_FUZZER(Configuration) {
  std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::string once = stowage::RunWith(text);
  stowage::ExpectSameBytes("the same once more", once, stowage::RunWith(text));
  return 0;
}
