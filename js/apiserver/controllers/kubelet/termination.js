/** @import { KubernetesObject } from '../../../src/kubernetes/types.js' */

/** The time that containers get to end if their hooks used up the grace period: milliseconds. */
const SHORTEST_SHUTDOWN = 2000;

/**
 * Returns how long a pod's containers take to end. First the `preStop` hooks of running containers
 * sleep, all at once and at most for the grace period; then the containers get SIGTERM. They are
 * killed after the grace period, but not within two seconds. Hooks that run a command or send a
 * request take no time, because there are no containers. Counterpart: `killContainer` of
 * pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.36.
 * @param {KubernetesObject} pod
 * @param {number} grace milliseconds
 * @param {number} shutdown how long a container takes after SIGTERM: milliseconds
 * @returns {number} milliseconds
 */
export function terminationTime(pod, grace, shutdown) {
  const sleep = Math.min(grace, longestSleep(pod));
  return sleep + Math.min(shutdown, Math.max(grace - sleep, SHORTEST_SHUTDOWN));
}

/** @param {KubernetesObject} pod */
function longestSleep({ spec, status = {} }) {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const running = new Set(
    [...initContainerStatuses, ...containerStatuses]
      .filter(({ state }) => state?.running)
      .map(({ name }) => name),
  );
  return (
    [...(spec.initContainers ?? []), ...spec.containers]
      .filter(({ name }) => running.has(name))
      .reduce((most, { lifecycle }) => Math.max(most, lifecycle?.preStop?.sleep?.seconds ?? 0), 0) *
    1000
  );
}
