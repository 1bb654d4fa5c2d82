// Engine is a Scheduler in a test: objects and commands in as JSON, answers out as JSON trees.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduler/scheduler.h"
#include "tests/core/scheduler/json_tree.h"

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

class Engine {
 public:
  static constexpr Instant kNow{1'000'000, 0};

  explicit Engine(std::string_view options = "{}", std::string_view configuration = "")
      : scheduler_(Scheduler::New(options, configuration).Take()) {}

  // Applies lines that are meant to be without a fault.
  Engine& Add(const std::vector<std::string>& lines) {
    JsonTree result = Apply(lines);
    EXPECT_EQ(result["errors"].size(), 0u) << log_;
    EXPECT_EQ(result["ignored"].text(), "0") << log_;
    return *this;
  }
  // The ApplyResult.
  JsonTree Apply(const std::vector<std::string>& lines) {
    std::string bytes;
    for (const std::string& line : lines) bytes += line + "\n";
    return JsonTree::Parse(Answer(
        [&](std::string* out) { scheduler_->Apply(now_, bytes, BatchFormat::kLines, out); }));
  }

  // The records of one turn as they are written.
  std::string RunText(size_t max_cycles = 1000) {
    return Answer([&](std::string* out) { scheduler_->Run(now_, max_cycles, out); });
  }
  // The records of one turn; the Turn is the last.
  std::vector<JsonTree> Run(size_t max_cycles = 1000) {
    std::string text = RunText(max_cycles);
    std::vector<JsonTree> records;
    for (size_t begin = 0; begin < text.size();) {
      size_t end = text.find('\n', begin);
      EXPECT_NE(end, std::string::npos) << "every record ends its line";
      if (end == std::string::npos) break;
      records.push_back(JsonTree::Parse(std::string_view(text).substr(begin, end - begin)));
      begin = end + 1;
    }
    EXPECT_FALSE(records.empty());
    EXPECT_EQ(records.back()["kind"].text(), "Turn");
    return records;
  }
  // The decisions of one turn: "p@node " for pods that were placed, "p:result " for the others.
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

  // The time of what follows.
  void set_now(Instant now) { now_ = now; }

  // An evaluation as it is written.
  bool EvaluateText(std::string_view options, std::string* out) {
    return scheduler_->Evaluate(now_, options, "", out);
  }
  // An Evaluation, or the error document; `succeeds` says which one is expected.
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

  // Answers, also refusals, to queries about everything: what can be seen from outside.
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

  // All answers so far, one after the other.
  const std::string& log() const { return log_; }

 private:
  template <typename Call>
  std::string Answer(const Call& call) {
    std::string text;
    call(&text);
    log_ += text + "\n";
    return text;
  }

  Instant now_ = kNow;
  std::unique_ptr<Scheduler> scheduler_;
  std::string log_;
};

}  // namespace stowage
