// Goal: inputs that once failed never fail again, on any target and without libFuzzer. Method: the
// fuzzer's own function, over the inputs that are kept in the repository and over some of its
// seeds. A fault aborts; the name of the last test tells the input.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

namespace stowage {
namespace {

// Of processor time. libFuzzer has the same limit, which is far above the need of any input.
constexpr double kSecondsMax = 10;

std::vector<std::string> InputsIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadInput(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void TryInput(std::string_view name, const std::string& input) {
  // In a block of its own, so that sanitizers notice a byte read beyond its end.
  std::vector<uint8_t> bytes(input.begin(), input.end());
  std::clock_t began = std::clock();
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, kSecondsMax) << name;
}

class KeptInputs : public testing::TestWithParam<std::string> {};
class Seeds : public testing::TestWithParam<std::string> {};

TEST_P(KeptInputs, Hold) { TryInput(GetParam(), ReadInput(GetParam())); }
TEST_P(Seeds, Hold) { TryInput(GetParam(), ReadInput(GetParam())); }

TEST(Inputs, NoBytesAreAnInputToo) { TryInput("none", ""); }

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(KeptInputs);
INSTANTIATE_TEST_SUITE_P(Of, KeptInputs, testing::ValuesIn(InputsIn(STOWAGE_KEPT_INPUTS)));
INSTANTIATE_TEST_SUITE_P(Of, Seeds, testing::ValuesIn(InputsIn(STOWAGE_SEEDS)));

}  // namespace
}  // namespace stowage
