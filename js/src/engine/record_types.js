/**
 * The shapes of records, and of what is in them and in inspections, as types only. Times are
 * Kubernetes' MicroTime text; pods are `namespace/name`; `seq` numbers the records of a scheduler.
 */

/**
 * What became of a placement, when its binding cycle has ended.
 * @typedef {object} BindingResult
 * @property {'BindingResult'} kind
 * @property {number} seq
 * @property {string} at
 * @property {number} decision the `seq` of the Decision that it belongs to
 * @property {string} pod
 * @property {string} uid
 * @property {'bound' | 'bindFailed'} result
 * @property {string} node
 * @property {'Permit' | 'PreBind' | 'Bind'} [phase] of a failure
 * @property {string} [plugin] that failed
 * @property {string} [code] of its status
 * @property {string} [message]
 */

/**
 * With `events`: an event that kube-scheduler would have written.
 * @typedef {object} EventRecord
 * @property {'Event'} kind
 * @property {number} seq
 * @property {string} at
 * @property {string} pod that it regards
 * @property {'Normal' | 'Warning'} type
 * @property {string} reason
 * @property {string} action
 * @property {string} note
 * @property {string} [related] another object that it is about
 */

/**
 * With `moves`: a pod went from one queue to another.
 * @typedef {object} QueueMove
 * @property {'QueueMove'} kind
 * @property {number} seq
 * @property {string} at
 * @property {string} pod
 * @property {string} event that moved it, as the metrics name it: `AssignedPodDelete`
 * @property {string} [plugin] whose hint decided
 * @property {string} [hint] `Queue` or `QueueSkip`
 * @property {string} [from] the queue that it was in; absent: none
 * @property {string} to `active`, `backoff`, `unschedulable`
 * @property {string} [gatingPlugin] that holds the pod back
 */

/**
 * Something that came in while a cycle waited turned out to be wrong.
 * @typedef {object} InputErrorRecord
 * @property {'InputError'} kind
 * @property {number} seq
 * @property {string} at
 * @property {import('../kubernetes/types.js').InputErrorFields} error
 */

/**
 * The cache or the queue was told something that contradicts what it knows.
 * @typedef {object} Inconsistency
 * @property {'Inconsistency'} kind
 * @property {number} seq
 * @property {string} at
 * @property {string} operation what was asked for
 * @property {string} object `namespace/name`, or the name of what has no namespace
 * @property {string} message
 */

/**
 * A request that came out of a turn, as plain data.
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
 * What became of a call, as it was handed in by `complete` or performed here: a `status` with a
 * `body`, or an `error` with its `message`.
 * @typedef {object} CompletionRecord
 * @property {'Completion'} kind
 * @property {number} call the call's id
 * @property {number} [status]
 * @property {string} [body]
 * @property {string} [error]
 * @property {string} [message]
 */

/**
 * A reader was too slow: so many records are lost to it.
 * @typedef {{ kind: 'RecordsDropped', count: number }} RecordsDropped
 */

/**
 * The records by their kind.
 * @typedef {object} RecordsByKind
 * @property {import('./types.js').Decision} Decision
 * @property {BindingResult} BindingResult
 * @property {EventRecord} Event
 * @property {QueueMove} QueueMove
 * @property {InputErrorRecord} InputError
 * @property {Inconsistency} Inconsistency
 * @property {CallRecord} Call
 * @property {CompletionRecord} Completion
 * @property {RecordsDropped} RecordsDropped
 */

/**
 * Why a pod is where it is in the queue.
 * @typedef {object} QueuedPod
 * @property {string} pod
 * @property {string} [expiresAt] when its backoff is over
 * @property {boolean} [error] it waits out an error
 * @property {string[]} unschedulablePlugins
 * @property {string[]} pendingPlugins
 * @property {boolean} [gated]
 * @property {string} [gatingPlugin]
 * @property {string} [message] of the plugin that holds it back
 * @property {{ event: string, plugin?: string, hint?: string, queue: string, at: string }}
 *   [lastMove]
 */

/**
 * What `inspect({ madeUp: true })` answers, as `madeUp`: claims and volumes that no controller of
 * the cluster made or bound, but one that is simulated. `volume`: null where the claim itself was
 * made, for an ephemeral volume. `by`: the provisioner or the controller that is simulated.
 * @typedef {{ claim: string, volume: string | null, by: string }} MadeUp
 */

/** @typedef {'ALPHA' | 'BETA' | 'STABLE'} Stability */

/**
 * A value with its labels, in the order of the family's. Of a histogram: `buckets` counts what is
 * at most each of the bounds and more than the one before; what is beyond the last is in `count`
 * alone.
 * @typedef {{ labels: string[], value: number } | { labels: string[], buckets: number[], sum:
 *   number, count: number }} Sample
 */

/**
 * What `inspect({ metrics: true })` answers, as `metrics.families`: kube-scheduler's metrics.
 * @typedef {object} MetricFamily
 * @property {string} name
 * @property {'counter' | 'gauge' | 'histogram'} type
 * @property {string} help
 * @property {Stability} [stability]
 * @property {string[]} labels their names
 * @property {number[]} [bounds] of a histogram, ascending, without infinity
 * @property {Sample[]} samples
 */

export {};
