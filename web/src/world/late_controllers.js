/**
 * Controllers that look at the first objects as at what was there before: owners that are missing
 * are elsewhere, what runs goes on as it does.
 */
import {
  controllerGroup,
  controllersNamed,
  startPodGarbageCollector,
  startTaintEviction,
} from '../../../js/apiserver/index.js';

/**
 * @import { Store } from '../../../js/apiserver/index.js'
 * @import { SteppedClock } from './stepped_clock.js'
 */

/**
 * Starts them when the first objects are there.
 * @param {Store} store
 * @param {SteppedClock} clock
 * @param {{ kubelet: boolean, onError: (error: unknown) => void }} options
 * @returns {() => void} ends them
 */
export function startLateControllers(store, clock, { kubelet, onError }) {
  const starts = hasStrayPods(store)
    ? [startTaintEviction]
    : [startTaintEviction, startPodGarbageCollector];
  const reportClock = clock.routine;
  const controllers = [
    ...controllersNamed(['garbagecollector'], { onError }),
    controllerGroup('nodes', starts, { onError }),
    ...controllersNamed(kubelet ? ['kubelet'] : [], { onError, keepsFound: true, reportClock }),
  ];
  const stops = controllers.map((controller) => controller.start(store, clock));
  return () => stops.forEach((stop) => stop());
}

/**
 * Whether there are pods on nodes that are not there: a dump has not all, and they are not to go.
 * @param {Store} store
 */
function hasStrayPods(store) {
  const nodes = new Set(store.list('nodes').map(({ metadata }) => metadata.name));
  return store.list('pods').some(({ spec }) => spec.nodeName && !nodes.has(spec.nodeName));
}
