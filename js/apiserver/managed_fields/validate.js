/**
 * Validates an applied configuration against its kind's type. Counterpart:
 * structured-merge-diff/v6/typed/validate.go.
 */
import { isRecord } from '../../src/kubernetes/values.js';
import { goText, goType } from '../patch/go_text.js';
import { elementOf, elementText } from './path_elements.js';
import { elementShape, shapeAt } from './typed_values.js';

/** @import { Shape, Basic } from '../schema/types.js' */

/** @type {Partial<Record<Basic, 'string' | 'boolean' | 'numeric'>>} */
const SCALARS = {
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'numeric',
  int64: 'numeric',
  float64: 'numeric',
};

/**
 * @param {unknown} config
 * @param {Shape} shape
 * @returns {string | null} the errors in upstream's words
 */
export function faultOf(config, shape) {
  const faults = faultsAt(config, shape).map(({ path, fault }) =>
    path ? `${path}: ${fault}` : fault,
  );
  if (faults.length < 2) return faults[0] ?? null;
  return ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n');
}

/** @typedef {{ path: string, fault: string }} Fault */

/** @param {any} value @param {Shape} shape @returns {Fault[]} */
function faultsAt(value, shape) {
  if (value === null || shape.kind === 'any') return [];
  switch (shape.kind) {
    case 'scalar':
      return scalarFault(value, shape.basic).map((fault) => ({ path: '', fault }));
    case 'list':
      return listFaults(value, shape);
    default:
      return mapFaults(value, shape);
  }
}

/** @param {unknown} value @param {Basic} basic */
function scalarFault(value, basic) {
  switch (SCALARS[basic]) {
    case 'string':
      return typeof value === 'string'
        ? []
        : [`expected string, got &value.valueUnstructured{Value:${goText(value)}}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`expected boolean, got ${valueText(value)}`];
    case 'numeric':
      return typeof value === 'number'
        ? []
        : [`expected numeric (int or float), got ${goType(value)}`];
    default:
      return typeof value === 'object' ? [`expected any scalar, got ${valueText(value)}`] : [];
  }
}

/** @param {any} value @param {Extract<Shape, { kind: 'list' }>} shape @returns {Fault[]} */
function listFaults(value, shape) {
  if (!Array.isArray(value)) {
    return [{ path: '', fault: `expected list, got ${valueText(value)}` }];
  }
  const isAtomic = !shape.isSet && shape.keys.length === 0;
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {Fault[]} */
  const faults = [];
  for (const [at, item] of value.entries()) {
    const { element, fault } = isAtomic
      ? { element: `i:${at}`, fault: null }
      : elementOf(shape, item);
    if (element === null) return [...faults, { path: '', fault: `element ${at}: ${fault}` }];
    const text = elementText(element);
    if (seen.has(element)) faults.push({ path: '', fault: `duplicate entries for key ${text}` });
    seen.add(element);
    addUnder(text, faultsAt(item, elementShape(shape)), faults);
  }
  return faults;
}

/** @param {any} value @param {Shape} shape @returns {Fault[]} */
function mapFaults(value, shape) {
  if (!isRecord(value)) return [{ path: '', fault: `expected map, got ${valueText(value)}` }];
  /** @type {Fault[]} */
  const faults = [];
  for (const [key, inner] of Object.entries(value)) {
    if (shape.kind === 'struct' && !shape.struct.fields.has(key)) {
      return [...faults, { path: `.${key}`, fault: 'field not declared in schema' }];
    }
    addUnder(`.${key}`, faultsAt(inner, shapeAt(shape, key)), faults);
  }
  return faults;
}

/** @param {string} step @param {Fault[]} inner @param {Fault[]} faults gets those below the step */
function addUnder(step, inner, faults) {
  for (const { path, fault } of inner) faults.push({ path: `${step}${path}`, fault });
}

/** A wrong value, quoted as upstream does. @param {unknown} value */
function valueText(value) {
  return `&{${goText(value)}}`;
}
