/** Mistakes in asking a gate once for many pods. */

const GATED_PODS = { program: 'scheduler', tests: '*GatedPodsTest.*' };

/** @type {import('./list.js').Mutation[]} */
export const GATE_MUTATIONS = [
  {
    name: 'a gated pod that leaves its pod group loses their last move',
    file: 'core/queue/gated_pods.cc',
    search: '  SettleLastMove(pod);',
    replace: '',
    ...GATED_PODS,
  },
  {
    name: 'a gated pod takes the last move of a pod group from before it came',
    file: 'core/queue/scheduling_queue.cc',
    search: '    pod->moved = ++sequence_;',
    replace: '',
    ...GATED_PODS,
  },
  {
    name: 'a pod group is asked only once although its gate had several messages',
    file: 'core/queue/gated_pods.cc',
    search: 'return {PodGroupOf(pod.pod()), pod.gating_message};',
    replace: 'return {PodGroupOf(pod.pod()), std::string()};',
    ...GATED_PODS,
  },
  {
    name: 'a gate is not asked for pods that came since it was asked for all',
    file: 'core/queue/gated_pods.cc',
    search: 'if (!is_by_pod_group_) alike.unasked',
    replace: 'if (false) alike.unasked',
    ...GATED_PODS,
  },
  {
    name: 'a claim that changes is no change of the gate',
    file: 'core/dra/claim_cache.cc',
    search: '  ++num_changes_;',
    replace: '',
    ...GATED_PODS,
  },
  {
    name: 'a gate answers for other rejectors of its pod group',
    file: 'core/queue/queue_moves.cc',
    search: 'listeners.size() == 1 && listeners[0].plugin == key.gating_plugin;',
    replace: 'true;',
    program: 'queue',
    tests: 'GatedPodsTest.*',
  },
];
