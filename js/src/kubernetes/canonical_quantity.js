/**
 * Writes quantities as the API server does: without needless digits, with the largest suffix that
 * loses no precision. Counterpart: apimachinery/pkg/api/resource/quantity.go, v1.36.
 */
import { quantityParts, withoutSpaces } from './quantity.js';

/** @import { QuantityParts } from './quantity.js' */

/** Texts that are canonical already: up to three digits without a leading zero. */
const CANONICAL = /^(0|[1-9]\d{0,2}([mkMGTP]|[KMGTP]i)?)$/;

const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const DECIMAL_FIRST = -9;
const DECIMAL_LAST = 18;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** The smallest power of ten that a quantity can have. */
const SMALLEST = -9;

/**
 * @param {unknown} value text or a number
 * @param {number} [smallest] the power of ten that it is rounded up to; resources of containers and
 *   nodes have thousandths at the finest
 * @returns {string}
 * @throws {RangeError} if it is not a quantity, as `quantityParts`
 */
export function canonicalQuantity(value, smallest = SMALLEST) {
  const text = withoutSpaces(String(value));
  if (CANONICAL.test(text)) return text;
  const parts = quantityParts(text);
  if (isKept(parts, smallest)) return text;
  const amount = rounded(parts, smallest);
  if (amount.mantissa === 0n) return '0';
  const written = parts.format === 'binary' ? binary(amount) : null;
  return (parts.isNegative ? '-' : '') + (written ?? decimal(amount, parts.format));
}

/**
 * Whether the text stays as written: Kubernetes caches the text of small numbers that may be
 * canonical, and drops it when it rounds.
 * @param {QuantityParts} parts
 * @param {number} smallest
 */
function isKept({ isSmall, format, digits, exponent }, smallest) {
  if (!isSmall) return false;
  if (format === 'binary') return BigInt(digits) % 8n !== 0n;
  const isWhole = exponent % 3 === 0 && exponent >= smallest;
  return isWhole && digits[0] !== '0' && !digits.endsWith('000');
}

/**
 * Returns the canonical text of an amount.
 * @param {bigint} nano in units of 10^-9
 * @param {boolean} isBinary whether to use powers of 1024 if possible
 */
export function quantityText(nano, isBinary) {
  if (nano === 0n) return '0';
  const amount = { mantissa: nano, exponent: SMALLEST };
  return (isBinary ? binary(amount) : null) ?? decimal(amount, 'decimal');
}

/** @typedef {{ mantissa: bigint, exponent: number }} Amount mantissa × 10^exponent */

/**
 * Rounds up to the smallest power of ten.
 * @param {Amount} amount
 * @param {number} smallest
 * @returns {Amount}
 */
function rounded({ mantissa, exponent }, smallest) {
  if (exponent >= smallest) return { mantissa, exponent };
  // Any divisor with more digits than the mantissa gives 1 as well, so the number of places is
  // limited.
  const places = Math.min(smallest - exponent, String(mantissa).length);
  const divisor = 10n ** BigInt(places);
  return { mantissa: (mantissa + divisor - 1n) / divisor, exponent: smallest };
}

/**
 * Returns the text with a power of 1024, or null if that is inexact or the amount is below 1024.
 * @param {Amount} amount
 */
function binary({ mantissa, exponent }) {
  const divisor = 10n ** BigInt(Math.max(0, -exponent));
  if (mantissa % divisor !== 0n) return null;
  let value = (mantissa / divisor) * 10n ** BigInt(Math.max(0, exponent));
  if (value < 1024n) return null;
  let step = 0;
  for (; value % 1024n === 0n && step < BINARY.length - 1; step++) value /= 1024n;
  return `${value}${BINARY[step]}`;
}

/**
 * Amounts above the largest suffix get an exponent.
 * @param {Amount} amount
 * @param {'binary' | 'decimal' | 'exponent'} format
 */
function decimal({ mantissa, exponent }, format) {
  let value = mantissa;
  let power = exponent;
  for (; value % 10n === 0n; power++) value /= 10n;
  for (; power % 3 !== 0; power--) value *= 10n;
  if (format !== 'exponent' && power <= DECIMAL_LAST)
    return `${value}${DECIMAL[(power - DECIMAL_FIRST) / 3]}`;
  return power === 0 ? `${value}` : `${value}e${power}`;
}

/**
 * Canonicalizes the quantities of objects that no server has stored.
 * @param {Record<string, unknown> | null | undefined} list by the name of their resource
 * @returns {Record<string, string>}
 */
export function canonicalQuantities(list) {
  const entries = Object.entries(list ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, canonicalQuantity(value)]));
}
