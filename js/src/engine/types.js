/**
 * The shapes of inputs and outputs, as types only. All of them are plain data: JSON, and safe for
 * structured clones. Readers skip fields they do not know; an absent field means "does not apply".
 * Pods are named `namespace/name`.
 */

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { InProcessExtender } from '../plugins/extender_types.js'
 * @import { RecordsByKind } from './record_types.js'
 */

/* ---- The engine ------------------------------------------------------------------------------ */

/**
 * The functions of the engine, exported alike by WebAssembly and the native addon. Private: see
 * "The engine surface" in js/README.md. A number ≥ 0 is the count of bytes in `output()`, a
 * negative one a refusal.
 * @typedef {object} EngineSurface
 * @property {() => string} abi
 * @property {(size: number) => Uint8Array} input
 * @property {() => Uint8Array} output
 * @property {(size: number, bridge: ((request: string) => string) | null) => number} create
 * @property {(handle: number, bridge: ((request: string) => string) | null) => number} fork
 * @property {(handle: number, action: number) => number} revert
 * @property {(handle: number) => number} destroy
 * @property {(handle: number, nowUs: number, format: number, size: number) => number} apply
 * @property {(handle: number, nowUs: number, maxCycles: number) => number} run
 * @property {(handle: number, nowUs: number, size: number) => number} evaluate
 * @property {(handle: number, size: number) => number} inspect
 */

/**
 * A `WebAssembly.Module`. The type has a name of its own because Node's types lack it.
 * @typedef {typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
 *   ? Module : object} CompiledModule
 */

/**
 * The accepted forms of `wasm`.
 * @typedef {CompiledModule | Response | ArrayBuffer | ArrayBufferView | URL | string} WasmSource
 */

/**
 * Where the engine's modules come from; by default from this package.
 * @typedef {object} EngineSources
 * @property {WasmSource | Promise<WasmSource>} [wasm] `stowage.wasm`: a compiled module, a
 *   Response, bytes, a URL, a path (where there are files), or a promise of one of these
 * @property {true | WasmSource | Promise<WasmSource>} [deferredWasm] `stowage.deferred.wasm`, the
 *   code for devices, pod groups, extenders, plugins, forks and transactions, in the same forms;
 *   true: the package's. It is loaded ahead then. By default the package's is loaded,
 *   synchronously, when it is first needed
 */

/**
 * The module with the code for devices, pod groups, extenders, plugins, forks and transactions.
 * `forgetFault`: the next object that needs it tries again to load it.
 * @typedef {{ isLoaded: boolean, forgetFault: () => void, loadAhead: (source?: WasmSource |
 *   Promise<WasmSource>) => Promise<void> }} SecondModule
 */

/** @typedef {import('../io/clock.js').Clock} Clock */

/**
 * A release of kube-scheduler, such as `v1.34`. `patch`: the one that it decides as; a preview has
 * none.
 * @typedef {{ version: string, patch?: string }} Release
 */

/**
 * A fact that holds since a release. `name`: as in the option `behaviour`.
 * @typedef {{ name: string, since: string }} ReleaseFact
 */

/* ---- Schedulers ------------------------------------------------------------------------------ */

