// Arbitrary bytes as a question to a small cluster: for Evaluate, the options as one line of JSON
// and then a pod; for Inspect, that line. Answers are the same when repeated and with the verdict
// cache, and no visible state has changed.
#include "tests/fuzz/fuzzed_engine.h"
#include "tests/fuzz/objects.h"

namespace stowage {
namespace {

constexpr std::string_view kState = R"({"cache":true})";

class AskedEngine {
 public:
  explicit AskedEngine(std::string_view options) : engine_(options) {
    engine_.Apply(SmallCluster(), FuzzedEngine::kLines);
    engine_.Run(2);  // some pods are placed, the others are there for questions
    state_ = engine_.Inspect(kState);
  }

  std::string Ask(std::string_view text) {
    std::string line(text.substr(0, text.find('\n')));
    std::string evaluation = engine_.Evaluate(text);
    ExpectSameBytes("asked again", evaluation, engine_.Evaluate(text));
    std::string inspection = engine_.Inspect(line);
    ExpectSameBytes("inspected again", inspection, engine_.Inspect(line));
    ExpectSameBytes("a question leaves a trace", state_, engine_.Inspect(kState));
    return evaluation + inspection;
  }

 private:
  FuzzedEngine engine_;
  std::string state_;
};

}  // namespace
}  // namespace stowage

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using stowage::AskedEngine;
  std::string_view text(reinterpret_cast<const char*>(bytes), size);
  AskedEngine plain(R"({"verdictCache":"off"})");
  AskedEngine remembering(R"({"verdictCache":"firstUse"})");
  stowage::ExpectSameBytes("verdicts are remembered", plain.Ask(text), remembering.Ask(text));
  return 0;
}
