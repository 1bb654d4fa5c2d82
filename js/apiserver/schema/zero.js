/**
 * Creates the empty object of a type, with the fields that are written even if they are zero:
 * created objects are compared with it.
 */
/** @import { Shape } from './types.js' */

/** @type {Partial<Record<import('./types.js').Basic, unknown>>} */
const ZEROES = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  Quantity: '0',
  IntOrString: 0,
};

/** Frozen, one per struct. @type {WeakMap<object, Record<string, any>>} */
const known = new WeakMap();

/**
 * @param {Shape} shape of a kind
 * @returns {Record<string, any>}
 */
export function zeroOf(shape) {
  if (shape.kind !== 'struct') return {};
  const found = known.get(shape.struct);
  if (found) return found;
  const entries = shape.struct.alwaysWritten.map((field) => [
    field.name,
    field.isPointer ? null : zeroValue(field.shape),
  ]);
  const zero = Object.freeze(Object.fromEntries(entries));
  known.set(shape.struct, zero);
  return zero;
}

/**
 * @param {Shape} shape
 * @returns {any}
 */
export function zeroValue(shape) {
  if (shape.kind === 'struct') return zeroOf(shape);
  return shape.kind === 'scalar' ? (ZEROES[shape.basic] ?? null) : null;
}
