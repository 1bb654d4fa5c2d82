/**
 * The shapes that go in and come out, as types only. All of it is plain data: JSON, and safe for
 * structured clones. Readers skip fields they do not know; an absent field means "does not apply".
 * Pods are named `namespace/name`.
 */

/**
 * @import { KubernetesObject, Status } from '../kubernetes/types.js'
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { RecordsByKind } from './record_types.js'
 */

/* ---- The engine ------------------------------------------------------------------------------ */

/**
 * The functions of the engine, as WebAssembly and the native addon both export them. Private: see
 * "The engine surface" in js/README.md. A number ≥ 0 is the count of bytes in `output()`, a
 * negative one a refusal.
 * @typedef {object} EngineSurface
 * @property {() => string} abi
 * @property {(size: number) => Uint8Array} input
 * @property {() => Uint8Array} output
 * @property {(size: number, bridge: ((request: string) => string) | null) => number} create
 * @property {(handle: number) => number} destroy
 * @property {(handle: number, nowUs: number, format: number, size: number) => number} apply
 * @property {(handle: number, nowUs: number, maxCycles: number) => number} run
 * @property {(handle: number, nowUs: number, size: number) => number} evaluate
 * @property {(handle: number, size: number) => number} inspect
 */

/**
 * A `WebAssembly.Module`. Node's types have none, those of pages do.
 * @typedef {typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
 *   ? Module : object} CompiledModule
 */

/**
 * What `wasm` may be.
 * @typedef {CompiledModule | Response | ArrayBuffer | ArrayBufferView | URL | string} WasmSource
 */

/** @typedef {import('../io/clock.js').Clock} Clock */

/* ---- Schedulers ------------------------------------------------------------------------------ */

/**
 * @typedef {object} SchedulerOptions
 * @property {KubernetesObject | string | Uint8Array} [configuration] a KubeSchedulerConfiguration,
 *   as an object or as JSON. Default: kube-scheduler's own
 * @property {Record<string, boolean>} [featureGates] those that differ from their default in v1.36
 * @property {'heap' | 'name' | 'random'} [tieBreak] among equal totals: as kube-scheduler does
 *   (default), the first name by bytes, or seeded
 * @property {number} [seed] an integer ≥ 0, default 0
 * @property {'simulated' | 'host'} [api] who binds and evicts: the engine itself, at once
 *   (default), or the caller
 * @property {{ volumes?: boolean, gracefulDeletion?: boolean }} [simulate] with `api: 'simulated'`:
 *   whether the engine binds claims and makes volumes, as their controllers would, default true;
 *   whether victims stay as terminating pods, default false
 * @property {Clock} [clock] default: a virtual clock, unless `api` is `host`
 * @property {Date | number} [startTime] of the virtual clock; a number is milliseconds since the
 *   epoch. Default 0
 * @property {'summary' | 'nodes'} [detail] how much each Decision says. Default `summary`
 * @property {{ objectBytes?: number, depth?: number, batchBytes?: number }} [limits] defaults 4
 *   MiB, 64, 256 MiB
 * @property {Record<string, InProcessExtender>} [extenders] extenders of the configuration that are
 *   functions here, by their `urlPrefix`; all others are asked over HTTP
 * @property {typeof fetch} [fetch] asks extenders; default: the host's
 * @property {import('../plugins/types.js').Plugin[]} [plugins] plugins of one's own, enabled by
 *   name in the configuration
 * @property {(error: import('../kubernetes/errors.js').PluginError) => void} [onPluginError] gets
 *   what a plugin threw, with its stack, when it becomes an Error status
 * @property {{ extenderNodesWithoutPods?: boolean }} [quirks] what kube-scheduler v1.36 does
 *   against its own documentation, each on by default: see js/README.md
 * @property {boolean} [events] whether there are Event records; default false
 * @property {boolean} [moves] whether there are QueueMove records; default false
 * @property {boolean} [metrics] whether `inspect({ metrics: true })` has them; default false
 * @property {boolean} [keepObjects] whether the engine keeps objects as they came in, for `list`,
 *   `get`, `snapshot` and `unbind` by name; default true
 * @property {number} [apiCallTimeout] milliseconds after which nobody waits for the API server any
 *   more; default 0: never, as in v1.36
 * @property {number} [assumedPodExpiry] milliseconds after which a bound pod that no watch event
 *   confirms is forgotten; default 0: never, as in v1.36
 * @property {number} [podMaxInUnschedulablePodsDuration] milliseconds after which an unschedulable
 *   pod is tried again without a cause; default 300,000
 * @property {string} [hostname] of this scheduler, in the events that it writes
 * @property {(line: string) => void} [log] gets each line of the log, with its line feed, before
 *   what it says happens: see `replay`. What it throws stops that; an answer is handed in again
 *   when whoever comes next has been told
 */

