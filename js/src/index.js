/**
 * kube-scheduler as a library: a scheduler is created, gets a cluster, and decides.
 * @module stowage
 */
export { virtualClock } from './io/clock.js';
export { culpritSentence, nearestNode } from './engine/culprits.js';
export { devicesLeft, unservedRequests } from './engine/device_culprits.js';
export { withDefaults } from './kubernetes/defaults.js';
export { createScheduler, Engine, loadEngine, replay } from './engine/engine.js';
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
} from './kubernetes/errors.js';
export { nodeRow, toAnnotations, whyNot } from './engine/evaluation.js';
export { pause } from './runtimes/pause.js';
export { systemClock } from './runtimes/system_clock.js';
export { Scheduler } from './engine/scheduler.js';
export { PLUGIN_METHODS } from './plugins/answers.js';
export { pending, skip, unresolvable, unschedulable, wait } from './engine/statuses.js';

/** @typedef {import('./engine/types.js').Answer} Answer */
/** @typedef {import('./engine/types.js').ApplyOptions} ApplyOptions */
/** @typedef {import('./kubernetes/types.js').ApplyResult} ApplyResult */
/** @typedef {import('./engine/types.js').Call} Call */
/** @typedef {import('./engine/types.js').ClaimAllocations} ClaimAllocations */
/** @typedef {import('./engine/types.js').ClaimVolumes} ClaimVolumes */
/** @typedef {import('./engine/types.js').Clock} Clock */
/** @typedef {import('./engine/types.js').CompiledModule} CompiledModule */
/** @typedef {import('./engine/types.js').Culprit} Culprit */
/** @typedef {import('./engine/types.js').DeviceRequest} DeviceRequest */
/** @typedef {import('./engine/types.js').DeviceRefusal} DeviceRefusal */
/** @typedef {import('./engine/types.js').Decision} Decision */
/** @typedef {import('./kubernetes/types.js').DefaultsContext} DefaultsContext */
/** @typedef {import('./engine/types.js').EngineRecord} EngineRecord */
/** @typedef {import('./engine/types.js').EvaluateOptions} EvaluateOptions */
/** @typedef {import('./engine/types.js').Evaluation} Evaluation */
/** @typedef {import('./kubernetes/types.js').FieldError} FieldError */
/** @typedef {import('./engine/types.js').FilterGroup} FilterGroup */
/** @typedef {import('./engine/types.js').Fits} Fits */
/** @typedef {import('./plugins/extender_types.js').InProcessExtender} InProcessExtender */
/** @typedef {import('./plugins/extender_types.js').ExtenderArgs} ExtenderArgs */
/** @typedef {import('./plugins/extender_types.js').ExtenderBindingArgs} ExtenderBindingArgs */
/** @typedef {import('./plugins/extender_types.js').ExtenderBindingResult} ExtenderBindingResult */
/** @typedef {import('./plugins/extender_types.js').ExtenderFilterResult} ExtenderFilterResult */
/**
 * @typedef {import('./plugins/extender_types.js').ExtenderPreemptionArgs}
 *   ExtenderPreemptionArgs
 */
/**
 * @typedef {import('./plugins/extender_types.js').ExtenderPreemptionResult}
 *   ExtenderPreemptionResult
 */
