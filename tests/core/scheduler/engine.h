// Engine is a Scheduler in a test: it takes objects and commands as JSON, and returns answers as
// JSON trees.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/scheduler/scheduler.h"
#include "tests/core/scheduler/json_tree.h"
#include "tests/support/fake_plugin.h"

namespace stowage {

// A Node's JSON. The texts after the name are members: R"("cpu":"4")".
struct NodeText {
  std::string name;
  std::string allocatable = R"("cpu":"4","memory":"8Gi","pods":"110")";
  std::string metadata = {};
  std::string spec = {};
  std::string status = {};

  operator std::string() const {  // NOLINT: implicit on purpose
    return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name + R"(","uid":"node-)" +
           name + "\"" + More(metadata) + R"(},"spec":{)" + spec +
           R"(},"status":{"allocatable":{)" + allocatable + "}" + More(status) + "}}";
  }
  static std::string More(const std::string& members) {
    return members.empty() ? "" : "," + members;
  }
};

// A Pod's JSON in namespace "default"; its uid follows its name.
struct PodText {
  std::string name;
  std::string cpu = "1";
  std::string node = {};
  int priority = 0;
  std::string scheduler = "default-scheduler";
  std::string uid = {};
  std::string metadata = {};
  std::string spec = {};
  std::string status = {};

  operator std::string() const {  // NOLINT: implicit on purpose
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
           R"(","namespace":"default","uid":")" + (uid.empty() ? "uid-" + name : uid) + "\"" +
           NodeText::More(metadata) + R"(},"spec":{"schedulerName":")" + scheduler +
           R"(","priority":)" + std::to_string(priority) +
           (node.empty() ? "" : R"(,"nodeName":")" + node + "\"") +
           R"(,"containers":[{"name":"c","resources":{"requests":{"cpu":")" + cpu + R"("}}}])" +
           NodeText::More(spec) + R"(},"status":{)" + status + "}}";
  }
};

inline std::string Event(std::string_view type, const std::string& object) {
  return R"({"type":")" + std::string(type) + R"(","object":)" + object + "}";
}

// The answer to a call.
inline std::string Completed(const JsonTree& call, int status, std::string_view body = "") {
  std::string text = R"({"type":"COMPLETION","call":)" + call["id"].text() + R"(,"status":)" +
                     std::to_string(status) + R"(,"body":)";
  AppendJsonString(body, &text);
  return text + "}";
}

class Engine {
 public:
  static constexpr Instant kNow{1'000'000, 0};

