/**
 * Events in the words of both groups that have them. They are stored in those of the core group.
 * Counterpart: pkg/apis/events/v1/conversion.go, v1.36.
 */
import { deepFreeze } from './frozen.js';
import { present } from './object_meta.js';
import { ofLatest } from './of_latest.js';
import { decode } from './schema/decode.js';
import { shapeOf } from './schema/types.js';

/** @import { KubernetesObject } from '../types.js' */

/**
 * A stored event as events.k8s.io/v1 has it.
 * @type {(event: KubernetesObject) => KubernetesObject} of a frozen one; frozen
 */
export const eventsV1Of = ofLatest((event) =>
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
 * An event of events.k8s.io/v1 as it is stored.
 * @param {KubernetesObject} event
 * @returns {KubernetesObject}
 */
export function coreEventOf({
  metadata,
  eventTime,
  series,
  action,
  reason,
  related,
  type,
  ...event
}) {
  return present({
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
  });
}
