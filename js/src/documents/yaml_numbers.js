/**
 * Plain scalars of YAML that are numbers, as kubectl reads them. The rules of YAML 1.1 are wider:
 * by them `e2` and a dot alone would be numbers. Counterpart: sigs.k8s.io/yaml/goyaml.v2,
 * resolve.go.
 */

/** @import { Scalar, ScalarTag } from 'yaml' */

/** Numbers as Go's ParseInt reads them with base 0, after the underscores are gone. */
const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)$/;

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

const NOT_FINITE = /^(\.nan|\.NaN|\.NAN|[-+]?\.(inf|Inf|INF))$/;

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Returns the value of a plain scalar.
 * @param {string} text
 * @returns {bigint | number | string} the text itself if it is no number
 */
function plainNumber(text) {
  // Underscores may be anywhere, but not after a leading dot.
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  const integer = integerOf(plain);
  if (integer !== undefined) return integer;
  const number = FLOAT.test(plain) ? Number(plain) : NaN;
  return Number.isFinite(number) ? number : text;
}

/**
 * @param {string} plain
 * @returns {bigint | undefined} undefined if it is none, or one that takes more than 64 bits
 */
function integerOf(plain) {
  const [, sign, digits] = INTEGER.exec(plain) ?? [];
  if (digits === undefined) return undefined;
  const isOctal = /^0[0-7]+$/.test(digits);
  const size = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -size : size;
  return value >= INT64_MIN && value <= UINT64_MAX ? value : undefined;
}

/** @param {string} text */
const isNumber = (text) =>
  /^[-+.0-9]/.test(text) && (NOT_FINITE.test(text) || typeof plainNumber(text) !== 'string');

/**
 * @param {string} text
 * @param {(message: string) => void} onError
 */
const resolve = (text, onError) => {
  if (NOT_FINITE.test(text)) onError(`json: unsupported value: ${text}`);
  return plainNumber(text);
};

/**
 * A number that was read is written as it was.
 * @param {Scalar} scalar
 */
const stringify = ({ source, value }) =>
  source !== undefined && plainNumber(source) === value ? source : String(value);

/** The library asks a pattern, here one with a test of its own, whether a scalar is a number. */
const test = Object.assign(/(?:)/, { test: isNumber });

/**
 * The tags of numbers for a schema, in place of those of YAML 1.1. Integers are read as bigints.
 * @type {readonly ScalarTag[]}
 */
export const NUMBER_TAGS = Object.freeze([
  {
    tag: 'tag:yaml.org,2002:int',
    default: true,
    identify: (value) => typeof value === 'bigint' || Number.isInteger(value),
    ...{ test, resolve, stringify },
  },
  {
    tag: 'tag:yaml.org,2002:float',
    default: true,
    identify: (value) => typeof value === 'number',
    ...{ test, resolve, stringify },
  },
]);
