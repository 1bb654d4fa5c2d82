import { disruption } from './disruption/disruption_controller.js';
import { garbagecollector } from './garbagecollector/garbage_collector.js';
import { kubelet } from './kubelet/kubelet.js';
import { namespace } from './namespace.js';
import { nodelifecycle } from './nodelifecycle.js';
import { resourceclaims } from './resourceclaims.js';
import { volumes } from './volumes.js';
import { workloads } from './workloads.js';

/**
 * @import { Clock } from '../../src/io/clock.js'
 * @import { Controller } from './controller_types.js'
 */

/** The available controllers, in the order in which they start. */
const FACTORIES = Object.freeze({
  namespace,
  garbagecollector,
  workloads,
  disruption,
  volumes,
  resourceclaims,
  nodelifecycle,
  kubelet,
});

/** @typedef {keyof typeof FACTORIES} ControllerName */

/** The names of all controllers. @type {readonly ControllerName[]} */
export const CONTROLLERS = /** @type {any} */ (Object.freeze(Object.keys(FACTORIES)));

/**
 * Returns the controllers of these names, in the order in which they start.
 * @param {readonly ControllerName[]} names
 * @param {object} [options]
 * @param {(error: unknown, key: string) => void} [options.onError] gets a controller's own errors
 *   with the key that it worked on; refusals of the API server are retried instead. By default
 *   errors are thrown asynchronously
 * @param {import('../feature_gates.js').FeatureGates} [options.gates]
 * @param {import('./kubelet/kubelet.js').KubeletTimes} [options.times] of the kubelet
 * @param {boolean} [options.keepsFound] of the kubelet
 * @param {Clock} [options.reportClock] of the kubelet
 * @returns {Controller[]}
 * @throws {RangeError} if no controller has one of the names
 */
export function controllersNamed(names, options) {
  for (const name of names)
    if (!Object.hasOwn(FACTORIES, name))
      throw new RangeError(`no controller is named ${name}; there are ${CONTROLLERS.join(', ')}`);
  return CONTROLLERS.filter((name) => names.includes(name)).map((name) => FACTORIES[name](options));
}