/**
 * What `Scheduler.start` takes.
 * @typedef {object} StartOptions
 * @property {import('./pump.js').Perform} perform makes the calls of kind `api`: what it throws is
 *   an answer `network`, and one that is not there by the call's deadline is a `timeout`
 * @property {AbortSignal} [signal] ends it
 * @property {number} [budgetMs] how long turns go on before others have theirs; default 10
 * @property {Date | number} [until] ends it, too; default: never
 * @property {number} [gracePeriod] milliseconds that calls under way still have after the signal,
 *   while nothing new is decided; default 0
 * @property {(run: () => Turn) => Turn} [aroundTurn] runs each turn and gives what it gave: for
 *   those who measure
 */

/**
 * @typedef {object} ReplayOptions
 * @property {number} [until] the line to stop behind, from 1, the header; default: the last
 * @property {(record: EngineRecord) => void} [onRecord] gets the records and calls of all turns
 * @property {Record<string, InProcessExtender>} [extenders] for what follows the replay
 * @property {typeof fetch} [fetch] for what follows the replay
 * @property {import('../plugins/types.js').Plugin[]} [plugins] those of the log, in their order,
 *   for what is asked after the replay; in it their answers of then count
 */

/**
 * A scheduler extender in this process: the same JSON as over HTTP (kube-scheduler's extender/v1),
 * parsed. Each function may return a promise. What it throws is an error of the extender.
 * @typedef {object} InProcessExtender
 * @property {(args: any) => any} [filter] ExtenderArgs → ExtenderFilterResult
 * @property {(args: any) => any} [prioritize] ExtenderArgs → HostPriorityList
 * @property {(args: any) => any} [preempt] ExtenderPreemptionArgs → ExtenderPreemptionResult
 * @property {(args: any) => any} [bind] ExtenderBindingArgs → ExtenderBindingResult
 */

/**
 * A request that the engine wants made before it goes on, ready for `fetch`.
 * @typedef {object} Call
 * @property {number} id
 * @property {'api' | 'extender' | 'plugin'} kind whom it is for: the API server, an extender, or a
 *   plugin here (never handed out)
 * @property {string} pod `namespace/name`, on whose behalf
 * @property {string} [target] the extender's `urlPrefix`, as configured; the plugin's name
 * @property {string} verb of the API `bind`, `patch`, `delete`, `create` or `update`; of extenders
 *   `filter`, `prioritize`, `preempt` or `bind`
 * @property {string} method
 * @property {string} [url] of an extender
 * @property {string} [path] of the API server, below its base URL
 * @property {string} contentType
 * @property {Uint8Array} body
 * @property {number} [timeoutMs] absent: it may take for ever
 * @property {number | null} deadline when the engine gives up on it, milliseconds since the epoch
 */

/**
 * What became of a call.
 * @typedef {{ status: number, body?: Uint8Array | string, error?: undefined } |
 *   { error: 'timeout' | 'network' | 'aborted', message: string }} Answer
 */

/**
 * @typedef {object} ApplyOptions
 * @property {'document' | 'lines'} [format] of text and bytes: one JSON document (default), or one
 *   per line
 * @property {(error: InputError) => void} [onError] gets each bad
 *   item instead of a BatchError, and each unknown kind once
 */

