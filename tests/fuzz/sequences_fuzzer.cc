// A string of bytes as a history of lines, each of which is an action. Two schedulers, one without
// and one with the verdict cache, get the history; all output must be the same bytes.
//
// The first line chooses the options, by a byte each, and may go on with a configuration in JSON.
// Of the others the first byte says what is done, and the rest chooses how (tests/fuzz/objects.h):
//   n p v w  a node, a pod, storage, a workload is there
//   d        something is deleted
//   {…}      any item of a batch, as it stands
//   r        time passes and there is a turn
//   a        a call is answered
//   s        a list of objects begins or ends
//   x y      a pod is to be scheduled now, or to be tried again
//   ? i      a question, an inspection
#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "tests/fuzz/fuzzed_engine.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/members.h"
#include "tests/fuzz/objects.h"

namespace stowage {
namespace {

constexpr size_t kActionsMax = 300;
constexpr size_t kOpenCallsMax = 64;

constexpr std::string_view kConfigurations[] = {
    "",
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","percentageOfNodesToScore":100})",
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{},{"schedulerName":"second","pluginConfig":[{"name":"PodTopologySpread","args":{"defaultingType":"List"}}]}]})",
    R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"scoringStrategy":{"type":"MostAllocated","resources":[{"name":"cpu","weight":1}]}}},{"name":"InterPodAffinity","args":{"hardPodAffinityWeight":60,"ignorePreferredTermsOfExistingPods":true}}]}]})",
};

constexpr std::string_view kKinds[] = {"pods", "nodes", "persistentvolumeclaims",
                                       "persistentvolumes", "namespaces"};

struct Setup {
  std::string plain;
  std::string remembering;
};

Setup SetupOf(std::string_view line) {
  InputBytes bytes(line.substr(0, line.find('{')));
  Members options;
  options.Pick(&bytes, {"", R"("api":"host")", R"("simulate":{"gracefulDeletion":true})",
                        R"("simulate":{"volumes":false})"});
  options.Pick(&bytes,
               {R"("tieBreak":"name")", R"("tieBreak":"heap")", R"("tieBreak":"random","seed":7)"});
  options.Pick(&bytes, {R"("events":true,"moves":true)",
                        R"("events":true,"moves":true,"metrics":true)", ""});
  options.Pick(&bytes, {"", R"("detail":"nodes")", R"("apiCallTimeout":3000)",
                        R"("assumedPodExpiry":2000)"});
  std::string_view mode = bytes.Pick<std::string_view>({"firstUse", "secondUse", "tiny", "refill"});
  std::string configuration(kConfigurations[bytes.Below(std::size(kConfigurations))]);
  if (line.find('{') != std::string_view::npos) configuration = line.substr(line.find('{'));
  Members plain = options;
  plain.AddString("verdictCache", "off");
  options.AddString("verdictCache", mode);
  return {plain.Object() + "\n" + configuration, options.Object() + "\n" + configuration};
}

class History {
 public:
  explicit History(const Setup& setup) : plain_(setup.plain), remembering_(setup.remembering) {
    ExpectSameBytes("creation", plain_.answer(), remembering_.answer());
  }

  bool ok() const { return plain_.ok(); }

  void Act(std::string_view line) {
    if (line.empty()) return;
    InputBytes bytes(line.substr(1));
    switch (line[0]) {
      case '{':
        return Apply(line);
      case 'n':
        return Put(NodeOf(&bytes));
      case 'p':
        return Put(PodOf(&bytes));
      case 'v':
        return Put(StorageOf(&bytes));
      case 'w':
        return Put(WorkloadOf(&bytes));
      case 'd':
        return Apply(fmt::format(R"({{"type":"DELETED","object":{}}})", DeletedOf(&bytes)));
      case 'r':
        return TakeTurn(&bytes);
      case 'a':
        return AnswerCall(&bytes);
      case 's':
        return MarkSync(&bytes);
      case 'x':
        return Apply(fmt::format(R"({{"type":"SCHEDULE_ONE","pod":"{}"}})", PodNameOf(&bytes)));
      case 'y':
        return Apply(fmt::format(R"({{"type":"ACTIVATE","pods":["{}"]}})", PodNameOf(&bytes)));
      case '?':
        return Evaluate(&bytes);
      case 'i':
        return Inspect(&bytes);
      default:
        return;
    }
  }

  void End() {
    InputBytes none("");
    TakeTurn(&none);
    Compare(R"(what is held in the end)",
            [](FuzzedEngine& engine) { return engine.Inspect(R"({"cache":true})"); });
  }

