// stowage_sim --seeds FROM..TO: the native half of `npm run sim`.
//
// One line per failure, with the command that replays it, then a summary. Exit code 0: all agreed,
// 1: a disagreement, 2: wrong usage.
#include <fmt/format.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "tests/sim/simulation.h"

namespace stowage {
namespace {

constexpr size_t kSteps = 40;
constexpr uint64_t kSeedsBetweenReports = 500;
constexpr size_t kFailuresMax = 10;

struct Seeds {
  uint64_t first = 0;
  uint64_t last = 0;
};

std::optional<uint64_t> ReadNumber(std::string_view text) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

std::optional<Seeds> ReadSeeds(int count, char** arguments) {
  if (count != 3 || std::string_view(arguments[1]) != "--seeds") return std::nullopt;
  std::string_view range = arguments[2];
  size_t dots = range.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  std::optional<uint64_t> first = ReadNumber(range.substr(0, dots));
  std::optional<uint64_t> last = ReadNumber(range.substr(dots + 2));
  if (!first || !last || *last < *first) return std::nullopt;
  return Seeds{*first, *last};
}

void Print(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

uint64_t current_seed = 0;

// Prints the current seed if a failed CHECK, or a signal, ends the program.
void SayWhereItEnds(int signal_number) {
  Print(
      fmt::format("FAILED seed {}: the program ends by signal {}\n"
                  "  again: npm run sim -- --seed {} --half cpp",
                  current_seed, signal_number, current_seed));
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

std::string Summary(const SimulationTally& tally) {
  size_t refusals = 0;
  size_t scores = 0;
  for (const auto& [name, count] : tally.forms.refusals) refusals += count;
  for (const auto& [name, count] : tally.forms.scores) scores += count;
  return fmt::format(
      "{} decisions, {} scheduled, {} preemptions, {} retried; {} with verdicts at hand, {} from "
      "batches; {} refusals and {} scores in two forms; {} pods recounted; {} samples, {} with all "
      "that 100 % finds",
      tally.decisions, tally.scheduled, tally.preempted, tally.retried, tally.cached, tally.hinted,
      refusals, scores, tally.counted, tally.sampled, tally.exhausted);
}

int Main(int count, char** arguments) {
  std::optional<Seeds> seeds = ReadSeeds(count, arguments);
  if (!seeds) {
    std::fputs("Usage: stowage_sim --seeds FROM..TO\n", stderr);
    return 2;
  }
  for (int signal_number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL}) {
    std::signal(signal_number, SayWhereItEnds);
  }
  SimulationTally tally;
  size_t failures = 0;
  uint64_t ran = 0;
  for (uint64_t seed = seeds->first; seed <= seeds->last && failures < kFailuresMax; ++seed) {
    current_seed = seed;
    if (std::optional<SimulationFailure> failure = Simulate(seed, kSteps, &tally)) {
      ++failures;
      Print(fmt::format("FAILED seed {}, step {}: {}\n  again: npm run sim -- --seed {} --half cpp",
                        seed, failure->step, failure->what, seed));
    }
    if (++ran % kSeedsBetweenReports == 0) Print(fmt::format("{} seeds", ran));
  }
  Print(fmt::format("{} seeds, {} failed: {}", ran, failures, Summary(tally)));
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace stowage

int main(int count, char** arguments) { return stowage::Main(count, arguments); }
