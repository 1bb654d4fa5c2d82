/**
 * Converts Events between their two groups. They are stored in the form of the core group.
 * Counterpart: pkg/apis/events/v1/conversion.go, v1.36.
 */
import { deepFreeze } from './frozen.js';
import { ofLatest } from './of_latest.js';
import { decode } from './schema/decode.js';
import { shapeOf } from './schema/types.js';

/** @import { KubernetesObject } from '../src/kubernetes/types.js' */

/**
 * Returns a stored object in the form of the requested group.
 * @param {{ group: string }} resource
 * @param {KubernetesObject} object frozen
 * @returns {KubernetesObject} frozen
 */
export function asServed({ group }, object) {
  return group === 'events.k8s.io' ? eventsV1Of(object) : object;
}

/**
 * Returns an object of a group, decoded by its type, in the stored form.
 * @param {{ group: string }} resource
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
export function asStored({ group }, object) {
  return group === 'events.k8s.io' ? coreEventOf(object) : object;
}

/** @type {(event: KubernetesObject) => KubernetesObject} */
const eventsV1Of = ofLatest((event) =>
  deepFreeze(decode(shapeOf('events.k8s.io/v1', 'Event'), renamed(event)).value),
);

/** @param {KubernetesObject} event */
function renamed({ metadata, eventTime, series, action, reason, related, type, ...event }) {
  return {
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata,
    eventTime,
    series,
    reportingController: event.reportingComponent,
    reportingInstance: event.reportingInstance,
    action,
    reason,
    regarding: event.involvedObject,
    related,
    note: event.message,
    type,
    deprecatedSource: event.source,
    deprecatedFirstTimestamp: event.firstTimestamp,
    deprecatedLastTimestamp: event.lastTimestamp,
    deprecatedCount: event.count,
  };
}

/**
 * @param {KubernetesObject} event of events.k8s.io/v1
 * @returns {KubernetesObject}
 */
function coreEventOf({ metadata, eventTime, series, action, reason, related, type, ...event }) {
  return decode(shapeOf('v1', 'Event'), {
    kind: 'Event',
    apiVersion: 'v1',
    metadata,
    involvedObject: event.regarding,
    reason,
    message: event.note,
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
    type,
    eventTime,
    series,
    action,
    related,
    reportingComponent: event.reportingController,
    reportingInstance: event.reportingInstance,
  }).value;
}
