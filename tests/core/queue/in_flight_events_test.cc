#include "core/queue/in_flight_events.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

// Adds an event, identified by its node.
void Happen(InFlightEvents* events, std::string_view node) {
  events->AddEvent({EventResource::kNode, action::kAdd},
                   {std::nullopt, AnyObject(MakeNode().Name(node).Ref())});
}

std::string Since(const InFlightEvents& events, std::string_view uid) {
  std::string names;
  for (const InFlightEvents::Event* event : events.EventsSince(Symbol(uid))) {
    names += event->objects.New<Node>()->metadata.name.str() + " ";
  }
  return names;
}

std::string Names(const InFlightEvents& events) {
  std::string names;
  for (const PodRef& pod : events.Pods()) names += pod->metadata.name.str() + " ";
  return names;
}

TEST(InFlightEvents, ReturnsTheEventsSinceAPodWasPopped) {
  InFlightEvents events;
  Happen(&events, "before");
  EXPECT_TRUE(events.AddPod(MakePod().Name("a").Ref()));
  EXPECT_EQ(Since(events, "a"), "") << "no pod was in flight";
  Happen(&events, "1");
  EXPECT_TRUE(events.AddPod(MakePod().Name("b").Ref()));
  Happen(&events, "2");
  Happen(&events, "3");
  EXPECT_EQ(Since(events, "a"), "1 2 3 ");
  EXPECT_EQ(Since(events, "b"), "2 3 ");
  EXPECT_EQ(Since(events, "a"), "1 2 3 ") << "asking takes nothing away";
}

TEST(InFlightEvents, DropsEventsThatNoPodNeeds) {
  InFlightEvents events;
  for (std::string_view name : {"a", "b", "c"}) {
    events.AddPod(MakePod().Name(name).Ref());
    Happen(&events, name);
  }
  events.Done(Symbol("b"));
  EXPECT_EQ(Since(events, "a"), "a b c ") << "in the middle nothing is dropped";
  events.Done(Symbol("a"));
  EXPECT_EQ(Since(events, "c"), "c ");
  events.AddPod(MakePod().Name("a").Ref());
  EXPECT_EQ(Since(events, "a"), "") << "it begins anew";
  events.Done(Symbol("c"));
  events.Done(Symbol("a"));
  EXPECT_TRUE(events.empty());
  Happen(&events, "late");
  events.AddPod(MakePod().Name("d").Ref());
  EXPECT_EQ(Since(events, "d"), "");
}

TEST(InFlightEvents, HoldsAPodOnce) {
  InFlightEvents events;
  EXPECT_TRUE(events.AddPod(MakePod().Name("a").Uid("u").Ref()));
  Happen(&events, "1");
  EXPECT_FALSE(events.AddPod(MakePod().Name("other").Uid("u").Ref()));
  EXPECT_EQ(Since(events, "u"), "1 ");
  EXPECT_EQ(Names(events), "a ");
}

TEST(InFlightEvents, IgnoresDoneOfUnknownPods) {
  InFlightEvents events;
  events.Done(Symbol("missing"));
  events.AddPod(MakePod().Name("a").Ref());
  Happen(&events, "1");
  events.Done(Symbol("missing"));
  EXPECT_EQ(Since(events, "a"), "1 ");
  EXPECT_TRUE(events.Contains(Symbol("a")));
  EXPECT_FALSE(events.Contains(Symbol("missing")));
}

TEST(InFlightEvents, SortsPodsByUid) {
  InFlightEvents events;
  events.AddPod(MakePod().Name("x").Uid("2").Ref());
  events.AddPod(MakePod().Name("y").Uid("1").Ref());
  EXPECT_EQ(Names(events), "y x ");
}

}  // namespace
}  // namespace stowage