/**
 * @typedef {object} SchedulerOptions
 * @property {KubernetesObject | string | Uint8Array} [configuration] a KubeSchedulerConfiguration,
 *   as an object or as JSON. Default: kube-scheduler's own
 * @property {string} [kubernetesVersion] the kube-scheduler release that decides, such as `1.34`,
 *   `v1.34` or `1.34.9`; each stands for its last patch. Default: the engine's newest
 * @property {Record<string, boolean>} [behaviour] facts of the release that differ, by the names in
 *   core/config/behaviour.cc: to find which one changes a decision
 * @property {Record<string, boolean>} [featureGates] those that differ from their default in the
 *   release
 * @property {'heap' | 'name' | 'random'} [tieBreak] the choice among equal totals: as
 *   kube-scheduler does since v1.35, the first name by bytes, or seeded. Default: `heap`, until
 *   v1.34 `random`
 * @property {number} [seed] an integer ≥ 0, default 0
 * @property {'simulated' | 'host'} [api] who binds and evicts: the engine itself, at once
 *   (default), or the caller
 * @property {{ volumes?: boolean, claims?: boolean, gracefulDeletion?: boolean }} [simulate] with
 *   `api: 'simulated'`: whether the engine binds claims and makes volumes, and whether it creates
 *   and releases ResourceClaims, as their controllers would, default true; whether victims stay as
 *   terminating pods, default false
 * @property {Clock} [clock] default: a virtual clock, unless `api` is `host`
 * @property {Date | number} [startTime] of the virtual clock; a number is milliseconds since the
 *   epoch. Default 0
 * @property {'summary' | 'nodes'} [detail] the level of detail of each Decision. Default `summary`
 * @property {{ objectBytes?: number, depth?: number, batchBytes?: number }} [limits] defaults 4
 *   MiB, 64, 256 MiB
 * @property {Record<string, InProcessExtender>} [extenders] functions of this process for extenders
 *   of the configuration, by their `urlPrefix`; all others are called over HTTP
 * @property {typeof fetch} [fetch] calls extenders; default: the host's
 * @property {import('../plugins/types.js').Plugin[]} [plugins] JavaScript plugins, enabled by name
 *   in the configuration
 * @property {(error: import('../kubernetes/errors.js').PluginError) => void} [onPluginError] gets
 *   the error that a plugin threw, with its stack, when it becomes an Error status
 * @property {{ extenderNodesWithoutPods?: boolean }} [quirks] deviations of kube-scheduler v1.36
 *   from its own documentation, each on by default: see js/README.md
 * @property {boolean} [events] whether there are Event records; default false
 * @property {boolean} [moves] whether there are QueueMove records; default false
 * @property {boolean} [metrics] whether `inspect({ metrics: true })` has them; default false
 * @property {boolean} [keepObjects] whether the engine keeps applied objects, for `list`, `get`,
 *   `snapshot` and `unbind` by name; default true
 * @property {boolean} [keepBatches] whether other schedulers can apply this one; default false
 * @property {number} [apiCallTimeout] timeout of API calls in milliseconds; default 0: none, as in
 *   v1.36
 * @property {number} [assumedPodExpiry] milliseconds after which the cache forgets a bound pod that
 *   no watch event confirms; default 0: never, as in v1.36
 * @property {number} [podMaxInUnschedulablePodsDuration] milliseconds after which an unschedulable
 *   pod is retried without an event; default 300,000
 * @property {string} [hostname] of this scheduler, in the events that it writes
 * @property {(line: string) => void} [log] gets each line of the log, with its line feed, before
 *   the logged input takes effect: see `replay`. An exception that it throws stops that input; an
 *   answer is handed in again after the next caller has got the exception
 */

/**
 * The options of `Scheduler.start`.
 * @typedef {object} StartOptions
 * @property {import('./pump.js').Perform} perform performs the calls of kind `api`: if it throws,
 *   the answer is `network`; if it takes longer than the call's deadline, `timeout`
 * @property {AbortSignal} [signal] ends the run
 * @property {number} [budgetMs] milliseconds of turns before the pump yields; default 10
 * @property {Date | number} [until] the time at which the run ends; default: never
 * @property {number} [gracePeriod] milliseconds that calls in progress still have after the signal,
 *   without new decisions; default 0
 * @property {(run: () => Turn) => Turn} [aroundTurn] runs each turn and returns its result; for
 *   measurements
 */

/**
 * @typedef {object} ReplayOptions
 * @property {number} [until] the last line to replay, from 1, the header; default: the last
 * @property {string} [kubernetesVersion] the release that the log must be from; default: any that
 *   the engine supports
 * @property {(record: EngineRecord) => void} [onRecord] gets the records and calls of all turns
 * @property {Record<string, InProcessExtender>} [extenders] for what follows the replay
 * @property {typeof fetch} [fetch] for what follows the replay
 * @property {import('../plugins/types.js').Plugin[]} [plugins] those of the log, in their order,
 *   for evaluations after the replay; the replay itself uses the logged answers
 */

/**
 * A request that the engine waits for, ready for `fetch`.
 * @typedef {object} Call
 * @property {number} id
 * @property {'api' | 'extender' | 'plugin'} kind its receiver: the API server, an extender, or a
 *   plugin here (never handed out)
 * @property {string} pod `namespace/name` of the pod that it is for
 * @property {string} [target] the extender's `urlPrefix`, as configured; the plugin's name
 * @property {string} verb of the API `bind`, `patch`, `delete`, `create` or `update`; of extenders
 *   `filter`, `prioritize`, `preempt` or `bind`
 * @property {string} method
 * @property {string} [url] of an extender
 * @property {string} [path] of the API server, below its base URL
 * @property {string} contentType
 * @property {Uint8Array} body
 * @property {number} [timeoutMs] absent if there is no limit
 * @property {number | null} deadline when the engine stops waiting, milliseconds since the epoch
 */

