// FuzzedEngine is one scheduler behind the boundary, for arbitrary inputs. Every call checks the
// invariants of answers: they are JSON in UTF-8, and no handle is stale.
//
// A fault of the engine, including a failed CHECK, prints its reason and aborts: libFuzzer then
// keeps the input, and a GoogleTest program fails.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wasm/surface.h"

namespace stowage {

// Prints the broken invariant and aborts.
[[noreturn]] void FailInput(std::string_view what);

// Aborts unless both are the same bytes. Prints the first difference.
void ExpectSameBytes(std::string_view what, std::string_view one, std::string_view other);

class FuzzedEngine {
 public:
  static constexpr int32_t kDocument = 0;
  static constexpr int32_t kLines = 1;
  static constexpr double kStartUs = 1'767'225'600e6;  // 2026-01-01

  // `text` is the options as one line of JSON, then the configuration (may be empty).
  explicit FuzzedEngine(std::string_view text);
  ~FuzzedEngine();
  FuzzedEngine(const FuzzedEngine&) = delete;
  FuzzedEngine& operator=(const FuzzedEngine&) = delete;

  // False if the options or the configuration were refused; `answer` has the reason.
  bool ok() const { return handle_ > 0; }
  // The output of the last call.
  const std::string& answer() const { return answer_; }

  // Each returns its output.
  const std::string& Apply(std::string_view batch, int32_t format);
  const std::string& Run(int32_t max_cycles);
  // `text` is the options as one line of JSON, then a pod (may be empty).
  const std::string& Evaluate(std::string_view text);
  const std::string& Inspect(std::string_view query);

  void Advance(double us) { now_us_ += us; }

 private:
  size_t Input(std::string_view text);
  const std::string& Take(std::string_view call, int32_t answered);

  Surface surface_;
  int32_t handle_ = 0;
  double now_us_ = kStartUs;
  std::string answer_;
};

}  // namespace stowage
