/** Formats plain data like Go's %v, which errors of patches contain. */
import { isRecord } from '../../src/kubernetes/values.js';

/**
 * @param {unknown} value
 * @returns {string} such as `map[name:a ports:[80 443]]`
 */
export function goText(value) {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isRecord(value)) return String(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goText(value[key])}`);
  return `map[${parts.join(' ')}]`;
}

/**
 * Returns the Go type that JSON decodes to.
 * @param {unknown} value
 */
export function goType(value) {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (isRecord(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
