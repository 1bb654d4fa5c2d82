// Arbitrary bytes as a question to a small cluster: for Evaluate, the options as one line of JSON
// and then a pod; for Inspect, that line. Answers are the same when repeated and with the verdict
// cache, and no visible state has changed.
#include "tests/fuzz/fuzzed_engine.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/objects.h"

namespace stowage {
namespace {

constexpr std::string_view kState = R"({"cache":true})";

class QueriedEngine {
 public:
  explicit QueriedEngine(std::string_view options) : engine_(options) {
    engine_.Apply(SmallCluster(), FuzzedEngine::kLines);
    engine_.Run(2);  // some pods are placed, the others are there for questions
    state_ = engine_.Inspect(kState);
  }

  std::string RunQueries(std::string_view text) {
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

STOWAGE_FUZZER(Queries) {
  using stowage::QueriedEngine;
  std::string_view text(reinterpret_cast<const char*>(bytes), size);
  QueriedEngine plain(R"({"verdictCache":"off"})");
  QueriedEngine caching(R"({"verdictCache":"firstUse"})");
  stowage::ExpectSameBytes("verdicts are remembered", plain.RunQueries(text),
                           caching.RunQueries(text));
  return 0;
}