/** @typedef {import('./plugins/extender_types.js').HostPriority} HostPriority */
/** @typedef {import('./plugins/extender_types.js').MetaVictims} MetaVictims */
/** @typedef {import('./kubernetes/types.js').InputErrorFields} InputErrorFields */
/** @typedef {import('./kubernetes/types.js').KubernetesObject} KubernetesObject */
/** @typedef {import('./engine/types.js').NodeTable} NodeTable */
/** @typedef {import('./engine/types.js').PickNotes} PickNotes */
/** @typedef {import('./engine/types.js').Preemption} Preemption */
/** @typedef {import('./engine/types.js').ReasonCount} ReasonCount */
/** @typedef {import('./engine/types.js').Release} Release */
/** @typedef {import('./engine/types.js').ReleaseFact} ReleaseFact */
/** @typedef {import('./engine/types.js').ReplayOptions} ReplayOptions */
/** @typedef {import('./engine/types.js').Result} Result */
/** @typedef {import('./engine/types.js').SchedulerOptions} SchedulerOptions */
/** @typedef {import('./engine/types.js').ScoreNotes} ScoreNotes */
/** @typedef {import('./engine/types.js').StartOptions} StartOptions */
/** @typedef {import('./kubernetes/types.js').Status} Status */
/** @typedef {import('./kubernetes/types.js').StatusCause} StatusCause */
/** @typedef {import('./engine/types.js').Turn} Turn */
/** @typedef {import('./engine/types.js').EngineSources} EngineSources */
/** @typedef {import('./engine/types.js').WasmSource} WasmSource */
/** @typedef {import('./kubernetes/types.js').WatchEvent} WatchEvent */
/** @typedef {import('./engine/inspection_types.js').CacheInspection} CacheInspection */
/** @typedef {import('./engine/inspection_types.js').InspectQuery} InspectQuery */
/** @typedef {import('./engine/inspection_types.js').Inspection} Inspection */
/**
 * @template Query
 * @typedef {import('./engine/inspection_types.js').InspectionOf<Query>} InspectionOf
 */
/** @typedef {import('./engine/inspection_types.js').MadeUpInspection} MadeUpInspection */
/** @typedef {import('./engine/inspection_types.js').MetricsInspection} MetricsInspection */
/** @typedef {import('./engine/inspection_types.js').NodeAmounts} NodeAmounts */
/** @typedef {import('./engine/inspection_types.js').NodeInspection} NodeInspection */
/** @typedef {import('./engine/inspection_types.js').PermitInspection} PermitInspection */
/** @typedef {import('./engine/inspection_types.js').PodGroupMembers} PodGroupMembers */
/** @typedef {import('./engine/inspection_types.js').PodInPermit} PodInPermit */
/** @typedef {import('./engine/inspection_types.js').PodInspection} PodInspection */
/** @typedef {import('./engine/record_types.js').BindingResult} BindingResult */
/** @typedef {import('./engine/record_types.js').CallRecord} CallRecord */
/** @typedef {import('./engine/record_types.js').CompletionRecord} CompletionRecord */
/** @typedef {import('./engine/record_types.js').EventRecord} EventRecord */
/** @typedef {import('./engine/record_types.js').Inconsistency} Inconsistency */
/** @typedef {import('./engine/record_types.js').InputErrorRecord} InputErrorRecord */
/** @typedef {import('./engine/record_types.js').MadeUp} MadeUp */
/** @typedef {import('./engine/record_types.js').MetricFamily} MetricFamily */
/** @typedef {import('./engine/record_types.js').PodGroupDecision} PodGroupDecision */
/** @typedef {import('./engine/record_types.js').QueueMove} QueueMove */
/** @typedef {import('./engine/record_types.js').QueuedPod} QueuedPod */
/** @typedef {import('./engine/record_types.js').RecordsByKind} RecordsByKind */
/** @typedef {import('./engine/record_types.js').RecordsDropped} RecordsDropped */
/** @typedef {import('./engine/record_types.js').Sample} Sample */
/** @typedef {import('./engine/record_types.js').Stability} Stability */
/** @typedef {import('./engine/evaluation.js').NodeRow} NodeRow */
/** @typedef {import('./plugins/types.js').NodeInfo} NodeInfo */
/** @typedef {import('./plugins/types.js').Plugin} Plugin */
/** @typedef {import('./plugins/types.js').PluginEvent} PluginEvent */
/** @typedef {import('./plugins/types.js').PluginHandle} PluginHandle */
/** @typedef {import('./plugins/types.js').PluginMethods} PluginMethods */
/** @typedef {import('./plugins/types.js').PluginStatus} PluginStatus */
/** @typedef {import('./plugins/types.js').WaitingPod} WaitingPod */
/** @typedef {import('./engine/log_lines.js').LogSource} LogSource */
/** @typedef {import('./engine/pump.js').Perform} Perform */
