#include "core/scheduler/write_calls.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/scheduler/written_calls.h"

namespace stowage {
namespace {

Call BindOf(uint64_t id) {
  Call call;
  call.id = id;
  call.kind = "api";
  call.pod = "default/p" + std::to_string(id);
  call.verb = "bind";
  call.method = "POST";
  call.url = "/pods/p" + std::to_string(id);
  call.body = std::string(id, 'x');
  call.timeout_us = 5000;
  call.deadline = Instant::FromMicros(9000);
  return call;
}

// What a reader must find about a call, for comparison.
std::string SeenOf(const Call& call) {
  std::string seen(call.kind);
  for (std::string_view text : {std::string_view(call.pod), std::string_view(call.target),
                                std::string_view(call.verb), call.method}) {
    seen.append(" ").append(text);
  }
  if (!call.method.empty()) seen.append(" ").append(call.url).append(" ").append(call.content_type);
  if (call.timeout_us > 0) {
    seen += " " + std::to_string(call.timeout_us / 1000);
    seen += " " + std::to_string(call.deadline.ToMicros());
  }
  return seen + " " + std::to_string(call.id) + " " + call.body;
}

std::string SeenIn(const JsonTree& call, const std::string& body) {
  std::string seen = call["callKind"].text();
  for (const char* name : {"pod", "target", "verb", "method"}) seen += " " + call[name].text();
  const char* url = call["callKind"].text() == "api" ? "path" : "url";
  for (const char* name : {url, "contentType", "timeoutMs", "deadline"}) {
    if (call[name].exists()) seen += " " + call[name].text();
  }
  return seen + " " + call["id"].text() + " " + body;
}

// Writes the calls, expects that a reader finds each of them, and returns their line.
JsonTree Written(const std::vector<Call>& calls) {
  std::string text;
  WriteCalls(calls, false, &text);
  size_t end = text.find('\n');
  JsonTree line = JsonTree::Parse(std::string_view(text).substr(0, end));
  std::string_view bodies = std::string_view(text).substr(end + 1);
  EXPECT_EQ(line["bodyBytes"].number(), static_cast<int64_t>(bodies.size()));
  auto written = WrittenCalls(line, bodies);
  EXPECT_EQ(written.size(), calls.size());
  for (size_t index = 0; index < written.size() && index < calls.size(); ++index) {
    EXPECT_EQ(SeenIn(written[index].first, written[index].second), SeenOf(calls[index]));
  }
  return line;
}

TEST(WriteCalls, HasNothingToSayWithoutCalls) {
  std::string text;
  WriteCalls({}, false, &text);
  EXPECT_EQ(text, "");
}

TEST(WriteCalls, JoinsCallsThatAreAlike) {
  EXPECT_EQ(Written({BindOf(1), BindOf(2), BindOf(30)})["groups"].size(), 1u);
}

// Goal: no call gets a member of its neighbour. Method: of four calls, the third differs in one
// member.
TEST(WriteCalls, EndsTheGroupAtACallThatDiffers) {
  const std::vector<std::function<void(Call*)>> changes = {
      [](Call* call) { call->kind = "extender"; },
      [](Call* call) { call->target = "http://e"; },
      [](Call* call) { call->verb = "patch"; },
      [](Call* call) { call->method = "PATCH"; },
      [](Call* call) { call->method = ""; },
      [](Call* call) { call->content_type = "application/merge-patch+json"; },
      [](Call* call) { call->timeout_us = 7000; },
      [](Call* call) { call->timeout_us = 0; },
      [](Call* call) { call->deadline = Instant::FromMicros(9001); },
  };
  for (const auto& change : changes) {
    Call other = BindOf(3);
    change(&other);
    EXPECT_EQ(Written({BindOf(1), BindOf(2), other, BindOf(4)})["groups"].size(), 3u);
  }
}

TEST(WriteCalls, NamesTheKeysOfAQuery) {
  std::string text;
  std::vector<Call> calls = {BindOf(1), BindOf(2)};
  WriteCalls(calls, true, &text);
  size_t end = text.find('\n');
  JsonTree line = JsonTree::Parse(std::string_view(text).substr(0, end));
  auto written = WrittenCalls(line, std::string_view(text).substr(end + 1));
  ASSERT_EQ(written.size(), 2u);
  EXPECT_EQ(written[0].first["key"].text(), CallKey(calls[0]));
  EXPECT_EQ(written[1].first["key"].text(), CallKey(calls[1]));
}

}  // namespace
}  // namespace stowage