/**
 * @typedef {object} ApplyResult
 * @property {number} applied
 * @property {number} ignored objects that are as they were, or of no interest
 * @property {string} [resourceVersion] the last one seen
 * @property {Status} [status] of an ERROR event
 * @property {InputError[]} errors
 * @property {string[]} unknownKinds `apps/v1, Kind=Deployment`; each is named once per scheduler
 */

/**
 * @typedef {object} Turn
 * @property {EngineRecord[]} records
 * @property {Call[]} calls requests to be performed, whose answers go to `complete`. While the
 *   scheduler is started they are performed already
 * @property {number | null} nextDeadline when the engine wants to run again by itself, milliseconds
 *   since the epoch: a backoff is over, a call times out, a pod has waited long enough
 * @property {boolean} idle nothing can be done now
 * @property {boolean} waiting a cycle waits for an answer; nothing else is decided before it ends
 * @property {boolean} busy something is under way: a cycle that waits, bindings, calls
 */

/** @typedef {RecordsByKind[keyof RecordsByKind]} EngineRecord told apart by `kind` */

/** @typedef {'scheduled' | 'unschedulable' | 'error' | 'gated' | 'skipped'} Result */
/**
 * Of the pod's claims that get their volumes with this placement: the volume's name, or
 * `provision` where it is yet to be made.
 * @typedef {Record<string, string>} ClaimVolumes
 */

/** @typedef {{ plugin: string, code: string, reason: string, nodes: number }} ReasonCount */
/** @typedef {{ plugin: string, code: string, reasons: string[], nodes: string[] }} FilterGroup */

/**
 * What a decision says of preemption. `candidates` and `rejected` come with `detail: 'nodes'`.
 * @typedef {object} Preemption
 * @property {string} [message] what the plugins said, the tail of the decision's message
 * @property {string | null} [nominatedNode]
 * @property {'set' | 'clear' | 'keep'} [nomination] what becomes of the pod's nomination
 * @property {string[]} [victims] `namespace/name`, the most important first
 * @property {string[]} [admissibleNodes]
 * @property {{ node: string, victims: string[], pdbViolations: number }[]} [candidates]
 * @property {Record<string, { plugin: string, code: string, reasons: string[] }>} [rejected]
 */

/**
 * The fields that `detail: 'nodes'` adds; `total`, and each list in `scores` and
 * `rawScores`, are parallel to `feasible`. `scores` are weighted, `rawScores` as the plugin gave
 * them.
 * @typedef {object} NodeDetail
 * @property {FilterGroup[]} [filter] refused nodes by the first plugin that refused them
 * @property {FilterGroup[]} [filterAll] with `allPlugins`: a node once per plugin that refuses it
 * @property {Culprit[]} [culprits] with `culprits`: of at most 100 nodes, the nearest first, each
 *   once per plugin that refuses it
 * @property {number} [culpritsOmitted] how many nodes more refuse the pod
 * @property {{ plugin: string, code: string, reasons: string[] }} [preFilter]
 * @property {string[]} [preFilterResult]
 * @property {{ code: string, reasons: string[] }} [absent] of all nodes outside `preFilterResult`;
 *   none where a nominated node was taken
 * @property {string[]} [feasible]
 * @property {string[]} [best]
 * @property {number[]} [total]
 * @property {Record<string, number>} [weights]
 * @property {Record<string, number[]>} [rawScores]
 * @property {Record<string, number[]>} [scores]
 * @property {ScoreNotes[]} [scoreNotes] with `scoreNotes`, if nodes were scored: of at most 100
 *   nodes, the one with the highest total first, each once per plugin
 * @property {number} [scoreNotesOmitted] the number of further nodes
 * @property {PickNotes} [pickNotes] with `scoreNotes`, if preemption picks a node
 * @property {NodeTable} [table] of evaluations with `detail: 'table'`
 */

