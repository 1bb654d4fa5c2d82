/**
 * The kind-specific behaviour of writes, as in the strategies of kube-apiserver's registry.
 * Counterpart: apiserver/pkg/registry/rest (RESTCreateStrategy and its like), v1.36.
 */

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 * @import { FeatureGates } from '../feature_gates.js'
 * @import { Store } from '../store.js'
 */

/**
 * @typedef {object} StrategyContext
 * @property {Store} store
 * @property {number} now milliseconds since the epoch
 * @property {() => number} random
 * @property {boolean} taintNodesByCondition whether new nodes start as not ready
 * @property {FeatureGates} [gates] of the server that knows them
 * @property {boolean} isDecoded whether the given object was decoded by its type already
 * @property {boolean} [isLoaded] whether the object comes from a file of a cluster instead of a
 *   request
 */

/**
 * The functions return new objects and change none.
 * @typedef {object} Strategy
 * @property {boolean} [hasGeneration] whether `metadata.generation` counts changes of the spec
 * @property {boolean} [keepsStatus] whether a creation may set the status
 * @property {boolean} [allowCreateOnUpdate] whether an update may create
 * @property {boolean} [needsResourceVersion] whether an update has to name the version that it
 *   changes
 * @property {boolean} [returnsDeleted] whether a deletion returns the object
 * @property {string} [warning] a warning in the response to each write
 * @property {boolean} [orphansDependents] whether a deletion orphans dependents by default
 * @property {(object: KubernetesObject, context: { now: number, gates?: FeatureGates }) =>
 *   KubernetesObject} [setDefaults] completes the object of each write
 * @property {(object: KubernetesObject, context: StrategyContext) => KubernetesObject}
 *   [prepareForCreate] completes the object of a creation
 * @property {(object: KubernetesObject, old: KubernetesObject, context: StrategyContext & {
 *   subresource: string }) => KubernetesObject} [prepareForUpdate]
 * @property {(object: KubernetesObject, context: StrategyContext) => FieldError[]} [validate]
 * @property {(object: KubernetesObject) => FieldError[]} [validateCreate] the additional rules of
 *   creations
 * @property {(object: KubernetesObject, old: KubernetesObject, context: StrategyContext & {
 *   subresource: string }) => FieldError[]} [validateUpdate]
 * @property {(object: KubernetesObject, old: KubernetesObject) => KubernetesObject}
 *   [prepareForStatusUpdate] completes the object of a status update
 * @property {(object: KubernetesObject, old: KubernetesObject, context: StrategyContext) =>
 *   FieldError[]} [validateStatusUpdate]
 * @property {(object: KubernetesObject, old: KubernetesObject | undefined, context:
 *   StrategyContext & { subresource: string }) => void} [admit] the part of admission that checks a
 *   valid object; throws refusals. `old` is undefined for a creation
 */

export {};
