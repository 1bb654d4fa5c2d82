/**
 * The roles of values in objects: each is a function that returns the value with new names. With
 * unchanged names it returns an equal value.
 */
import { DEFAULT_SCHEDULER } from '../kubernetes/pod_defaults.js';
import { isRecord } from '../kubernetes/values.js';
import { JOB_CONTROLLER } from '../kubernetes/workloads/job_pods.js';
import { boundOf, groupOf, resourceOf } from './resource_names.js';
import {
  ANNOTATIONS,
  CLAIM_FINALIZER,
  CONDITION_REASONS,
  CONDITION_TYPES,
  FEATURES,
  isWellKnownDriver,
  isWellKnownGroup,
  isWellKnownKey,
  isWellKnownPriorityClass,
  NUMBER_KEYS,
  UID_KEYS,
  ZONE_KEYS,
} from './well_known.js';

/** @import { Names } from './names.js' */

/** @typedef {(value: any, names: Names) => any} Role */

/** Addresses that mean all addresses. */
const WILDCARDS = new Set(['', '0.0.0.0', '::']);

const GCE_HANDLE = /^projects\/([^/]*)\/(zones|regions)\/([^/]*)\/disks\/(.*)$/;
const AWS = 'aws://';
const AWS_VOLUME = 'vol-';

/** The scope of a ResourceQuota for PriorityClasses. */
const PRIORITY_SCOPE = 'PriorityClass';

/** Zones are the same under all of their keys. */
const [ANY_ZONE_KEY] = ZONE_KEYS;

/**
 * The value is kept: a number, or a word of Kubernetes' own. Values with parts are of the wrong
 * type.
 * @type {Role}
 */
export const asItIs = (value) => plain(value);

/** The value is kept with all its contents. @type {Role} */
export const whole = (value) => value;

/** @type {Role} */
export const name = onText((text, { word }) => word(text));

/** @type {Role} */
export const uid = onText((text, names) => names.uid(text));

/** @type {Role} */
export const address = onText((text, names) => (WILDCARDS.has(text) ? text : names.address(text)));

/** @type {Role} */
export const schedulerName = onText((text, { word }) =>
  text === DEFAULT_SCHEDULER ? text : word(text),
);

/** @type {Role} */
export const priorityClass = onText((text, { word }) =>
  isWellKnownPriorityClass(text) ? text : word(text),
);

/** A CSI driver, or a provisioner. @type {Role} */
export const driver = onText((text, { word }) => (isWellKnownDriver(text) ? text : word(text)));

/** The key of a label or taint. @type {Role} */
export const key = onText((text, names) => keyOf(text, names));

/** The name of a resource. @type {Role} */
export const resource = onText((text, names) => resourceOf(text, names));

/** The part before the slash in names of resources. @type {Role} */
export const resourceGroup = onText((text, names) => groupOf(text, names));

/** A name that counts as `:latest` if it has no tag. @type {Role} */
export const image = onText((text, { word }) => {
  const colon = text.indexOf(':', text.lastIndexOf('/') + 1);
  if (colon < 0) return word(text);
  const tag = text.slice(colon + 1);
  return `${word(text.slice(0, colon))}:${tag === 'latest' ? tag : word(tag)}`;
});