/**
 * How one plugin's score of one node comes about. The lines are for people: operands (at most 50),
 * then formulas with their results. `weighted` is `normalized.value` × `weight`.
 * @typedef {object} ScoreNotes
 * @property {string} node
 * @property {string} plugin or the URL of an extender
 * @property {{ value: number, lines: string[] }} raw the score that the plugin returned
 * @property {{ value: number, lines: string[] }} normalized the score after NormalizeScore
 * @property {number} weight
 * @property {number} weighted
 */

/**
 * How preemption picks one of its candidates, `nodes`: criterion by criterion, up to the one that
 * decides. Each reduces the candidates to those in `left`. Its `amounts` are parallel to `nodes`;
 * the last criterion, which decides ties, has none. With one candidate there are no criteria.
 * @typedef {object} PickNotes
 * @property {string[]} nodes in the order in which preemption tried them
 * @property {{ criterion: string, amounts: (number | string)[], left: string[] }[]} criteria
 */

/**
 * What stands behind one plugin's refusal of one node; which members there are is the plugin's
 * matter. The nearest node is the one that the fewest plugins refuse, of these the one where the
 * least is missing, of these the first by name. Amounts are quantities as Kubernetes writes them;
 * of a list of pods, `namespace/name`, there are at most five. `domain` and `value` are what the
 * node has; null: it has no such label.
 * @typedef {object} Culprit
 * @property {string} node
 * @property {string} plugin
 * @property {string[]} reasons
 * @property {{ resource: string, asked: string, allocatable: string, taken: string, missing:
 *   string, pods?: { pod: string, taken: string }[] }[]} [resources] of NodeResourcesFit, with the
 *   pods that take most
 * @property {{ key: string, value?: string, effect: string }} [taint] of TaintToleration and
 *   NodeUnschedulable
 * @property {{ port: number, protocol: string, hostIP: string, pods: string[] }[]} [ports] of
 *   NodePorts, with the pods that hold them
 * @property {{ field: string, key: string, operator: string, values: string[], value: string | null
 *   }[]} [requirements] of NodeAffinity, those that the node does not meet
 * @property {{ term: string, topologyKey: string, domain: string | null }[]} [affinity] of
 *   InterPodAffinity: the terms in whose domain is no pod that they ask for
 * @property {{ term: string, topologyKey: string, domain: string, pods: string[] }[]}
 *   [antiAffinity] of InterPodAffinity: the pod's own terms and the pods that they exclude
 * @property {{ term: string, topologyKey: string, domain: string, pod: string }[]}
 *   [existingAntiAffinity] of InterPodAffinity: the pods whose terms exclude this one
 * @property {{ topologyKey: string, domain: string | null, pods?: number, minimum?: number, skew?:
 *   number, maxSkew: number, minDomains?: number, domains?: number }[]} [constraints] of
 *   PodTopologySpread: those that the node would break; `skew` is with the pod
 * @property {{ claim: string, reason: string, volume?: string, storageClass?: string,
 *   selectedNode?: string }[]} [claims] of VolumeBinding
 * @property {{ claim: string, volume: string, key: string, values: string[], value: string | null
 *   }[]} [volumes] of VolumeZone
 * @property {string[]} [pods] of VolumeRestrictions: those that use the disk or the claim
 * @property {{ driver: string, asked: number, attached: number, limit: number }[]} [limits] of
 *   NodeVolumeLimits
 */

/**
 * Verdicts of every plugin on every node. A cell is 0: passed, -1: not reached, -2: outside the
 * sample, k: refused with `statuses[k-1]`.
 * @typedef {object} NodeTable
 * @property {string[]} nodes
 * @property {string[]} plugins
 * @property {string[]} [skipped]
 * @property {{ plugin: string, code: string, reasons: string[] }[]} statuses
 * @property {Record<string, number[]>} cells
 */