  explicit Engine(std::string_view options = "{}", std::string_view configuration = "")
      : scheduler_(Scheduler::New(options, configuration).Take()) {}
  // Adds plugins outside the core after the default ones. `options` are members.
  Engine(const std::vector<FakeBehavior>& plugins, const std::string& options) {
    std::string declared;
    std::string enabled;
    for (const FakeBehavior& plugin : plugins) {
      std::string name = R"({"name":")" + plugin.name + "\"}";
      declared += (declared.empty() ? "" : ",") + name;
      enabled += (enabled.empty() ? "" : ",") + name;
    }
    auto make = [&plugins](const PluginDeclaration& declaration) {
      for (const FakeBehavior& plugin : plugins) {
        if (plugin.name == declaration.name) return EntryOf(plugin, FakePointsOf(plugin));
      }
      return Registry::Entry();
    };
    scheduler_ = Scheduler::New(R"({"plugins":[)" + declared + "]" + NodeText::More(options) + "}",
                                R"({"apiVersion":"kubescheduler.config.k8s.io/v1",)"
                                R"("kind":"KubeSchedulerConfiguration","profiles":[{"plugins":)"
                                R"({"multiPoint":{"enabled":[)" +
                                    enabled + "]}}}]}",
                                make)
                     .Take();
  }

  // A fork of the scheduler, at the same time.
  Engine Fork() const {
    Engine fork(scheduler_->Fork());
    fork.now_ = now_;
    return fork;
  }

  void Begin() {
    scheduler_->Begin();
    begun_.push_back(now_);
  }
  void Revert() {
    scheduler_->Revert();
    now_ = begun_.back();
    begun_.pop_back();
  }
  bool CanCommit() const { return scheduler_->CanCommit(); }
  void Commit() {
    scheduler_->Commit();
    begun_.pop_back();
  }

  // Applies lines and expects no errors.
  Engine& Add(const std::vector<std::string>& lines) {
    JsonTree result = Apply(lines);
    EXPECT_EQ(result["errors"].size(), 0u) << log_;
    EXPECT_EQ(result["ignored"].text(), "0") << log_;
    return *this;
  }
  // Applies lines and returns the ApplyResult.
  JsonTree Apply(const std::vector<std::string>& lines) {
    std::string bytes;
    for (const std::string& line : lines) bytes += line + "\n";
    return JsonTree::Parse(Answer(
        [&](std::string* out) { scheduler_->Apply(now_, bytes, BatchFormat::kLines, out); }));
  }

  // Runs one turn and returns its records as text.
  std::string RunText(size_t max_cycles = 1000) {
    return Answer([&](std::string* out) { scheduler_->Run(now_, max_cycles, out); });
  }
  // Runs one turn and returns its records; the Turn is the last. Its calls are in calls().
  std::vector<JsonTree> RunAll(size_t max_cycles = 1000) {
    std::string text = RunText(max_cycles);
    std::vector<JsonTree> records;
    calls_.clear();
    for (size_t begin = 0; begin < text.size();) {
      size_t end = text.find('\n', begin);
      EXPECT_NE(end, std::string::npos) << "every record ends its line";
      if (end == std::string::npos) break;
      JsonTree record = JsonTree::Parse(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
      if (record["kind"].text() == "Call") {
        auto size = static_cast<size_t>(record["bodyBytes"].number());
        calls_.emplace_back(std::move(record), text.substr(begin, size));
        begin += size;
      } else {
        records.push_back(std::move(record));
      }
    }
    EXPECT_FALSE(records.empty());
    EXPECT_EQ(records.back()["kind"].text(), "Turn");
    return records;
  }
  // Runs one turn and returns its decisions; the Turn is the last.
  std::vector<JsonTree> Run(size_t max_cycles = 1000) {
    std::vector<JsonTree> records = RunAll(max_cycles);
    std::erase_if(records, [](const JsonTree& record) {
      return record["kind"].text() != "Decision" && record["kind"].text() != "Turn";
    });
    return records;
  }
  // Runs one turn and returns its records of one kind.
  std::vector<JsonTree> RunFor(std::string_view kind) {
    std::vector<JsonTree> records = RunAll();
    std::erase_if(records, [kind](const JsonTree& one) { return one["kind"].text() != kind; });
    return records;
  }
  // The calls of the last turn, each with its body.
  const std::vector<std::pair<JsonTree, std::string>>& calls() const { return calls_; }
  // The first call with that verb; a missing value if there is none.
  JsonTree CallFor(std::string_view verb) const {
    for (const auto& [call, body] : calls_) {
      if (call["verb"].text() == verb) return call;
    }
    return {};
  }
  // Runs one turn and returns its decisions: "p@node " for placed pods, "p:result " for the others.
  std::string Decide(size_t max_cycles = 1000) {
    std::string decisions;
    for (const JsonTree& record : Run(max_cycles)) {
      if (record["kind"].text() != "Decision") continue;
      decisions += record["pod"].text().substr(std::string_view("default/").size());
      decisions +=
          record["node"].is_null() ? ":" + record["result"].text() : "@" + record["node"].text();
      decisions += " ";
    }
    return decisions;
  }

  // Sets the time of all later calls.
  void set_now(Instant now) { now_ = now; }
  void Sleep(int64_t us) { now_ = Instant::FromMicros(now_.ToMicros() + us); }

  // Evaluates and appends the answer's text.
  bool EvaluateText(std::string_view options, std::string* out, std::string_view pod = "") {
    return scheduler_->Evaluate(now_, options, pod, out);
  }
  // Evaluates and returns the Evaluation, or the error document; `succeeds` is the expectation.
  JsonTree Evaluate(std::string_view options, std::string_view pod = "", bool succeeds = true) {
    return JsonTree::Parse(Answer([&](std::string* out) {
      EXPECT_EQ(scheduler_->Evaluate(kNow, options, pod, out), succeeds) << *out;
    }));
  }
  std::string InspectText(std::string_view query, bool succeeds = true) {
    return Answer(
        [&](std::string* out) { EXPECT_EQ(scheduler_->Inspect(query, out), succeeds) << *out; });
  }
  JsonTree Inspect(std::string_view query, bool succeeds = true) {
    return JsonTree::Parse(InspectText(query, succeeds));
  }

  // The answers, and refusals, of queries about everything: the whole state visible from outside.
  std::string StateText(const std::vector<std::string>& nodes,
                        const std::vector<std::string>& pods) const {
    std::string state;
    scheduler_->Inspect("{}", &state);
    for (const std::string& name : nodes) {
      scheduler_->Inspect(R"({"node":")" + name + R"("})", &state);
    }
    for (const std::string& name : pods) {
      scheduler_->Inspect(R"({"pod":"default/)" + name + R"("})", &state);
    }
    return state;
  }

  // All answers so far, concatenated.
  const std::string& log() const { return log_; }

 private:
  explicit Engine(std::unique_ptr<Scheduler> scheduler) : scheduler_(std::move(scheduler)) {}

  template <typename Call>
  std::string Answer(const Call& call) {
    std::string text;
    call(&text);
    log_ += text + "\n";
    return text;
  }

  Instant now_ = kNow;
  std::vector<Instant> begun_;  // the times at which the open transactions began
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<std::pair<JsonTree, std::string>> calls_;
  std::string log_;
};

}  // namespace stowage
