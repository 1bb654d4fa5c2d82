/**
 * Events as kubectl prints them, for both groups that serve them. Counterpart: printEvent of
 * pkg/printers/internalversion/printers.go, v1.36.
 */
import { nameOf, since } from './cells.js';
import { NAME, text, wide } from './columns.js';

/** @import { Printer } from './columns.js' */

/** @type {Printer} */
const EVENT = {
  columns: [
    text('Last Seen', 'Time since it happened last.'),
    text('Type', 'Normal or Warning.'),
    text('Reason', 'Why it happened, in a word.'),
    text('Object', 'The object that the event is about.'),
    wide(text('Subobject', 'Which part of the object.')),
    wide(text('Source', 'Who says so.')),
    text('Message', 'The description of the event.'),
    wide(text('First Seen', 'Time since it happened first.')),
    wide(text('Count', 'How often it happened.')),
    wide(NAME),
  ],
  cells: (event, now) => {
    const object = event.involvedObject ?? event.regarding ?? {};
    const source = event.source ?? event.deprecatedSource ?? {};
    const component = source.component || event.reportingComponent || event.reportingController;
    const instance = source.host || event.reportingInstance;
    const kind = (object.kind ?? '').toLowerCase();
    return [
      since(lastTime(event), now),
      event.type ?? '',
      event.reason ?? '',
      object.name ? `${kind}/${object.name}` : kind,
      object.fieldPath ?? '',
      [component ?? '', instance].filter((part, at) => at === 0 || part).join(', '),
      (event.message ?? event.note ?? '').trim(),
      since(firstTime(event), now),
      event.series?.count ?? (event.count || event.deprecatedCount || 1),
      nameOf(event),
    ];
  },
};

export const EVENT_PRINTERS = Object.freeze({ Event: EVENT });

/** @param {any} event */
function firstTime(event) {
  return event.firstTimestamp || event.deprecatedFirstTimestamp || event.eventTime;
}

/** @param {any} event */
function lastTime(event) {
  if (event.series) return event.series.lastObservedTime;
  return event.lastTimestamp || event.deprecatedLastTimestamp || firstTime(event);
}