 private:
  template <typename Call>
  const std::string& Compare(std::string_view what, const Call& call) {
    call(plain_);
    call(remembering_);
    ExpectSameBytes(what, plain_.answer(), remembering_.answer());
    return plain_.answer();
  }

  void Apply(std::string_view line) {
    Compare("a batch", [&](FuzzedEngine& engine) { engine.Apply(line, FuzzedEngine::kLines); });
  }
  void Put(const std::string& object) {
    Apply(fmt::format(R"({{"type":"ADDED","object":{}}})", object));
  }

  void TakeTurn(InputBytes* bytes) {
    double passed_us = bytes->Pick({1e6, 0.0, 1e3, 5e6, 61e6, 400e6, -1e6});
    int32_t cycles = bytes->Pick({50, 1, 2, 0});
    plain_.Advance(passed_us);
    remembering_.Advance(passed_us);
    FindCalls(Compare("a turn", [&](FuzzedEngine& engine) { engine.Run(cycles); }));
  }

  // The numbers of the calls in these records.
  void FindCalls(std::string_view records) {
    constexpr std::string_view kCall = R"({"kind":"Call","id":)";
    for (size_t at = records.find(kCall); at != std::string_view::npos;
         at = records.find(kCall, at + 1)) {
      uint64_t id = 0;
      std::from_chars(records.data() + at + kCall.size(), records.data() + records.size(), id);
      if (open_calls_.size() < kOpenCallsMax) open_calls_.push_back(id);
    }
  }

  void AnswerCall(InputBytes* bytes) {
    if (open_calls_.empty()) return;
    auto answered = open_calls_.begin() + static_cast<ptrdiff_t>(bytes->Below(open_calls_.size()));
    std::string_view answer = bytes->Pick<std::string_view>(
        {R"("status":200,"body":"{}")", R"("status":201)",
         R"("status":409,"body":"{\"kind\":\"Status\",\"reason\":\"Conflict\"}")",
         R"("status":404,"body":"{\"kind\":\"Status\",\"reason\":\"NotFound\"}")",
         R"("status":500,"body":"no JSON")", R"("error":"timeout")",
         R"("error":"network","message":"reset")",
         R"("status":429,"body":"{\"details\":{\"retryAfterSeconds\":1}}")"});
    uint64_t id = *answered;
    open_calls_.erase(answered);
    Apply(fmt::format(R"({{"type":"COMPLETION","call":{},{}}})", id, answer));
  }

  void MarkSync(InputBytes* bytes) {
    std::string_view type = bytes->Pick<std::string_view>({"SYNC_BEGIN", "SYNC_END"});
    std::string_view kind = kKinds[bytes->Below(std::size(kKinds))];
    Apply(fmt::format(R"({{"type":"{}","resource":"{}"}})", type, kind));
  }

  void Evaluate(InputBytes* bytes) {
    Members options;
    options.Pick(bytes, {R"("detail":"nodes")", R"("detail":"table")", R"("detail":"summary")"});
    options.Pick(bytes, {"", R"("allPlugins":true)", R"("everyNode":true)", R"("preemption":false)",
                         R"("classify":true)"});
    bool is_known = bytes->Below(2) == 1;
    if (is_known) options.AddString("pod", PodNameOf(bytes));
    std::string text = options.Object() + "\n" + (is_known ? "" : PodOf(bytes));
    Compare("a question", [&](FuzzedEngine& engine) { engine.Evaluate(text); });
  }

  void Inspect(InputBytes* bytes) {
    std::string query(bytes->Pick<std::string_view>(
        {R"({"cache":true})", "{}", R"({"waiting":true})", R"({"metrics":true})", ""}));
    if (query.empty()) query = fmt::format(R"({{"pod":"{}"}})", PodNameOf(bytes));
    Compare("an inspection", [&](FuzzedEngine& engine) { engine.Inspect(query); });
  }

  FuzzedEngine plain_;
  FuzzedEngine remembering_;
  std::vector<uint64_t> open_calls_;
};

void LiveThrough(std::string_view text) {
  std::string_view first = text.substr(0, text.find('\n'));
  History history(SetupOf(first));
  if (!history.ok()) return;
  std::string_view rest = text.substr(std::min(first.size() + 1, text.size()));
  for (size_t actions = 0; !rest.empty() && actions < kActionsMax; ++actions) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    history.Act(line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  history.End();
}

}  // namespace
}  // namespace stowage

STOWAGE_FUZZER(Sequences) {
  stowage::LiveThrough({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
