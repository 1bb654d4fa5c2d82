/**
 * Turns records into log entries with kube-scheduler's messages. Source:
 * pkg/scheduler/schedule_one.go and framework/preemption, v1.36.
 */
import { keyFor } from '../kubernetes/keys.js';
import { failure, info } from './log_entry.js';

/**
 * @import { BindingResult } from '../engine/record_types.js'
 * @import { Decision, EngineRecord } from '../engine/types.js'
 * @import { LogEntry } from './log_entry.js'
 */

export class RecordLog {
  /** Node counts of placements whose binding is pending, by the decision's number. */
  #counts = /** @type {Map<number, { evaluatedNodes?: number, feasibleNodes?: number }>} */ (
    new Map()
  );

  /**
   * @param {EngineRecord} record
   * @returns {LogEntry[]} empty for records without a log message
   */
  entriesOf(record) {
    switch (record.kind) {
      case 'Decision':
        this.#remember(record);
        return decisionEntries(record);
      case 'BindingResult':
        return [this.#bound(record)];
      case 'InputError': {
        const { error } = record;
        return [
          failure(error.message ?? error.detail, 'Object cannot be read', aboutObject(error)),
        ];
      }
      case 'Inconsistency': {
        const { message, operation, object } = record;
        return [failure(message, 'Scheduler cache is inconsistent', { operation, object })];
      }
      case 'RecordsDropped':
        return [failure(undefined, 'Records were lost to the log', { count: record.count })];
      default:
        return [];
    }
  }

  /** @param {Decision} decision */
  #remember({ seq, result, evaluatedNodes, feasibleNodes }) {
    if (result === 'scheduled') this.#counts.set(seq, { evaluatedNodes, feasibleNodes });
  }

  /** @param {BindingResult} record */
  #bound({ decision, pod, node, result, message, phase, plugin }) {
    const counts = this.#counts.get(decision);
    this.#counts.delete(decision);
    if (result === 'bound')
      return info(2, 'Successfully bound pod to node', { pod, node, ...counts });
    return failure(message, 'Error scheduling pod; retrying', { pod, node, phase, plugin });
  }
}

/** @param {Decision} decision @returns {LogEntry[]} */
function decisionEntries({ pod, result, message, node, preemption, plugin }) {
  const victims = (preemption?.victims ?? []).map((victim) =>
    info(2, 'Preemptor Pod preempted victim Pod', {
      preemptor: pod,
      victim,
      node: preemption?.nominatedNode,
    }),
  );
  switch (result) {
    case 'scheduled':
      return [info(4, 'Attempting to bind pod to node', { pod, node })];
    case 'unschedulable':
      return [
        info(2, 'Unable to schedule pod; no fit; waiting', { pod, err: message }),
        ...victims,
      ];
    case 'error':
      return [failure(message, 'Error scheduling pod; retrying', { pod })];
    case 'gated':
      return [info(4, 'Pod is gated', { pod, plugin, err: message })];
    default:
      return [info(4, 'Skip schedule deleting pod', { pod })];
  }
}

/** @param {import('../kubernetes/types.js').InputErrorFields} error */
function aboutObject({ kind, namespace, name, field }) {
  return { kind, object: name && keyFor(namespace, name), field };
}
