/**
 * What is particular about the objects of a kind, as the strategies of kube-apiserver's registry
 * say it.
 * Counterpart: apiserver/pkg/registry/rest (RESTCreateStrategy and its like), v1.36.
 */

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 * @import { Store } from '../store.js'
 */

/**
 * @typedef {object} StrategyContext
 * @property {Store} store
 * @property {number} now milliseconds since the epoch
 * @property {() => number} random
 * @property {boolean} taintNodesByCondition whether new nodes are not ready yet
 * @property {boolean} isDecoded whether the object that comes was read by its type already
 * @property {boolean} [isLoaded] whether the object comes from a file of a cluster, not a request
 */

/**
 * Functions answer new objects and change none.
 * @typedef {object} Strategy
 * @property {boolean} [hasGeneration] whether `metadata.generation` counts changes of the spec
 * @property {boolean} [keepsStatus] whether a creation may say the status
 * @property {boolean} [allowCreateOnUpdate] whether an update may create
 * @property {boolean} [needsResourceVersion] whether an update has to say which version it changes
 * @property {boolean} [returnsDeleted] whether a deletion is answered with the object
 * @property {string} [warning] what each write is answered with besides
 * @property {boolean} [orphansDependents] whether that is what a deletion does that says nothing
 * @property {(object: KubernetesObject) => KubernetesObject} [setDefaults] what each write fills in
 * @property {(object: KubernetesObject, context: StrategyContext) => KubernetesObject}
 *   [prepareForCreate] what a creation fills in
 * @property {(object: KubernetesObject, old: KubernetesObject, context: StrategyContext) =>
 *   KubernetesObject} [prepareForUpdate]
 * @property {(object: KubernetesObject, context: StrategyContext) => FieldError[]} [validate]
 * @property {(object: KubernetesObject) => FieldError[]} [validateCreate] rules of creations alone
 * @property {(object: KubernetesObject, old: KubernetesObject, context: StrategyContext & {
 *   subresource: string }) => FieldError[]} [validateUpdate]
 * @property {(object: KubernetesObject, old: KubernetesObject | undefined, context:
 *   StrategyContext & { subresource: string }) => void} [admit] the part of admission that checks
 *   an object once it is valid; throws what it refuses. `old` is undefined for a creation
 */

export {};