/**
 * The answer to a call.
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
 * @typedef {object} Turn
 * @property {EngineRecord[]} records
 * @property {Call[]} calls requests to perform; hand their answers to `complete`. While the
 *   scheduler is started it performs them itself
 * @property {number | null} nextDeadline when the engine next has to run without an input,
 *   milliseconds since the epoch: a backoff ends, a call times out, or a pod has waited long enough
 * @property {boolean} idle nothing can be done now
 * @property {boolean} waiting a cycle waits for an answer; no other cycle begins before it ends
 * @property {boolean} busy something is in progress: a waiting cycle, bindings, calls
 */

/** @typedef {RecordsByKind[keyof RecordsByKind]} EngineRecord distinguished by `kind` */

/** @typedef {'scheduled' | 'unschedulable' | 'error' | 'gated' | 'skipped'} Result */
/**
 * For each of the pod's claims that get their volumes with this placement: the volume's name, or
 * `provision` if it has yet to be created.
 * @typedef {Record<string, string>} ClaimVolumes
 */
/**
 * For each ResourceClaim that is reserved for the pod with this placement: `status.allocation`.
 * @typedef {Record<string, object>} ClaimAllocations
 */

/** @typedef {{ plugin: string, code: string, reason: string, nodes: number }} ReasonCount */
/** @typedef {{ plugin: string, code: string, reasons: string[], nodes: string[] }} FilterGroup */

/**
 * The preemption part of a decision. `candidates` and `rejected` come with `detail: 'nodes'`.
 * @typedef {object} Preemption
 * @property {string} [message] the plugins' messages, the tail of the decision's message
 * @property {string | null} [nominatedNode]
 * @property {'set' | 'clear' | 'keep'} [nomination] the change of the pod's nomination
 * @property {string[]} [victims] `namespace/name`, the most important first
 * @property {string[]} [admissibleNodes]
 * @property {{ node: string, victims: string[], pdbViolations: number }[]} [candidates]
 * @property {Record<string, { plugin: string, code: string, reasons: string[] }>} [rejected]
 */

/**
 * The fields that `detail: 'nodes'` adds; `total`, and each list in `scores` and `rawScores`, are
 * parallel to `feasible`. `scores` are weighted, `rawScores` as the plugin returned them.
 * @typedef {object} NodeDetail
 * @property {FilterGroup[]} [filter] refused nodes by the first plugin that refused them
 * @property {FilterGroup[]} [filterAll] with `allPlugins`: a node once per plugin that refuses it
 * @property {Culprit[]} [culprits] with `culprits`: of at most `culpritNodes` nodes, the nearest
 *   first, each once per plugin that refuses it
 * @property {number} [culpritsOmitted] the number of further nodes that refuse the pod
 * @property {{ plugins: string[], count: number }[]} [refusedBy] with `culprits`: the combinations
 *   of plugins that refuse a node, with the number of nodes
 * @property {{ plugin: string, code: string, reasons: string[] }} [preFilter]
 * @property {string[]} [preFilterResult]
 * @property {{ code: string, reasons: string[] }} [absent] all nodes outside `preFilterResult`;
 *   empty if a nominated node was taken
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
 * The cause of one plugin's refusal of one node; each plugin sets its own members. The nearest node
 * is, of those that PreFilter plugins keep, the one that the fewest plugins refuse, of these the
 * one where the least is missing, of these the first by name. Amounts are quantities as Kubernetes
 * writes them; lists of pods, `namespace/name`, have at most five. `domain` and `value` are the
 * node's; null if it lacks the label.
 * @typedef {object} Culprit
 * @property {string} node
 * @property {string} plugin
 * @property {string[]} reasons
 * @property {{ resource: string, asked: string, allocatable: string, taken: string, missing:
 *   string, pods?: { pod: string, taken: string }[] }[]} [resources] of NodeResourcesFit, with the
 *   pods that request most
 * @property {{ key: string, value?: string, effect: string }} [taint] of TaintToleration and
 *   NodeUnschedulable
 * @property {{ port: number, protocol: string, hostIP: string, pods: string[] }[]} [ports] of
 *   NodePorts, with the pods that hold them
 * @property {{ field: string, key: string, operator: string, values: string[], value: string | null
 *   }[]} [requirements] of NodeAffinity, those that the node does not meet
 * @property {{ term: string, topologyKey: string, domain: string | null }[]} [affinity] of
 *   InterPodAffinity: the terms that match no pod in their domain
 * @property {{ term: string, topologyKey: string, domain: string, pods: string[] }[]}
 *   [antiAffinity] of InterPodAffinity: the pod's own terms and the pods that they exclude
 * @property {{ term: string, topologyKey: string, domain: string, pod: string }[]}
 *   [existingAntiAffinity] of InterPodAffinity: the pods whose terms exclude this one
 * @property {{ topologyKey: string, domain: string | null, pods?: number, minimum?: number, skew?:
 *   number, maxSkew: number, minDomains?: number, domains?: number }[]} [constraints] of
 *   PodTopologySpread: those that the node would violate; `skew` includes the pod
 * @property {{ claim: string, reason: string, volume?: string, storageClass?: string,
 *   selectedNode?: string }[]} [claims] of VolumeBinding
 * @property {{ claim: string, volume: string, key: string, values: string[], value: string | null
 *   }[]} [volumes] of VolumeZone
 * @property {string[]} [pods] of VolumeRestrictions: those that use the disk or the claim
 * @property {{ driver: string, asked: number, attached: number, limit: number }[]} [limits] of
 *   NodeVolumeLimits
 * @property {DeviceRequest[]} [deviceRequests] of DynamicResources: the requests of the claims to
 *   allocate, at most 32
 * @property {number} [deviceRequestsOmitted] the number of further requests
 * @property {{ pool: string, problem: string }[]} [devicePools] of DynamicResources: at most five
 *   resource pools, `driver/pool`, that cannot be used; `problem` is `incomplete`, or the reason
 *   why the pool is invalid
 * @property {string[]} [unavailableClaims] of DynamicResources: the claims, `namespace/name`, whose
 *   allocated devices are not available on the node
 */

