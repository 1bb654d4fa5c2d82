/**
 * Starts controllers after the first objects exist. They then treat missing owners as being
 * elsewhere, and running pods continue to run.
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
 * Starts the controllers. Call it after the first objects were created.
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
 * True if pods are on nodes that do not exist. A dump may lack nodes; the pods must stay.
 * @param {Store} store
 */
function hasStrayPods(store) {
  const nodes = new Set(store.list('nodes').map(({ metadata }) => metadata.name));
  return store.list('pods').some(({ spec }) => spec.nodeName && !nodes.has(spec.nodeName));
}
