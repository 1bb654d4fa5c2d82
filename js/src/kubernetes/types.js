/**
 * The shapes of Kubernetes' objects, of errors, and of the inputs of defaults, as types only. All
 * of them are plain data: JSON, and safe for structured clones.
 */

/**
 * @import { Existing } from './existing.js'
 * @import { InputError } from './errors.js'
 */

/* ---- Kubernetes ------------------------------------------------------------------------------ */

/**
 * Any API object. Structural, so that the types of other packages are accepted as they are.
 * @typedef {{ apiVersion?: string, kind?: string, metadata?: any, [field: string]: any }}
 *   KubernetesObject
 */

/**
 * One line of a watch: `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR` with its object; or a
 * mark or command without one (`SYNC_BEGIN`, `SYNC_END`, `SCHEDULE_ONE`, `ACTIVATE`,
 * `ALLOW_WAITING_POD`, `REJECT_WAITING_POD`, `COMPLETION`).
 * @typedef {{ type: string, object?: KubernetesObject, [field: string]: any }} WatchEvent
 */

/**
 * `metav1.Status`.
 * @typedef {object} Status
 * @property {'v1'} apiVersion
 * @property {'Status'} kind
 * @property {object} metadata
 * @property {'Failure' | 'Success'} status
 * @property {string} [message]
 * @property {string} [reason]
 * @property {{ kind?: string, name?: string, causes?: StatusCause[], retryAfterSeconds?: number }}
 *   [details]
 * @property {number} [code]
 */

/** @typedef {{ reason?: string, message?: string, field?: string }} StatusCause */

/* ---- Errors ---------------------------------------------------------------------------------- */

/**
 * The facts of an InputError.
 * @typedef {object} InputErrorFields
 * @property {string} code
 * @property {string} [message] the whole sentence; composed from the rest if absent
 * @property {string} [detail] the fault of the value
 * @property {string} [apiVersion]
 * @property {string} [kind]
 * @property {string} [namespace]
 * @property {string} [name]
 * @property {string} [field] `spec.containers[0].resources.requests[cpu]`
 * @property {unknown} [value] truncated if long
 * @property {number} [document] in a text of several documents, from 1
 * @property {number} [line] from 1
 * @property {number} [column] from 1
 * @property {number} [index] in the batch, from 0
 */

/** @typedef {{ field?: string, detail: string }} FieldError */

/**
 * The engine's description of an error.
 * @typedef {InputErrorFields & { class: string, errors?: FieldError[] }} ErrorDocument
 */

/* ---- Manifests and defaults ------------------------------------------------------------------ */

/**
 * The context of `withDefaults`.
 * @typedef {object} DefaultsContext
 * @property {Iterable<KubernetesObject>} [priorityClasses] the cluster's, in addition to the two of
 *   the system
 * @property {Iterable<KubernetesObject>} [storageClasses] the cluster's: a claim without a class
 *   gets the default one
 * @property {number} [seed] of the uids, an integer ≥ 0; default 0
 * @property {number} [count] numbers the names made from `generateName`; default 0
 * @property {string} [creationTimestamp] given to objects without one; default: they stay without
 */

/**
 * The further context of `podsOf` and `expand`.
 * @typedef {object} ExpandLists
 * @property {Iterable<KubernetesObject>} [nodes]
 * @property {Iterable<KubernetesObject> | Existing} [existing] objects that the cluster has
 *   already; an index is used as it is, and remembers the names of what is created
 * @property {Iterable<KubernetesObject>} [replaced] objects that the workloads replace: pods below
 *   the partition of a StatefulSet keep its former template
 * @property {Iterable<KubernetesObject>} [limitRanges] the cluster's: containers get their default
 *   requests and limits, and pods outside of their bounds are refused
 * @property {Iterable<KubernetesObject>} [runtimeClasses] the cluster's: pods get the overhead, the
 *   node selector and the tolerations of their class. If the list is absent, pods' classes are
 *   ignored; if present, a pod of an unknown class is refused
 */

/** @typedef {DefaultsContext & ExpandLists} ExpandContext */

/**
 * What a batch has done.
 * @typedef {object} ApplyResult
 * @property {number} applied
 * @property {number} ignored the number of objects that were unchanged or irrelevant
 * @property {string} [resourceVersion] the last one in the batch
 * @property {Status} [status] of an ERROR event
 * @property {InputError[]} errors
 * @property {string[]} unknownKinds `apps/v1, Kind=Deployment`; each is named once per scheduler
 */

/**
 * A position in a text; `document` counts from 1.
 * @typedef {{ document: number, line: number, column: number }} Position
 */

export {};
