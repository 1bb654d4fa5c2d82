/** The parts of the API server that controllers need, as types only. */

/** @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Clock } from '../../src/io/clock.js' */

/**
 * The objects of the API server. All methods are synchronous: listeners have been called when a
 * write returns. Refusals are thrown as ApiErrors. Returned objects are shared and must not be
 * changed.
 * @typedef {object} Store
 * @property {(resource: string, namespace: string, name: string) => KubernetesObject | undefined}
 *   get
 * @property {(resource: string, options?: { namespace?: string }) => KubernetesObject[]} list
 * @property {(resource: string, object: KubernetesObject) => KubernetesObject} create
 * @property {(resource: string, object: KubernetesObject, options?: { subresource?: string }) =>
 *   KubernetesObject} update
 * @property {(resource: string, namespace: string, name: string, options?: DeleteOptions) =>
 *   unknown} delete
 * @property {(resource: string, listener: (event: StoreEvent) => void) => () => void} subscribe
 */

/**
 * A change: `object` is the state after it, or the last one of a `DELETED` object; `previous` the
 * state before.
 * @typedef {{ type: string, object: KubernetesObject, previous?: KubernetesObject }} StoreEvent
 */

/**
 * The part of `metav1.DeleteOptions` that controllers send.
 * @typedef {object} DeleteOptions
 * @property {number} [gracePeriodSeconds]
 * @property {'Orphan' | 'Background' | 'Foreground'} [propagationPolicy]
 * @property {{ uid?: string, resourceVersion?: string }} [preconditions]
 */

/**
 * One or several loops that bring the objects of a store to their desired state.
 * @typedef {object} Controller
 * @property {string} name
 * @property {(store: Store, clock: Clock) => () => void} start returns the function that stops it
 */

export {};
