// The operands of ImageLocality's score: the pod's images that the node has.
#include "core/framework/score_notes.h"
#include "core/plugins/image_locality.h"

namespace stowage {

int64_t ImageLocality::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  int64_t sum_scores = 0;
  for (const Symbol& image : NormalizedImages(scored.pod)) {
    const ImageStateSummary* state = scored.node().FindImage(image);
    if (state == nullptr) continue;
    int64_t score = ScaledImageScore(scored.node(), image);
    sum_scores += score;
    notes->AddOperand("{}: {} B × {} / {} nodes = {}", {image.view(), state->size, state->num_nodes,
                                                        handle_.snapshot().NumNodes(), score});
  }
  int64_t max_threshold = MaxThreshold(scored.pod);
  int64_t within = WithinThresholds(sum_scores, max_threshold);
  int64_t score = CalculatePriority(sum_scores, scored.pod);
  notes->AddResult("sum {}, within {} and {}: {}",
                   {sum_scores, kMinThreshold, max_threshold, within});
  notes->AddResult("({} − {}) × {} / ({} − {}) = {}",
                   {within, kMinThreshold, kMaxNodeScore, max_threshold, kMinThreshold, score});
  return score;
}

}  // namespace stowage