/**
 * @typedef {object} DecisionFields
 * @property {'Decision'} kind
 * @property {number} seq
 * @property {string} at MicroTime
 * @property {string} pod `namespace/name`
 * @property {string} [uid]
 * @property {string} [schedulerName]
 * @property {number} [attempts]
 * @property {'active' | 'backoff'} [poppedFrom] the queue that the pod came from; absent: it was
 *   taken by a command, or held back
 * @property {Result} result
 * @property {string | null} node
 * @property {string} [nominatedNodeName]
 * @property {'Noop' | 'Override'} [nominatingMode] whether this decision sets the nomination
 * @property {string} [reason] of the condition
 * @property {string} [message] of pods that got no node
 * @property {string} [hint] the node that OpportunisticBatching proposed, and that was tried first
 * @property {string} [plugin] of gated pods: the one that holds them back
 * @property {number} [numAllNodes]
 * @property {number} [evaluatedNodes]
 * @property {number} [feasibleNodes]
 * @property {ReasonCount[]} [reasons] at most 64
 * @property {number} [reasonsOmitted]
 * @property {string[]} [unschedulablePlugins]
 * @property {string[]} [pendingPlugins]
 * @property {Preemption} [preemption]
 * @property {string[]} [clearedNominations] pods that preemption took their nomination from
 * @property {ClaimVolumes} [volumes]
 * @property {string[]} [notImplemented] plugins that would have mattered, and are not built yet
 * @property {string} [hash] of all decisions up to this one; a gated pod was not decided about
 */

/** One attempt to place one pod. @typedef {DecisionFields & NodeDetail} Decision */

/**
 * @typedef {object} EvaluateOptions
 * @property {'summary' | 'nodes' | 'table'} [detail] default `nodes`; with `summary`, which costs
 *   the least, none of the next four
 * @property {boolean} [allPlugins] every refusal of every node, in `filterAll`
 * @property {boolean} [culprits] who is in the way on the nodes that refuse the pod, and how much
 *   is missing; not with `summary`
 * @property {{ plugin?: string, node?: string }} [scoreNotes] how the scores come about, in
 *   `scoreNotes`: of the plugin (or extender) and of the node, each by default all. Also how
 *   preemption picks its node, in `pickNotes`. Not with `summary`
 * @property {boolean} [everyNode] verdicts also for nodes outside the sample
 * @property {boolean} [preemption] also what preemption would do; default true
 * @property {boolean} [classify] how far the pod is from a node, in `fits`
 * @property {number} [maxSteps] an integer from 1: what the evaluation may cost, in comparisons of
 *   a part of the pod with a node, a pod or a term; beyond it an InputError `TooManySteps`, and
 *   nothing has changed. Steps are counted loop by loop, equally in every runtime. Default: no
 *   bound
 */

/**
 * `Now`: there is a node; `WithPreemption`: there would be one, if others had to go; `Never`: not
 * on any node that there is, even without its pods; `NotNow`: all else.
 * @typedef {'Now' | 'WithPreemption' | 'NotNow' | 'Never'} Fits
 */

/**
 * A gated pod has no counts and no reasons, as nothing was asked, unless `allPlugins` is true.
 * @typedef {object} EvaluationFields
 * @property {'stowage/v1'} apiVersion
 * @property {'Evaluation'} kind
 * @property {string} pod `namespace/name`
 * @property {Result} result
 * @property {string | null} node
 * @property {Fits} [fits] with `classify`
 * @property {string} [plugin] of gated pods: the one that holds them back
 * @property {string} [reason] of the condition that a pod without a node would get
 * @property {string} [message] of pods that got no node
 * @property {number} [numAllNodes]
 * @property {number} [evaluatedNodes]
 * @property {number} [feasibleNodes]
 * @property {ReasonCount[]} [reasons] at most 64
 * @property {number} [reasonsOmitted]
 * @property {string[]} [unschedulablePlugins]
 * @property {string[]} [pendingPlugins]
 * @property {Preemption} [preemption]
 * @property {string[]} [clearedNominations] pods that preemption would take their nomination from
 * @property {ClaimVolumes} [volumes]
 * @property {string[]} [notImplemented] plugins that would have mattered, and are not built yet
 * @property {number} [steps] with `maxSteps`: how many it took
 */

/** What the next cycle would do with a pod. @typedef {EvaluationFields & NodeDetail} Evaluation */

export {};
