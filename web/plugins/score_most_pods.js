/** The node with the most pods is the best, as a share of 100. @type {import('stowage').Plugin} */
export default {
  name: 'MostPods',
  score: (state, pod, { requested }) => requested.pods,
  normalizeScore(state, pod, scores) {
    const most = Math.max(1, ...scores.map(({ score }) => score));
    for (const entry of scores) entry.score = Math.floor((100 * entry.score) / most);
  },
};
