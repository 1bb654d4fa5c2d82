// Arbitrary bytes as a batch: as one document, as lines, and as lines one by one.
//
// Lines are decoded in one pass where possible, documents never (core/api/decode/batch.cc): both
// must lead to the same cluster, which is then scheduled in the same way.
#include "tests/fuzz/fuzzed_engine.h"
#include "tests/fuzz/fuzzer.h"

namespace stowage {
namespace {

constexpr std::string_view kOptions = R"({"verdictCache":"firstUse","events":true,"moves":true})";
constexpr int32_t kCycles = 20;
constexpr double kBetweenTurnsUs = 400e6;  // longer than any pod stays unschedulable

void ApplyLineByLine(std::string_view text, FuzzedEngine* engine) {
  engine->Apply("", FuzzedEngine::kLines);  // the time comes with the first batch
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    engine->Apply(line, FuzzedEngine::kDocument);
  }
}

void RunTwice(FuzzedEngine* engine, std::string* records) {
  for (size_t turn = 0; turn < 2; ++turn) {
    *records += engine->Run(kCycles);
    engine->Advance(kBetweenTurnsUs);
  }
}

void TryBatch(std::string_view text) {
  FuzzedEngine document(kOptions);
  document.Apply(text, FuzzedEngine::kDocument);
  document.Run(kCycles);

  FuzzedEngine lines(kOptions);
  FuzzedEngine one_by_one(kOptions);
  lines.Apply(text, FuzzedEngine::kLines);
  ApplyLineByLine(text, &one_by_one);
  ExpectSameBytes("lines at once and one by one leave other clusters",
                  lines.Inspect(R"({"cache":true})"), one_by_one.Inspect(R"({"cache":true})"));
  std::string records;
  std::string other_records;
  RunTwice(&lines, &records);
  RunTwice(&one_by_one, &other_records);
  ExpectSameBytes("lines at once and one by one are scheduled in other ways", records,
                  other_records);
  // Applies all of it once more, to the resulting state.
  lines.Apply(text, FuzzedEngine::kLines);
  lines.Run(kCycles);
  lines.Inspect("{}");
}

}  // namespace
}  // namespace stowage

STOWAGE_FUZZER(Batches) {
  stowage::TryBatch({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
