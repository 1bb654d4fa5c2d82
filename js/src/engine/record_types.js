/**
 * The shapes of records and of the parts that they share with inspections, as types only. Times are
 * Kubernetes' MicroTime text; pods are `namespace/name`; `seq` numbers the records of a scheduler.
 */

/**
 * The outcome of a placement, at the end of its binding cycle.
 * @typedef {object} BindingResult
 * @property {'BindingResult'} kind
 * @property {number} seq
 * @property {string} at
 * @property {number} decision the `seq` of the Decision that it belongs to
 * @property {string} pod
 * @property {string} uid
 * @property {'bound' | 'bindFailed'} result
 * @property {string} node
 * @property {'Permit' | 'PreBind' | 'Bind'} [phase] the phase that failed
 * @property {string} [plugin] the plugin that failed
 * @property {string} [code] of its status
 * @property {string} [message]
 */

/**
 * The outcome of the cycle of a pod group, after the Decisions about its pods.
 * @typedef {object} PodGroupDecision
 * @property {'PodGroupDecision'} kind
 * @property {number} seq
 * @property {string} at
 * @property {string} podGroup `namespace/name`
 * @property {'scheduled' | 'unschedulable' | 'error'} result
 * @property {string} message
 * @property {boolean} [waitsForPreemption] it could start after evictions
 * @property {string[]} [victims] `namespace/name` of the pods that were evicted for the group as a
 *   whole, the most important first
 * @property {string} [placement] the topology domain on which its pods were placed
 * @property {number[]} decisions the `seq` of the Decisions about its pods
 */

/**
 * With `events`: an event that kube-scheduler would have written.
 * @typedef {object} EventRecord
 * @property {'Event'} kind
 * @property {number} seq
 * @property {string} at
 * @property {string} pod the pod that it is about
 * @property {'Normal' | 'Warning'} type
 * @property {string} reason
 * @property {string} action
 * @property {string} note
 * @property {string} [related] a second object that it is about
 */

/**
 * With `moves`: a pod moved from one queue to another.
 * @typedef {object} QueueMove
 * @property {'QueueMove'} kind
 * @property {number} seq
 * @property {string} at
 * @property {string} pod
 * @property {string} event the event that moved it, named as in the metrics: `AssignedPodDelete`
 * @property {string} [plugin] the plugin whose hint decided
 * @property {string} [hint] `Queue` or `QueueSkip`
 * @property {string} [from] its queue before; absent if it was in none
 * @property {string} to `active`, `backoff`, `unschedulable`
 * @property {string} [gatingPlugin] the plugin that holds the pod back
 */

/**
 * An item that arrived while a cycle waited, and that the engine rejected afterwards.
 * @typedef {object} InputErrorRecord
 * @property {'InputError'} kind
 * @property {number} seq
 * @property {string} at
 * @property {import('../kubernetes/types.js').InputErrorFields} error
 */

/**
 * An input contradicted the state of the cache or the queue.
 * @typedef {object} Inconsistency
 * @property {'Inconsistency'} kind
 * @property {number} seq
 * @property {string} at
 * @property {string} operation the requested operation
 * @property {string} object `namespace/name`, or the name of an object without a namespace
 * @property {string} message
 */

/**
 * A request of a turn, as plain data.
 * @typedef {object} CallRecord
 * @property {'Call'} kind
 * @property {number} id
 * @property {string} callKind `api` or `extender`
 * @property {string} pod
 * @property {string} [target]
 * @property {string} verb
 * @property {string} [method]
 * @property {string} [path]
 * @property {string} [url]
 * @property {string} [contentType]
 * @property {number} [timeoutMs]
 * @property {string | null} deadline
 * @property {string} body
 */

/**
 * The answer to a call, handed in by `complete` or performed here: a `status` with a `body`, or an
 * `error` with its `message`.
 * @typedef {object} CompletionRecord
 * @property {'Completion'} kind
 * @property {number} call the call's id
 * @property {number} [status]
 * @property {string} [body]
 * @property {string} [error]
 * @property {string} [message]
 */

/**
 * A reader was too slow: it lost this many records.
 * @typedef {{ kind: 'RecordsDropped', count: number }} RecordsDropped
 */

/**
 * The records by their kind.
 * @typedef {object} RecordsByKind
 * @property {import('./types.js').Decision} Decision
 * @property {BindingResult} BindingResult
 * @property {PodGroupDecision} PodGroupDecision
 * @property {EventRecord} Event
 * @property {QueueMove} QueueMove
 * @property {InputErrorRecord} InputError
 * @property {Inconsistency} Inconsistency
 * @property {CallRecord} Call
 * @property {CompletionRecord} Completion
 * @property {RecordsDropped} RecordsDropped
 */

/**
 * The reason why a pod is in its place in the queue.
 * @typedef {object} QueuedPod
 * @property {string} pod
 * @property {string} [expiresAt] the end of its backoff
 * @property {boolean} [error] whether it waits after an error
 * @property {string[]} unschedulablePlugins
 * @property {string[]} pendingPlugins
 * @property {boolean} [gated]
 * @property {string} [gatingPlugin]
 * @property {string} [message] of the plugin that holds it back
 * @property {{ event: string, plugin?: string, hint?: string, queue: string, at: string }}
 *   [lastMove]
 */

/**
 * A claim or volume that the simulated controllers made or bound, from the `madeUp` list of
 * `inspect({ madeUp: true })`. `volume` is null if the claim itself was created, for an ephemeral
 * volume. `by` is the simulated provisioner or controller.
 * @typedef {{ claim: string, volume: string | null, by: string }} MadeUp
 */

/** @typedef {'ALPHA' | 'BETA' | 'STABLE'} Stability */

/**
 * A value with its labels, in the order of the family's label names. In histograms `buckets` holds
 * the count of each bucket alone, not cumulated; values above the last bound are only in `count`.
 * @typedef {{ labels: string[], value: number } | { labels: string[], buckets: number[], sum:
 *   number, count: number }} Sample
 */

/**
 * The elements of `metrics.families` in `inspect({ metrics: true })`: kube-scheduler's metrics.
 * @typedef {object} MetricFamily
 * @property {string} name
 * @property {'counter' | 'gauge' | 'histogram'} type
 * @property {string} help
 * @property {Stability} [stability]
 * @property {string[]} labels label names
 * @property {number[]} [bounds] of a histogram, ascending, without infinity
 * @property {Sample[]} samples
 */

export {};
