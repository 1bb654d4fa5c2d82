// Goal: no event takes time for each pod that waits for something else: as many events as waiting
// pods take no more than n log n. Method: a batch of events, and pods that wait in the queue, whose
// number doubles each time.
#include "tests/support/growth.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/scheduler/scheduler.h"
#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr size_t kSize = 4'000;

using Line = std::function<std::string(size_t index)>;

std::string Numbered(std::string_view name, size_t index) {
  return std::string(name) + std::to_string(index);
}

std::string Group(const std::string& name, size_t min_count) {
  return R"({"apiVersion":"scheduling.k8s.io/v1alpha2","kind":"PodGroup","metadata":{"name":")" +
         name + R"(","namespace":"default","uid":"group-)" + name +
         R"("},"spec":{"schedulingPolicy":{"gang":{"minCount":)" + std::to_string(min_count) +
         "}}}}";
}

PodText Member(const std::string& name, const std::string& group) {
  return {.name = name, .spec = R"("schedulingGroup":{"podGroupName":")" + group + "\"}"};
}

// What happens in a cluster, for each index below the size.
struct Shape {
  std::string name;
  std::vector<std::string> setup = {};  // lines that are there once
  std::vector<Line> events;             // applied one list after the other
};

std::vector<Shape> Shapes() {
  Line members = [](size_t index) -> std::string { return Member(Numbered("p", index), "gang"); };
  Line own_labels = [](size_t index) -> std::string {
    PodText pod = Member(Numbered("p", index), "gang");
    pod.metadata = R"("labels":{"index":")" + std::to_string(index) + "\"}";
    return pod;
  };
  Line groups = [](size_t index) { return Group(Numbered("g", index), 3); };
  Line firsts = [](size_t index) -> std::string {
    return Member(Numbered("p", index), Numbered("g", index));
  };
  Line seconds = [](size_t index) -> std::string {
    return Member(Numbered("q", index), Numbered("g", index));
  };
  Line singles = [](size_t index) -> std::string { return PodText{Numbered("q", index)}; };
  Line bound = [](size_t index) -> std::string {
    return PodText{.name = Numbered("q", index), .node = "n"};
  };
  Line claimants = [](size_t index) -> std::string {
    return PodText{.name = Numbered("p", index),
                   .spec = R"("resourceClaims":[{"name":"x","resourceClaimName":"c)" +
                           std::to_string(index) + "\"}]"};
  };
  Line nodes = [](size_t index) -> std::string { return NodeText{Numbered("n", index)}; };
  Line slices = [](size_t index) -> std::string {
    std::string name = Numbered("s", index);
    return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":")" +
           name + R"(","uid":")" + name +
           R"("},"spec":{"driver":"d.example.com","allNodes":true,"pool":{"name":")" + name +
           R"(","generation":1,"resourceSliceCount":1},"devices":[{"name":"d"}]}})";
  };
  Line classes = [](size_t index) -> std::string {
    return R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"k)" +
           std::to_string(index) + R"("},"spec":{}})";
  };
  const std::string large = Group("gang", 10 * kSize);
  return {
      {"pods of a gang below its quorum", {large}, {members}},
      {"with labels of their own", {large}, {own_labels}},
      {"pods of a gang, whose last one starts it", {Group("gang", kSize)}, {members}},
      {"pods of a gang without its PodGroup", {}, {members}},
      {"pods of many gangs below their quorum", {}, {groups, firsts, seconds}},
      {"pods of many gangs, and then their PodGroups", {}, {firsts, groups}},
      {"pods outside of the gang that waits", {large}, {members, singles}},
      {"bound pods outside of the gang that waits", {large}, {members, bound}},
      {"nodes, while pods wait for their claims", {}, {claimants, nodes}},
      {"slices of devices, while pods wait for their claims", {}, {claimants, slices}},
      {"classes of devices, while pods wait for their claims", {}, {claimants, classes}},
  };
}

std::string LinesOf(const Shape& shape, size_t size) {
  std::string lines;
  for (const std::string& line : shape.setup) lines += line + "\n";
  for (const Line& event : shape.events) {
    for (size_t index = 0; index < size; ++index) lines += event(index) + "\n";
  }
  return lines;
}

TEST(Growth, NoEventIsForEachWaitingPod) {
  constexpr std::string_view kOptions =
      R"({"featureGates":{"GenericWorkload":true,"GangScheduling":true}})";
  for (const Shape& shape : Shapes()) {
    auto make_work = [&](size_t size) -> std::function<void()> {
      return [kOptions, lines = LinesOf(shape, size)] {
        std::unique_ptr<Scheduler> scheduler = Scheduler::New(kOptions, "").Take();
        std::string answer;
        scheduler->Apply(Engine::kNow, lines, BatchFormat::kLines, &answer);
        EXPECT_TRUE(answer.find(R"("errors":[])") != std::string::npos) << answer;
      };
    };
    EXPECT_FALSE(GrowsWithTheSquare(make_work, kSize)) << shape.name;
  }
}

}  // namespace
}  // namespace stowage
