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
  deepFreeze(
    converted({
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      metadata: event.metadata,
      eventTime: event.eventTime,
      series: event.series,
      reportingController: event.reportingComponent || undefined,
      reportingInstance: event.reportingInstance || undefined,
      action: event.action,
      reason: event.reason,
      regarding: event.involvedObject,
      related: event.related,
      note: event.message,
      type: event.type,
      deprecatedSource: event.source,
      deprecatedFirstTimestamp: event.firstTimestamp,
      deprecatedLastTimestamp: event.lastTimestamp,
      deprecatedCount: event.count,
    }),
  ),
);

/**
 * @param {KubernetesObject} event of events.k8s.io/v1
 * @returns {KubernetesObject}
 */
function coreEventOf(event) {
  return converted({
    kind: 'Event',
    apiVersion: 'v1',
    metadata: event.metadata,
    involvedObject: event.regarding,
    reason: event.reason,
    message: event.note,
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
    type: event.type,
    eventTime: event.eventTime,
    series: event.series,
    action: event.action,
    related: event.related,
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  });
}

/**
 * Returns the event as its type defines it. Apart from series, in which the groups differ about a
 * count of zero, both types write the same values.
 * @param {KubernetesObject} event in the fields' order; the values are those of the other type
 * @returns {KubernetesObject}
 */
function converted(event) {
  if (event.series) return decode(shapeOf(event.apiVersion ?? '', 'Event'), event).value;
  /** @type {Record<string, any>} */
  const found = {};
  for (const name in event) if (event[name] !== undefined) found[name] = event[name];
  return /** @type {KubernetesObject} */ (found);
}
