/**
 * Cells of tables that several kinds share. Counterpart: pkg/printers/internalversion/printers.go
 * and apimachinery/pkg/util/duration, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import { labelSelectorText } from '../../src/kubernetes/label_selector.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Formats a duration with two or three significant digits: `45s`, `9m30s`, `4h`, `2d3h`.
 * @param {number} milliseconds
 */
export function humanDuration(milliseconds) {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * 60) return `${seconds}s`;
  const minutes = Math.trunc(milliseconds / MINUTE);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 3 * 60) return `${minutes}m`;
  const hours = Math.trunc(milliseconds / HOUR);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 8 * 24) return withRest(days, 'd', hours % 24, 'h');
  if (days < 2 * 365) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 8 * 365 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

/** @param {number} whole @param {string} unit @param {number} rest @param {string} smaller */
function withRest(whole, unit, rest, smaller) {
  return rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${smaller}`;
}

/**
 * Formats the time since a timestamp.
 * @param {unknown} timestamp
 * @param {number} now milliseconds since the epoch
 */
export function since(timestamp, now) {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(time) ? '<unknown>' : humanDuration(now - time);
}

/** @param {any} object @param {number} now */
export function age(object, now) {
  return since(object.metadata?.creationTimestamp, now);
}

/** @param {any} object */
export function nameOf(object) {
  return object.metadata?.name ?? '';
}

/** @param {any} object */
export function isDeleted(object) {
  return Boolean(object.metadata?.deletionTimestamp);
}

/**
 * The names and images of a template's containers: two cells.
 * @param {any} podSpec
 */
export function containerCells(podSpec) {
  const containers = itemsIn(podSpec?.containers);
  return [
    containers.map(({ name }) => name ?? '').join(','),
    containers.map(({ image }) => image ?? '').join(','),
  ];
}

/**
 * @param {unknown} labels
 * @returns {string} `a=1,b=2`; `<none>` if there are none
 */
export function labelsText(labels) {
  return labelSelectorText({ matchLabels: labels }) || '<none>';
}

/** @param {any} selector a label selector of a spec */
export function selectorText(selector) {
  return labelSelectorText(selector) || '<none>';
}
