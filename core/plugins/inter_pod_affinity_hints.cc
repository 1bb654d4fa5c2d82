// The events that may make pods schedulable that InterPodAffinity rejected.
//
// Namespace labels are not read: a namespaceSelector counts only if it selects no labels at all.
#include <array>
#include <memory>
#include <utility>

#include "core/api/pod_helpers.h"
#include "core/plugins/inter_pod_affinity.h"

namespace stowage {
namespace {

// The required terms of the affinities that were asked for last. Every event is compared with all
// pods that wait for one, and pods of one template share their affinity.
class ParsedTerms {
 public:
  // Null if a selector does not parse. Valid until the next call but one.
  const AffinityTerms* Of(const Pod& pod) {
    for (const Entry& known : entries_) {
      bool is_same = known.is_set && known.affinity.IsSame(pod.spec.affinity) &&
                     known.namespace_ == pod.metadata.namespace_;
      if (is_same) return known.is_valid ? &known.terms : nullptr;
    }
    FieldErrors errors;
    AffinityTerms terms = ParseRequiredAffinityTerms(pod, &errors);
    Entry& entry = entries_[next_++ % entries_.size()];
    entry = {true, errors.empty(), pod.spec.affinity, pod.metadata.namespace_, std::move(terms)};
    return entry.is_valid ? &entry.terms : nullptr;
  }

 private:
  struct Entry {
    bool is_set = false;
    bool is_valid = false;
    Shared<Affinity> affinity;
    Symbol namespace_;
    AffinityTerms terms;
  };

  std::array<Entry, 16> entries_;
  size_t next_ = 0;
};

// A label change helps if the other pod now matches all affinity terms, or no longer matches all
// anti-affinity terms. (Filter refuses for any single anti-affinity term.)
bool HelpsToChange(const AffinityTerms& terms, const Pod& before, const Pod& after) {
  if (MatchesAll(terms.required_affinity, after) && !MatchesAll(terms.required_affinity, before)) {
    return true;
  }
  return MatchesAll(terms.required_anti_affinity, before) &&
         !MatchesAll(terms.required_anti_affinity, after);
}

QueueingHint IsSchedulableAfterPodChange(const Behaviour& behaviour, ParsedTerms* parsed,
                                         const Pod& pod, const EventObjects& objects) {
  auto pods = objects.As<Pod>();
  if (!pods) return QueueingHint::kQueue;
  const Pod* before = pods->old_object;
  const Pod* after = pods->new_object;
  bool is_itself = pods->IsUpdate() && after->metadata.uid == pod.metadata.uid;
  if (is_itself && behaviour.own_labels_wake) return QueueingHint::kQueue;
  for (const Pod* other : {after, before}) {
    if (other == nullptr) continue;
    if (!IsAssignedOrNominated(*other, behaviour.nominated_pods_wake)) {
      return QueueingHint::kQueueSkip;
    }
  }

  const AffinityTerms* terms = parsed->Of(pod);
  if (terms == nullptr) return QueueingHint::kQueue;
  if (pods->IsUpdate()) return QueueIf(HelpsToChange(*terms, *before, *after));
  if (after != nullptr) return QueueIf(MatchesAll(terms->required_affinity, *after));
  if (MatchesAll(terms->required_anti_affinity, *before)) return QueueingHint::kQueue;
  if (!behaviour.deleted_anti_affinity_wakes) return QueueingHint::kQueueSkip;
  const AffinityTerms* deleted = parsed->Of(*before);
  return QueueIf(deleted == nullptr || MatchesAll(deleted->required_anti_affinity, pod));
}

bool HasOtherValue(const Node& before, const Node& after, const Symbol& key) {
  const Symbol* old_value = before.metadata.labels.Find(key);
  const Symbol* new_value = after.metadata.labels.Find(key);
  return old_value != nullptr && new_value != nullptr && *old_value != *new_value;
}

// A node without the key accepts a pod with an anti-affinity over that key.
QueueingHint IsSchedulableAfterNodeChange(const Pod& pod, const EventObjects& objects) {
  auto nodes = objects.As<Node>();
  if (!nodes || nodes->new_object == nullptr) return QueueingHint::kQueue;
  FieldErrors errors;
  AffinityTerms terms = ParseRequiredAffinityTerms(pod, &errors);
  if (!errors.empty()) return QueueingHint::kQueue;

  const Node* before = nodes->old_object;
  const Node& after = *nodes->new_object;
  for (const AffinityTerm& term : terms.required_affinity) {
    bool had_key = before != nullptr && before->metadata.labels.Has(term.topology_key);
    bool has_key = after.metadata.labels.Has(term.topology_key);
    if (has_key && (!had_key || HasOtherValue(*before, after, term.topology_key))) {
      return QueueingHint::kQueue;
    }
  }
  for (const AffinityTerm& term : terms.required_anti_affinity) {
    if (before == nullptr) return QueueingHint::kQueue;
    bool had_key = before->metadata.labels.Has(term.topology_key);
    bool has_key = after.metadata.labels.Has(term.topology_key);
    if (had_key && (!has_key || HasOtherValue(*before, after, term.topology_key))) {
      return QueueingHint::kQueue;
    }
  }
  return QueueingHint::kQueueSkip;
}

}  // namespace

std::vector<ClusterEventWithHint> InterPodAffinity::EventsToRegister() const {
  auto after_pod_change = [this, parsed = std::make_shared<ParsedTerms>()](
                              const Pod& pod, const EventObjects& objects) {
    return IsSchedulableAfterPodChange(behaviour_, parsed.get(), pod, objects);
  };
  return {{{EventResource::kPod, action::kAdd | action::kUpdatePodLabel | action::kDelete},
           after_pod_change,
           true},
          {{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel},
           IsSchedulableAfterNodeChange,
           true}};
}

}  // namespace stowage
