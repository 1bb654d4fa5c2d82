#include "tests/fuzz/fuzzed_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "core/api/decode/json_tokens.h"
#include "core/base/check.h"

namespace stowage {
namespace {

// Bytes that are printed around the first difference.
constexpr size_t kShownBytes = 300;

[[maybe_unused]] const bool kReportsChecks = [] {
  SetCheckHandler([](const char* place) { FailInput(place); });
  return true;
}();

// The size of the raw body that follows a Call's line.
size_t BodyBytesAfter(std::string_view line) {
  constexpr std::string_view kCall = R"({"kind":"Call")";
  constexpr std::string_view kMember = R"("bodyBytes":)";
  size_t at = line.rfind(kMember);
  if (!line.starts_with(kCall) || at == std::string_view::npos) return 0;
  size_t size = 0;
  std::from_chars(line.data() + at + kMember.size(), line.data() + line.size(), size);
  return size;
}

// An answer is one value, or lines of values with the bodies of calls between them.
void ExpectJson(std::string_view call, std::string_view answer) {
  for (std::string_view rest = answer; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    if (std::optional<JsonFault> fault = FindJsonFault(line)) {
      FailInput(fmt::format("{} answers no JSON, {}: {}", call, fault->message, line));
    }
    size_t passed = line.size() + 1 + BodyBytesAfter(line);
    rest.remove_prefix(std::min(passed, rest.size()));
  }
}

}  // namespace

void FailInput(std::string_view what) {
  std::fprintf(stderr, "FAILED: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void ExpectSameBytes(std::string_view what, std::string_view one, std::string_view other) {
  if (one == other) return;
  auto [parts, other_parts] = std::ranges::mismatch(one, other);
  auto at = static_cast<size_t>(parts - one.begin());
  size_t from = at > kShownBytes ? at - kShownBytes : 0;
  FailInput(fmt::format("{}, from byte {}\n  one:   {}\n  other: {}", what, from,
                        one.substr(from, 2 * kShownBytes), other.substr(from, 2 * kShownBytes)));
}

FuzzedEngine::FuzzedEngine(std::string_view text) {
  int32_t answered = surface_.Create(Input(text), nullptr);
  if (answered > 0) {
    handle_ = answered;
    answer_.clear();
  } else {
    Take("Create", answered);
  }
}

FuzzedEngine::~FuzzedEngine() {
  if (ok() && surface_.Destroy(handle_) != 0) FailInput("Destroy refuses");
}

const std::string& FuzzedEngine::Apply(std::string_view batch, int32_t format) {
  size_t size = Input(batch);
  return Take("Apply", surface_.Apply(handle_, now_us_, format, size));
}

const std::string& FuzzedEngine::Run(int32_t max_cycles) {
  return Take("Run", surface_.Run(handle_, now_us_, max_cycles));
}

const std::string& FuzzedEngine::Evaluate(std::string_view text) {
  size_t size = Input(text);
  return Take("Evaluate", surface_.Evaluate(handle_, now_us_, size));
}

const std::string& FuzzedEngine::Inspect(std::string_view query) {
  return Take("Inspect", surface_.Inspect(handle_, Input(query)));
}

size_t FuzzedEngine::Input(std::string_view text) {
  std::ranges::copy(text, surface_.Input(text.size()).begin());
  return text.size();
}

const std::string& FuzzedEngine::Take(std::string_view call, int32_t answered) {
  if (answered < 0 && answered != Surface::kFailed) {
    FailInput(fmt::format("{} is refused with {}", call, answered));
  }
  auto output = surface_.Output();
  answer_.assign(output.begin(), output.end());
  if (answered == Surface::kFailed && answer_.empty()) FailInput("a refusal without its reason");
  ExpectJson(call, answer_);
  return answer_;
}

}  // namespace stowage