/**
 * A request of a claim, or one of its alternatives, on a node.
 * @typedef {object} DeviceRequest
 * @property {string} [claim] `namespace/name`; absent for the extended resources of the pod
 * @property {string} request `name`, of an alternative `name/alternative`
 * @property {string} deviceClass
 * @property {number | 'All'} asked
 * @property {number} devices the number of devices in the resource pools of the node
 * @property {number} left the number of devices that no rule refuses
 * @property {number} missing the number of devices that the request lacks
 * @property {DeviceRefusal[]} refused in the order of the rules; a device counts once
 */

/**
 * The devices that one rule refuses for a request. `expression`, `message`, `taint`, the attribute
 * and what is short are those that concern most, or the first, of the devices. Texts are cut off at
 * 300 bytes.
 * @typedef {object} DeviceRefusal
 * @property {'bindingConditions' | 'classSelector' | 'selector' | 'node' | 'fault' | 'capacity' |
 *   'inUse' | 'counters' | 'taint' | 'constraint'} rule
 * @property {number} devices
 * @property {string} device the first of them, `driver/pool/device`
 * @property {boolean} [isTogether] true if the device alone would do: the rule refuses it because
 *   of the devices that were tried with it
 * @property {string} [expression] of the selector, in CEL
 * @property {string} [message] of the selector that failed
 * @property {string[]} [pods] the pods of the node that have the devices in use, or a share of
 *   them; those that have devices with counters of the set, if the devices lack counters
 * @property {string} [counterSet] the set of the counter that is short
 * @property {string} [counter] the counter that is short
 * @property {string} [capacity] the capacity that is short
 * @property {string} [asked] how much of the counter or capacity the device would take
 * @property {string} [left] how much of it is left; absent if the device has no such capacity, or
 *   its policy refuses the amount
 * @property {boolean} [isAllowed] false if the capacity's policy refuses the amount
 * @property {{ key: string, value?: string, effect: string }} [taint]
 * @property {string} [matchAttribute] of the constraint
 * @property {string} [distinctAttribute] of the constraint
 */

