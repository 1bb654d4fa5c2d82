/**
 * Kubernetes' quantities: the one parser in JavaScript, and enough arithmetic to add and compare
 * them. For decisions the engine has its own. Counterpart:
 * apimachinery/pkg/api/resource/quantity.go and suffix.go, v1.36.
 */
import { remembered } from './remembered.js';

const NANO = 9;

/**
 * The maximum length of a text, and limits for digits and exponents, which bound the powers that
 * are computed.
 */
const LONGEST = 256;
const MOST_DIGITS = 100;

/** Numbers of up to this many digits, and not below billionths, are small. */
const SMALL_DIGITS = 18;

/** The maximum of binary quantities. */
const LARGEST_BINARY = 2n ** 63n - 1n;

const FORMAT_WRONG =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_WRONG = "unable to parse quantity's suffix";
const NUMBER_WRONG = 'unable to parse numeric part of quantity';

const DIGITS = '0123456789';
const SIGNS = '+-';
/** Go's set of spaces: it includes U+0085, unlike JavaScript's, and excludes U+FEFF. */
const SPACES =
  ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009' +
  '\u200a\u2028\u2029\u202f\u205f\u3000';
const SUFFIX_LETTERS = 'eEinumkKMGTP';

/** Powers of ten and of 1024 by suffix. */
const DECIMAL = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const BINARY = new Map([
  ['Ki', 1],
  ['Mi', 2],
  ['Gi', 3],
  ['Ti', 4],
  ['Pi', 5],
  ['Ei', 6],
]);

/**
 * A quantity is ± mantissa × 10^exponent.
 * @typedef {object} QuantityParts
 * @property {boolean} isNegative
 * @property {bigint} mantissa
 * @property {number} exponent
 * @property {'binary' | 'decimal' | 'exponent'} format by its suffix
 * @property {string} digits without zeros before the point, at least one
 * @property {boolean} isSmall whether Kubernetes counts it in an int64 instead of big numbers
 */

/**
 * Parses a text in one pass, as resource.ParseQuantity does: small numbers may lack digits.
 * @param {string} text
 * @returns {QuantityParts}
 * @throws {RangeError} with Kubernetes' message, or the limit's
 */
export function quantityParts(text) {
  if (text.length > LONGEST) throw beyondLimit(`${LONGEST} characters`);
  if (text === '') throw new RangeError(FORMAT_WRONG);
  const start = SIGNS.includes(text[0]) ? 1 : 0;
  const wholeStart = endOfRun(text, start, '0');
  const wholeEnd = endOfRun(text, wholeStart, DIGITS);
  const fractionStart = text[wholeEnd] === '.' ? wholeEnd + 1 : wholeEnd;
  const fractionEnd = text[wholeEnd] === '.' ? endOfRun(text, fractionStart, DIGITS) : wholeEnd;
  const lettersEnd = endOfRun(text, fractionEnd, SUFFIX_LETTERS);
  const hasSign = lettersEnd < text.length && SIGNS.includes(text[lettersEnd]);
  const end = endOfRun(text, hasSign ? lettersEnd + 1 : lettersEnd, DIGITS);
  if (end < text.length) throw new RangeError(FORMAT_WRONG);
  const { format, decimal, binary } = suffixOf(text.slice(fractionEnd));
  const places = fractionEnd - fractionStart;
  const digits = (text.slice(wholeStart, wholeEnd) || '0') + text.slice(fractionStart, fractionEnd);
  const exponent = decimal - places;
  const isSmall =
    format === 'binary'
      ? places === 0 && digits.length <= smallBinaryDigits(binary)
      : digits.length <= SMALL_DIGITS && exponent >= -NANO;
  if (!isSmall && wholeEnd === start && places === 0) throw new RangeError(NUMBER_WRONG);
  if (digits.length > MOST_DIGITS) throw beyondLimit(`${MOST_DIGITS} digits`);
  const mantissa = BigInt(digits) * 1024n ** BigInt(binary);
  if (mantissa !== 0n && decimal > MOST_DIGITS) throw beyondLimit(`an exponent of ${MOST_DIGITS}`);
  const parts = { isNegative: text[0] === '-', format, digits, isSmall };
  const isCapped = format === 'binary' && mantissa > LARGEST_BINARY * 10n ** BigInt(places);
  return isCapped
    ? { ...parts, mantissa: LARGEST_BINARY, exponent: 0 }
    : { ...parts, mantissa, exponent };
}

/**
 * Returns the maximum number of digits of a small number before a suffix: 2^20 takes six of them,
 * and so on.
 * @param {number} power of 1024
 */
function smallBinaryDigits(power) {
  return 14 - 3 * power;
}

/**
 * Returns a text without surrounding spaces in the engine's sense: `trim` has another set of
 * spaces.
 * @param {string} text
 */
export function withoutSpaces(text) {
  const start = endOfRun(text, 0, SPACES);
  let end = text.length;
  while (end > start && SPACES.includes(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/**
 * @param {string} text
 * @param {number} start
 * @param {string} characters
 * @returns {number} the position after the run of these characters
 */
function endOfRun(text, start, characters) {
  let end = start;
  while (end < text.length && characters.includes(text[end])) end += 1;
  return end;
}

/**
 * @param {string} suffix
 * @returns {{ format: QuantityParts['format'], decimal: number, binary: number }}
 */
function suffixOf(suffix) {
  const decimal = DECIMAL.get(suffix);
  if (decimal !== undefined) return { format: 'decimal', decimal, binary: 0 };
  const binary = BINARY.get(suffix);
  if (binary !== undefined) return { format: 'binary', decimal: 0, binary };
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix);
  if (!exponent) throw new RangeError(SUFFIX_WRONG);
  const power = BigInt(exponent[1]);
  if (power !== BigInt.asIntN(64, power)) throw new RangeError(SUFFIX_WRONG);
  // Upstream keeps the lowest 32 bits.
  return { format: 'exponent', decimal: Number(BigInt.asIntN(32, power)), binary: 0 };
}

/** @param {string} limit */
function beyondLimit(limit) {
  return new RangeError(`${NUMBER_WRONG}: the limit is ${limit}`);
}

/**
 * @param {unknown} quantity text or a number
 * @returns {bigint | null} in units of 10^-9, rounded away from zero; null if it is not a quantity
 */
export function parseQuantity(quantity) {
  return parsed(String(quantity));
}

/** @type {(text: string) => bigint | null} */
const parsed = remembered((text) => {
  try {
    const { isNegative, mantissa, exponent } = quantityParts(withoutSpaces(text));
    const nano = shift(mantissa, exponent + NANO);
    return isNegative ? -nano : nano;
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
});

/**
 * Returns the shortest text of a quantity: whole, in thousandths, or in billionths.
 * @param {bigint} nano
 */
export function formatQuantity(nano) {
  if (nano % 1_000_000_000n === 0n) return String(nano / 1_000_000_000n);
  if (nano % 1_000_000n === 0n) return `${nano / 1_000_000n}m`;
  return `${nano}n`;
}

/**
 * @param {bigint} value
 * @param {number} power for small numbers the value's digits are limited as well
 */
function shift(value, power) {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(Math.min(-power, 2 * MOST_DIGITS));
  return (value + divisor - 1n) / divisor;
}
