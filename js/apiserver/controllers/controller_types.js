/** What controllers need of the API server, as types only. */

/** @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Clock } from '../../src/io/clock.js' */

/**
 * The objects of the API server. All is synchronous: listeners have been called when a write
 * returns. A refusal is thrown as an ApiError. What is given out is shared and never changed.
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
 * A change: `object` is the state after it, the last one where it is `DELETED`; `previous` the one
 * before.
 * @typedef {{ type: string, object: KubernetesObject, previous?: KubernetesObject }} StoreEvent
 */

/**
 * `metav1.DeleteOptions`, as far as controllers send them.
 * @typedef {object} DeleteOptions
 * @property {number} [gracePeriodSeconds]
 * @property {'Orphan' | 'Background' | 'Foreground'} [propagationPolicy]
 * @property {{ uid?: string, resourceVersion?: string }} [preconditions]
 */

/**
 * A loop, or several, that brings the objects of a store to where they should be.
 * @typedef {object} Controller
 * @property {string} name
 * @property {(store: Store, clock: Clock) => () => void} start gives what stops it
 */

export {};
