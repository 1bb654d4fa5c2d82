/**
 * What plugins want to hear of: the events that may help a pod which they held back. Each may come
 * with a queueing hint, which says whether this one does.
 */
import { ConfigurationError } from '../kubernetes/errors.js';

/** @import { PluginEvent, PluginMethods, QueueingHint } from './types.js' */

/** What an event may be about, besides `plural.version.group`. */
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

/** PluginEvents is what one plugin wants to hear of, in all profiles together. */
export class PluginEvents {
  /** What the engine is told; undefined where some profile hears of everything. */
  declarations;
  /** By profile, parallel to the declarations. @type {Map<string, (PluginEvent | undefined)[]>} */
  #ofProfile = new Map();

  /**
   * @param {Map<string, PluginMethods>} methods by profile
   * @param {string} field where the plugin stands among the options
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
        // Where a profile did not register the event its answer is no.
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
   * @throws {unknown} what the plugin throws, or a TypeError for what is no hint
   */
  hint({ profile, event, pod, oldObject, newObject }) {
    const own = this.#ofProfile.get(profile)?.[event];
    if (!own) return 'QueueSkip';
    if (!own.queueingHint) return 'Queue';
    const hint = own.queueingHint(pod, oldObject ?? undefined, newObject ?? undefined);
    if (hint === 'Queue' || hint === 'QueueSkip') return hint;
    throw new TypeError(`a queueing hint must be Queue or QueueSkip, not ${String(hint)}`);
  }
}

/**
 * Events by what they are; one that is there twice is two.
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