/**
 * The verdict of every plugin on every node. A cell is 0: passed, -1: not reached, -2: outside the
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
 * @property {true} [preview] as every record, with `kubernetesVersion: '1.37-preview'`: nothing of
 *   that release was recorded
 * @property {string} pod `namespace/name`
 * @property {string} [uid]
 * @property {string} [schedulerName]
 * @property {number} [attempts]
 * @property {'active' | 'backoff'} [poppedFrom] the queue that the pod came from; absent if a
 *   command took it, or it was held back
 * @property {Result} result
 * @property {string | null} node
 * @property {string} [nominatedNodeName]
 * @property {'Noop' | 'Override'} [nominatingMode] whether this decision sets the nomination
 * @property {string} [reason] of the condition
 * @property {string} [message] of pods without a node
 * @property {string} [hint] the node that OpportunisticBatching proposed, and that the cycle tried
 *   first
 * @property {string} [plugin] of gated pods: the plugin that holds them back
 * @property {number} [numAllNodes]
 * @property {number} [evaluatedNodes]
 * @property {number} [feasibleNodes]
 * @property {ReasonCount[]} [reasons] at most 64
 * @property {number} [reasonsOmitted]
 * @property {string[]} [unschedulablePlugins]
 * @property {string[]} [pendingPlugins]
 * @property {Preemption} [preemption]
 * @property {string[]} [clearedNominations] pods that preemption took the nomination from
 * @property {ClaimVolumes} [volumes]
 * @property {ClaimAllocations} [claims]
 * @property {string[]} [notProved] plugins that mattered, and of which no recordings of the release
 *   exist
 * @property {string[]} [best] the nodes with the best total, in the order of their names: with a
 *   random tie-break if there are several, at most 64, and with the detail of nodes always
 * @property {number} [bestOmitted] how many more there are
 * @property {string} [hash] of all decisions up to this one; absent for gated pods, which have no
 *   decision
 */

/** One attempt to place one pod. @typedef {DecisionFields & NodeDetail} Decision */

/**
 * @typedef {object} EvaluateOptions
 * @property {'summary' | 'nodes' | 'table'} [detail] default `nodes`; `summary` costs the least and
 *   excludes `everyNode`, `scoreNotes`, and without `culprits` also `allPlugins`
 * @property {boolean} [allPlugins] every refusal of every node, in `filterAll`; with `summary` only
 *   the filters of a gated pod run
 * @property {boolean} [culprits] the pods, taints and amounts in the way on each refusing node;
 *   with `summary` if the pod gets no node
 * @property {number} [culpritNodes] the most nodes of `culprits`, at most and by default 100
 * @property {{ plugin?: string, node?: string }} [scoreNotes] how the scores come about, in
 *   `scoreNotes`: of the plugin (or extender) and of the node, each by default all. Also how
 *   preemption picks its node, in `pickNotes`
 * @property {boolean} [everyNode] verdicts also for nodes outside the sample
 * @property {boolean} [preemption] whether preemption is evaluated as well; default true
 * @property {boolean} [classify] classifies in `fits` what the pod would need to get a node
 * @property {number} [maxSteps] an integer from 1: the cost limit of the evaluation, in comparisons
 *   of a part of the pod with a node, a pod or a term; beyond it an InputError `TooManySteps`, and
 *   nothing has changed. Steps are counted loop by loop, equally in every runtime. Default: no
 *   bound
 */

/**
 * `Now`: a node fits; `WithPreemption`: a node would fit if other pods were evicted; `Never`: no
 * existing node fits, even without its pods; `NotNow`: everything else.
 * @typedef {'Now' | 'WithPreemption' | 'NotNow' | 'Never'} Fits
 */

/**
 * The result of `evaluate`. A gated pod has no counts and no reasons, because its filters did not
 * run, unless `allPlugins` is true.
 * @typedef {object} EvaluationFields
 * @property {'stowage/v1'} apiVersion
 * @property {'Evaluation'} kind
 * @property {true} [preview] as in a Decision
 * @property {string} pod `namespace/name`
 * @property {Result} result
 * @property {string | null} node
 * @property {Fits} [fits] with `classify`
 * @property {string} [plugin] of gated pods: the plugin that holds them back
 * @property {string} [reason] of the condition that a pod without a node would get
 * @property {string} [message] of pods without a node
 * @property {number} [numAllNodes]
 * @property {number} [evaluatedNodes]
 * @property {number} [feasibleNodes]
 * @property {ReasonCount[]} [reasons] at most 64
 * @property {number} [reasonsOmitted]
 * @property {string[]} [unschedulablePlugins]
 * @property {string[]} [pendingPlugins]
 * @property {Preemption} [preemption]
 * @property {string[]} [clearedNominations] pods that preemption would take the nomination from
 * @property {ClaimVolumes} [volumes]
 * @property {ClaimAllocations} [claims]
 * @property {string[]} [notProved] plugins that mattered, and of which no recordings of the release
 *   exist
 * @property {string[]} [best] the nodes with the best total, in the order of their names: with a
 *   random tie-break if there are several, at most 64, and with the detail of nodes always
 * @property {number} [bestOmitted] how many more there are
 * @property {number} [steps] with `maxSteps`: the number of steps used
 */

/** What the next cycle would do with a pod. @typedef {EvaluationFields & NodeDetail} Evaluation */

export {};
