/**
 * kube-scheduler v1.36 as a library: a scheduler is created, gets a cluster, and decides.
 * @module stowage
 */
export { virtualClock } from './clock.js';
export { culpritSentence, nearestNode } from './culprits.js';
export { withDefaults } from './defaults.js';
export { createScheduler, Engine, loadEngine, replay } from './engine.js';
export {
  BatchError,
  ConfigurationError,
  DisposedError,
  EngineError,
  InputError,
  LoadError,
  PluginError,
  ReplayError,
  StowageError,
  WaitError,
} from './errors.js';
export { nodeRow, toAnnotations, whyNot } from './evaluation.js';
export { systemClock } from './runtimes/system_clock.js';
export { Scheduler } from './scheduler.js';
export { pending, skip, unresolvable, unschedulable, wait } from './statuses.js';

/** @typedef {import('./types.js').Answer} Answer */
/** @typedef {import('./types.js').ApplyOptions} ApplyOptions */
/** @typedef {import('./types.js').ApplyResult} ApplyResult */
/** @typedef {import('./types.js').Call} Call */
/** @typedef {import('./types.js').ClaimVolumes} ClaimVolumes */
/** @typedef {import('./types.js').Clock} Clock */
/** @typedef {import('./types.js').CompiledModule} CompiledModule */
/** @typedef {import('./types.js').Culprit} Culprit */
/** @typedef {import('./types.js').Decision} Decision */
/** @typedef {import('./types.js').DefaultsContext} DefaultsContext */
/** @typedef {import('./types.js').EngineRecord} EngineRecord */
/** @typedef {import('./types.js').EvaluateOptions} EvaluateOptions */
/** @typedef {import('./types.js').Evaluation} Evaluation */
/** @typedef {import('./types.js').FieldError} FieldError */
/** @typedef {import('./types.js').FilterGroup} FilterGroup */
/** @typedef {import('./types.js').Fits} Fits */
/** @typedef {import('./types.js').InProcessExtender} InProcessExtender */
/** @typedef {import('./types.js').InputErrorFields} InputErrorFields */
/** @typedef {import('./types.js').KubernetesObject} KubernetesObject */
/** @typedef {import('./types.js').NodeTable} NodeTable */
/** @typedef {import('./types.js').Preemption} Preemption */
/** @typedef {import('./types.js').ReasonCount} ReasonCount */
/** @typedef {import('./types.js').ReplayOptions} ReplayOptions */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./types.js').SchedulerOptions} SchedulerOptions */
/** @typedef {import('./types.js').StartOptions} StartOptions */
/** @typedef {import('./types.js').Status} Status */
/** @typedef {import('./types.js').StatusCause} StatusCause */
/** @typedef {import('./types.js').Turn} Turn */
/** @typedef {import('./types.js').WasmSource} WasmSource */
/** @typedef {import('./types.js').WatchEvent} WatchEvent */
/** @typedef {import('./inspection_types.js').CacheInspection} CacheInspection */
/** @typedef {import('./inspection_types.js').InspectQuery} InspectQuery */
/** @typedef {import('./inspection_types.js').Inspection} Inspection */
/**
 * @template Query
 * @typedef {import('./inspection_types.js').InspectionOf<Query>} InspectionOf
 */
/** @typedef {import('./inspection_types.js').MadeUpInspection} MadeUpInspection */
/** @typedef {import('./inspection_types.js').MetricsInspection} MetricsInspection */
/** @typedef {import('./inspection_types.js').NodeAmounts} NodeAmounts */
/** @typedef {import('./inspection_types.js').NodeInspection} NodeInspection */
/** @typedef {import('./inspection_types.js').PermitInspection} PermitInspection */
/** @typedef {import('./inspection_types.js').PodInPermit} PodInPermit */
/** @typedef {import('./inspection_types.js').PodInspection} PodInspection */
/** @typedef {import('./record_types.js').BindingResult} BindingResult */
/** @typedef {import('./record_types.js').CallRecord} CallRecord */
/** @typedef {import('./record_types.js').CompletionRecord} CompletionRecord */
/** @typedef {import('./record_types.js').EventRecord} EventRecord */
/** @typedef {import('./record_types.js').Inconsistency} Inconsistency */
/** @typedef {import('./record_types.js').InputErrorRecord} InputErrorRecord */
/** @typedef {import('./record_types.js').MadeUp} MadeUp */
/** @typedef {import('./record_types.js').MetricFamily} MetricFamily */
/** @typedef {import('./record_types.js').QueueMove} QueueMove */
/** @typedef {import('./record_types.js').QueuedPod} QueuedPod */
/** @typedef {import('./record_types.js').RecordsByKind} RecordsByKind */
/** @typedef {import('./record_types.js').RecordsDropped} RecordsDropped */
/** @typedef {import('./record_types.js').Sample} Sample */
/** @typedef {import('./record_types.js').Stability} Stability */
/** @typedef {import('./evaluation.js').NodeRow} NodeRow */
/** @typedef {import('./plugin_types.js').NodeInfo} NodeInfo */
/** @typedef {import('./plugin_types.js').Plugin} Plugin */
/** @typedef {import('./plugin_types.js').PluginEvent} PluginEvent */
/** @typedef {import('./plugin_types.js').PluginHandle} PluginHandle */
/** @typedef {import('./plugin_types.js').PluginMethods} PluginMethods */
/** @typedef {import('./plugin_types.js').PluginStatus} PluginStatus */
/** @typedef {import('./plugin_types.js').WaitingPod} WaitingPod */
/** @typedef {import('./log_lines.js').LogSource} LogSource */
/** @typedef {import('./pump.js').Perform} Perform */
