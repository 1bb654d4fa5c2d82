// ChangingCluster is a cluster that changes at random, by seed, while pods of a few templates are
// placed in it again and again, preempt each other and are deleted.
#pragma once

#include <string>
#include <vector>

#include "core/scheduler/scheduling_cycle.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scheduling_fixture.h"

namespace stowage {

class ChangingCluster {
 public:
  // Begins with 1 … `max_nodes` nodes.
  ChangingCluster(uint64_t seed, size_t max_nodes, SchedulingFixture* fixture);

  // Makes one change, or none.
  void Change();
  // The next pod to try: a new one, or a preemptor whose victims are gone.
  Pod NextPod();
  // Carries out the decision about NextPod's pod: places it, or evicts its victims and nominates
  // it.
  void CarryOut(const Pod& pod, const ScheduleResult& result);

  // A pod of no scheduler and no template.
  Pod OtherPod() { return random_.RandomPod("other"); }

 private:
  Rng& rng() { return random_.rng(); }

  void PutNode(size_t index);
  void RemoveSomeNode();
  void RemoveSomePod();
  void TerminateSomePod();
  void ToggleNomination();
  void PutNamespaces();
  void PutWorkload();
  void PutStorage();
  void PutOwnClaim();
  void PutOwnVolume();
  void Place(const Pod& pod, const Symbol& node);
  void Nominate(Pod pod, const Symbol& node);
  std::string SomeNode();

  RandomCluster random_;
  SchedulingFixture* fixture_;
  size_t node_count_;
  size_t pod_count_ = 0;
  std::vector<Pod> templates_;
  size_t template_ = 0;  // the last one used
  std::vector<ObjectKey> placed_;
  std::vector<Pod> preemptors_;
  PodInfoRef nominee_;
};

}  // namespace stowage
