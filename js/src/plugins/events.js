/**
 * Reads the events that plugins register: those that may help a pod that the plugin rejected. Each
 * may have a queueing hint, which decides about a single event.
 */
import { ConfigurationError } from '../kubernetes/errors.js';
import { atOnce } from './answers.js';

/** @import { PluginEvent, PluginMethods, QueueingHint } from './types.js' */

/** The possible resources of an event, besides `plural.version.group`. */
const RESOURCES = new Set([
  'Pod',
  'Node',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/VolumeAttachment',
  'storage.k8s.io/CSIStorageCapacity',
  'storage.k8s.io/StorageClass',
  'resource.k8s.io/ResourceClaim',
  'resource.k8s.io/ResourceSlice',
  'resource.k8s.io/DeviceClass',
  'scheduling.k8s.io/PodGroup',
  '*',
]);
const OTHER_RESOURCE = /^[a-z0-9-]+\.v[a-z0-9]+\.[a-z0-9.-]*$/;

const ACTIONS = [
  'Add',
  'Delete',
  'UpdateNodeAllocatable',
  'UpdateNodeLabel',
  'UpdateNodeTaint',
  'UpdateNodeCondition',
  'UpdateNodeAnnotation',
  'UpdateNodeDeclaredFeature',
  'UpdatePodLabel',
  'UpdatePodScaleDown',
  'UpdatePodToleration',
  'UpdatePodSchedulingGatesEliminated',
  'UpdatePodGeneratedResourceClaim',
  'Update',
  'All',
];

/** PluginEvents holds the events that one plugin registers, in all profiles together. */
export class PluginEvents {
  /** The events that the engine reports; undefined if a profile registers all events. */
  declarations;
  /** By profile, parallel to the declarations. @type {Map<string, (PluginEvent | undefined)[]>} */
  #ofProfile = new Map();

  /**
   * @param {Map<string, PluginMethods>} methods by profile
   * @param {string} field the plugin's place among the options
   * @throws {ConfigurationError}
   */
  constructor(methods, field) {
    /** @type {Map<string, { resource: string, actionType: string[], hint: boolean }>} */
    const declared = new Map();
    /** @type {Map<string, Map<string, PluginEvent>>} */
    const byKey = new Map();
    for (const [profile, { events }] of methods) {
      checkEvents(events, field);
      byKey.set(profile, keyed(events ?? []));
    }
    for (const events of byKey.values()) {
      for (const [key, { resource, actionType }] of events) {
        // The answer is no for a profile that did not register the event.
        const hint = [...byKey.values()].some((all) => all.get(key)?.queueingHint || !all.has(key));
        declared.set(key, { resource, actionType, hint });
      }
    }
    for (const [profile, events] of byKey) {
      this.#ofProfile.set(
        profile,
        [...declared.keys()].map((key) => events.get(key)),
      );
    }
    const hearsAll = [...methods.values()].some(({ events }) => events === undefined);
    this.declarations = hearsAll ? undefined : [...declared.values()];
  }

  /**
   * @param {{ profile: string, event: number, pod: any, oldObject: any, newObject: any }} request
   * @returns {QueueingHint}
   * @throws {unknown} the plugin's exceptions; a TypeError if the result is not a hint
   */
  hint({ profile, event, pod, oldObject, newObject }) {
    const own = this.#ofProfile.get(profile)?.[event];
    if (!own) return 'QueueSkip';
    if (!own.queueingHint) return 'Queue';
    const hint = atOnce(own.queueingHint(pod, oldObject ?? undefined, newObject ?? undefined));
    if (hint === 'Queue' || hint === 'QueueSkip') return hint;
    throw new TypeError(`a queueing hint must be Queue or QueueSkip, not ${String(hint)}`);
  }
}

/**
 * Returns events by their content; an event that is listed twice gets two keys.
 * @param {PluginEvent[]} events
 * @returns {Map<string, PluginEvent>}
 */
function keyed(events) {
  const byKey = new Map();
  for (const event of events) {
    let key = JSON.stringify([event.resource, event.actionType]);
    while (byKey.has(key)) key += '+';
    byKey.set(key, event);
  }
  return byKey;
}

/**
 * @param {unknown} events
 * @param {string} field
 * @throws {ConfigurationError}
 */
function checkEvents(events, field) {
  if (events === undefined) return;
  if (!Array.isArray(events)) throw bad(`${field}.events`, 'Invalid value: must be a list');
  for (const [index, event] of events.entries()) {
    const detail = faultOf(event ?? {});
    if (detail) throw bad(`${field}.events[${index}]`, detail);
  }
}

/**
 * @param {any} event
 * @returns {string | undefined}
 */
function faultOf({ resource, actionType, queueingHint }) {
  if (resource === undefined || resource === '') return 'resource: Required value';
  if (!RESOURCES.has(resource) && !OTHER_RESOURCE.test(String(resource)))
    return (
      `resource: Unsupported value: "${resource}": must be plural.version.group or one of ` +
      [...RESOURCES].join(', ')
    );
  if (!Array.isArray(actionType) || actionType.length === 0) return 'actionType: Required value';
  const unknown = actionType.find((action) => !ACTIONS.includes(action));
  if (unknown !== undefined)
    return `actionType: Unsupported value: "${unknown}": supported values: ${ACTIONS.join(', ')}`;
  return ['function', 'undefined'].includes(typeof queueingHint)
    ? undefined
    : 'queueingHint: Invalid value: must be a function';
}

/** @param {string} field @param {string} detail */
function bad(field, detail) {
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