/** The driver's name of a volume, including in-tree ones from before the driver. @type {Role} */
export const volumeHandle = onText((text, names) => {
  if (text.startsWith(AWS)) {
    const pieces = text.slice(AWS.length).split(/([/?#])/);
    return AWS + pieces.map((piece, at) => (at % 2 ? piece : diskOf(piece, names))).join('');
  }
  const [, project, kind, place, disk] = GCE_HANDLE.exec(text) ?? [];
  if (disk === undefined) return diskOf(text, names);
  const owner = project === 'UNSPECIFIED' ? project : names.word(project);
  const where = place === 'UNSPECIFIED' ? place : zoneOf(place, names);
  return `projects/${owner}/${kind}/${where}/disks/${names.word(disk)}`;
});

/** Labels, or a selector in the same form. @type {Role} */
export const labels = onEntries((label, value, names) => [
  keyOf(label, names),
  valueOf(label, value, names),
]);

/** Quantities by the name of the resource. @type {Role} */
export const quantities = onEntries((text, value, names) => [
  resourceOf(text, names),
  plain(value),
]);

/** A ResourceQuota's bounds or usage. @type {Role} */
export const bounds = onEntries((text, value, names) => [boundOf(text, names), plain(value)]);

/** A map with names as keys. @type {Role} */
export const byName = onEntries((text, value, names) => [names.word(text), plain(value)]);

/** The annotations that are read. @type {Role} */
export const annotations = (value, names) => {
  if (!isRecord(value)) return emptied(value);
  const kept = Object.entries(value).flatMap(([annotation, text]) => {
    if (ANNOTATIONS.asTheyAre.includes(annotation)) return [[annotation, plain(text)]];
    return ANNOTATIONS.names.includes(annotation) ? [[annotation, name(text, names)]] : [];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
};

/** Of the finalizers only that of device claims is read. @type {Role} */
export const finalizers = (value) => {
  if (!Array.isArray(value)) return emptied(value);
  const kept = value.filter((one) => one === CLAIM_FINALIZER);
  return kept.length > 0 ? kept : undefined;
};

/** `{key, operator, values}` @type {Role} */
export const labelRequirement = (value, names) => {
  if (!isRecord(value) || typeof value.key !== 'string') return emptied(value);
  const { key: label, operator } = value;
  noteComparison(label, operator, names);
  const values = eachOf((text) => valueOf(label, text, names));
  return inOrder(value, { key, operator: asItIs, values }, names);
};

/** The same about fields: `metadata.name` is the only one. @type {Role} */
export const fieldRequirement = (value, names) => {
  if (!isRecord(value)) return emptied(value);
  const values = eachOf((text) => name(text, names));
  return inOrder(value, { key: asItIs, operator: asItIs, values }, names);
};

/** `{scopeName, operator, values}`: the values are names of classes. @type {Role} */
export const scopeRequirement = (value, names) => {
  if (!isRecord(value)) return emptied(value);
  const role = value.scopeName === PRIORITY_SCOPE ? priorityClass : name;
  const values = eachOf((text) => role(text, names));
  return inOrder(value, { scopeName: asItIs, operator: asItIs, values }, names);
};

/** `{key, value, effect}`; a patch replaces the whole list. @type {Role} */
export const taint = (value, names) => {
  if (!isRecord(value)) return emptied(value);
  const { key: label, operator } = value;
  noteComparison(label, operator, names);
  const fields = {
    key,
    operator: asItIs,
    value: (/** @type {any} */ text) => valueOf(label ?? '', text, names),
    effect: asItIs,
    tolerationSeconds: asItIs,
    timeAdded: asItIs,
  };
  return inOrder(value, fields, names);
};

/** @type {Role} */
export const ownerReference = (value, names) => {
  if (!isRecord(value)) return emptied(value);
  const { apiVersion, kind } = value;
  const type = isWellKnownGroup(apiVersion)
    ? pick(value, ['apiVersion', 'kind'])
    : { apiVersion: name(apiVersion, names), kind: name(kind, names) };
  return {
    ...type,
    name: name(value.name, names),
    uid: uid(value.uid, names),
    ...pick(value, ['controller']),
  };
};

/** @type {Role} */
export const conditionType = unlessKnown(CONDITION_TYPES);

/** @type {Role} */
export const conditionReason = unlessKnown(CONDITION_REASONS);

/** What manages a Job: Kubernetes' controller, or another. @type {Role} */
export const jobController = unlessKnown(new Set([JOB_CONTROLLER]));

/** A feature that a node declares. @type {Role} */
export const feature = unlessKnown(FEATURES);

/**
 * @param {string} label
 * @param {any} operator
 * @param {Names} names
 */
function noteComparison(label, operator, names) {
  if (operator === 'Gt' || operator === 'Lt')
    names.comparesBySize(ZONE_KEYS.has(label) ? ANY_ZONE_KEY : label);
}

/**
 * @param {(item: any) => any} rename
 * @returns {Role} of a list
 */
function eachOf(rename) {
  return (value) => (Array.isArray(value) ? value.map(rename) : emptied(value));
}

/**
 * Returns the named fields of a record, in its own order: patches print them.
 * @param {Record<string, any>} record
 * @param {Record<string, Role>} roles
 * @param {Names} names
 */
function inOrder(record, roles, names) {
  const given = Object.entries(record).filter(
    ([field, value]) => Object.hasOwn(roles, field) && value !== undefined,
  );
  return Object.fromEntries(given.map(([field, value]) => [field, roles[field](value, names)]));
}

/** @param {any} value */
function plain(value) {
  return isRecord(value) || Array.isArray(value) ? emptied(value) : value;
}

/**
 * Returns an empty value of the same wrong type, which the engine rejects like the original.
 * @param {any} value
 */
export function emptied(value) {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  return isRecord(value) ? {} : value;
}

/**
 * @param {string} text
 * @param {Names} names
 */
function keyOf(text, { word }) {
  return isWellKnownKey(text) ? text : word(text);
}

/**
 * @param {string} label
 * @param {unknown} text
 * @param {Names} names
 */
function valueOf(label, text, names) {
  if (typeof text !== 'string' || text === '') return plain(text);
  if (NUMBER_KEYS.has(label) && /^\d+$/.test(text)) return text;
  if (UID_KEYS.has(label)) return names.uid(text);
  return ZONE_KEYS.has(label) ? zonesOf(text, names) : names.value(label, text);
}

/**
 * One zone, or several for a volume.
 * @param {string} text
 * @param {Names} names
 */
function zonesOf(text, names) {
  return text
    .split('__')
    .map((zone) => zone.replace(/\S(.*\S)?/s, (inner) => zoneOf(inner, names)))
    .join('__');
}

/**
 * @param {string} text `us-east1-b` is in the region `us-east1`; numbers have no region
 * @param {Names} names
 */
function zoneOf(text, names) {
  if (/^[+-]?\d+$/.test(text)) return names.value(ANY_ZONE_KEY, text);
  return text.split('-').map(names.part).join('-');
}

/**
 * @param {string} text
 * @param {Names} names
 */
function diskOf(text, { word }) {
  if (!text.startsWith(AWS_VOLUME)) return word(text);
  return AWS_VOLUME + word(text.slice(AWS_VOLUME.length));
}

/**
 * @param {Set<string>} known words of Kubernetes' own
 * @returns {Role}
 */
function unlessKnown(known) {
  return onText((text, { word }) => (known.has(text) ? text : word(text)));
}

/**
 * @param {(text: string, names: Names) => string} rename
 * @returns {Role}
 */
function onText(rename) {
  return (value, names) =>
    typeof value === 'string' && value !== '' ? rename(value, names) : plain(value);
}

/**
 * @param {(key: string, value: any, names: Names) => [string, any]} rename
 * @returns {Role}
 */
function onEntries(rename) {
  return (value, names) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([text, item]) => rename(text, item, names)))
      : emptied(value);
}

/**
 * @param {Record<string, any>} record
 * @param {string[]} fields of Kubernetes' own words
 */
function pick(record, fields) {
  const given = fields.filter((field) => record[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, plain(record[field])]));
}
