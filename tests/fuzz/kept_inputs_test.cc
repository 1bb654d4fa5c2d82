// Goal: inputs that once failed never fail again, on any target and without libFuzzer. Method: each
// fuzzer's own function, over the inputs that are kept in the repository and over some of its
// seeds. A fault aborts; the parameter of the last test is the input's file.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzzer.h"

namespace stowage {
namespace {

// Of processor time. libFuzzer has the same limit, which is far above the need of any input.
constexpr double kSecondsMax = 10;

struct NamedFuzzer {
  std::string name;  // also of its folder of inputs
  Fuzzer* run;
};

const std::vector<NamedFuzzer>& Fuzzers() {
  static const auto* fuzzers = new std::vector<NamedFuzzer>{
      {"configuration", FuzzConfiguration}, {"batches", FuzzBatches},
      {"sequences", FuzzSequences},         {"queries", FuzzQueries},
      {"expressions", FuzzExpressions},     {"evaluations", FuzzEvaluations},
  };
  return *fuzzers;
}

// The files in the fuzzers' folders, which need not exist.
std::vector<std::string> InputsBelow(const std::string& folder) {
  std::vector<std::string> files;
  for (const NamedFuzzer& fuzzer : Fuzzers()) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder + fuzzer.name, error)) {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Fuzzer* FuzzerOf(const std::string& file) {
  std::string name = std::filesystem::path(file).parent_path().filename().string();
  auto found = std::find_if(Fuzzers().begin(), Fuzzers().end(),
                            [&](const NamedFuzzer& fuzzer) { return fuzzer.name == name; });
  return found->run;
}

std::string ReadInput(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void TryInput(Fuzzer* run, std::string_view name, const std::string& input) {
  // In a block of its own, so that sanitizers notice a byte read beyond its end.
  std::vector<uint8_t> bytes(input.begin(), input.end());
  std::clock_t began = std::clock();
  run(bytes.data(), bytes.size());
  double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, kSecondsMax) << name;
}

class KeptInputs : public testing::TestWithParam<std::string> {};
class Seeds : public testing::TestWithParam<std::string> {};

TEST_P(KeptInputs, Hold) { TryInput(FuzzerOf(GetParam()), GetParam(), ReadInput(GetParam())); }
TEST_P(Seeds, Hold) { TryInput(FuzzerOf(GetParam()), GetParam(), ReadInput(GetParam())); }

TEST(Inputs, NoBytesAreAnInputToo) {
  for (const NamedFuzzer& fuzzer : Fuzzers()) TryInput(fuzzer.run, fuzzer.name, "");
}

TEST(Inputs, EveryFuzzerHasSeeds) {
  for (const NamedFuzzer& fuzzer : Fuzzers()) {
    std::error_code error;
    bool is_empty = std::filesystem::is_empty(STOWAGE_SEEDS + fuzzer.name, error);
    EXPECT_TRUE(!error && !is_empty) << fuzzer.name;
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(KeptInputs);
INSTANTIATE_TEST_SUITE_P(Of, KeptInputs, testing::ValuesIn(InputsBelow(STOWAGE_KEPT_INPUTS)));
INSTANTIATE_TEST_SUITE_P(Of, Seeds, testing::ValuesIn(InputsBelow(STOWAGE_SEEDS)));

}  // namespace
}  // namespace stowage
