/**
 * Renames resources within their class (native, prefixed native, extended, none of them), because
 * the class decides whether the scheduler counts them. Counterpart in the engine:
 * core/api/resource_names.h.
 */
import { COUNTED, RESOURCES } from './well_known.js';

/** @import { Names } from './names.js' */

const DEVICE_CLASS = 'deviceclass.resource.kubernetes.io/';
const ATTACHABLE = 'attachable-volumes-';
const HUGE_PAGES = 'hugepages-';
const QUOTA = 'requests.';
const LIMITS = 'limits.';
const COUNT = 'count/';
const NATIVE = 'kubernetes.io';

/** A quota's bounds for a whole class, after the name of the class. */
const OF_CLASS = [
  '.storageclass.storage.k8s.io/requests.storage',
  '.storageclass.storage.k8s.io/persistentvolumeclaims',
  '.deviceclass.resource.k8s.io/devices',
];

const SIZE = /^\d+(?:[KMGTPE]i?|k|m)?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const SUBDOMAIN_LENGTH_MAX = 253 - QUOTA.length;
const NAME_LENGTH_MAX = 63;

/**
 * @param {string} text
 * @param {Names} names
 * @returns {string}
 */
export function resourceOf(text, names) {
  const { word } = names;
  const after = (/** @type {string} */ prefix) => text.slice(prefix.length);
  if (RESOURCES.has(text)) return text;
  if (text.startsWith(DEVICE_CLASS)) return DEVICE_CLASS + word(after(DEVICE_CLASS));
  if (text.startsWith(ATTACHABLE)) return ATTACHABLE + word(after(ATTACHABLE));
  if (text.startsWith(HUGE_PAGES)) {
    const size = after(HUGE_PAGES);
    return SIZE.test(size) ? text : HUGE_PAGES + word(size);
  }
  if (text.startsWith(QUOTA)) return QUOTA + resourceOf(after(QUOTA), names);
  return text.includes('/') ? withGroup(text, names) : word(text);
}

/**
 * Renames a bound of a ResourceQuota: a resource, its requests or limits, a number of objects, or
 * the usage of a class.
 * @param {string} text
 * @param {Names} names
 * @returns {string}
 */
export function boundOf(text, names) {
  if (COUNTED.has(text)) return text;
  if (text.startsWith(COUNT)) {
    const counted = text.slice(COUNT.length);
    return COUNT + (COUNTED.has(counted) ? counted : names.word(counted));
  }
  const what = OF_CLASS.find((end) => text.endsWith(end));
  if (what !== undefined) return names.word(text.slice(0, -what.length)) + what;
  if (text.startsWith(LIMITS)) return LIMITS + resourceOf(text.slice(LIMITS.length), names);
  return resourceOf(text, names);
}

/**
 * Renames the part before the slash.
 * @param {string} text
 * @param {Names} names
 */
export function groupOf(text, { word, domain }) {
  if (!text.endsWith(NATIVE)) return domain(text);
  const before = text.slice(0, -NATIVE.length);
  const dot = before.endsWith('.') ? '.' : '';
  return word(dot ? before.slice(0, -1) : before) + dot + NATIVE;
}

/**
 * @param {string} text with a slash
 * @param {Names} names
 */
function withGroup(text, names) {
  const slash = text.indexOf('/');
  const [group, name] = [text.slice(0, slash), text.slice(slash + 1)];
  const renamed = `${groupOf(group, names)}/${names.word(name)}`;
  if (renamed === text || group.endsWith(NATIVE) || isQualified(group, name)) return renamed;
  // The scheduler does not count names with a second slash, except native ones; both properties
  // stay.
  return `${renamed}/${name.includes(`${NATIVE}/`) ? `${NATIVE}/` : ''}`;
}

/**
 * @param {string} group
 * @param {string} name
 */
function isQualified(group, name) {
  const isShort = group.length <= SUBDOMAIN_LENGTH_MAX && name.length <= NAME_LENGTH_MAX;
  return isShort && SUBDOMAIN.test(group) && NAME.test(name);
}
