/**
 * Quantities as the API server writes them: without needless digits, with the largest suffix that
 * loses nothing.
 * Counterpart: apimachinery/pkg/api/resource/quantity.go, v1.36.
 */
import { quantityParts, withoutSpaces } from './quantity.js';

/** @import { QuantityParts } from './quantity.js' */

/** What is written as it comes: up to three digits, of which the first is none that is lost. */
const CANONICAL = /^(0|[1-9]\d{0,2}([mkMGTP]|[KMGTP]i)?)$/;

const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const DECIMAL_FIRST = -9;
const DECIMAL_LAST = 18;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Nothing is smaller than this power of ten. */
const SMALLEST = -9;

/**
 * @param {unknown} value text or a number
 * @param {number} [smallest] the power of ten that it is rounded up to; resources of containers
 *   and nodes know nothing below thousandths
 * @returns {string}
 * @throws {RangeError} when it is no quantity, as `quantityParts` says
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
 * Whether the text stays as it was written: Kubernetes remembers those of small numbers that may be
 * canonical, and forgets them where it rounds.
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
 * The canonical text of an amount.
 * @param {bigint} nano in units of 10^-9
 * @param {boolean} isBinary whether it is written with powers of 1024 where it can be
 */
export function quantityText(nano, isBinary) {
  if (nano === 0n) return '0';
  const amount = { mantissa: nano, exponent: SMALLEST };
  return (isBinary ? binary(amount) : null) ?? decimal(amount, 'decimal');
}

/** @typedef {{ mantissa: bigint, exponent: number }} Amount mantissa × 10^exponent */

/**
 * Rounded up to what is kept.
 * @param {Amount} amount
 * @param {number} smallest
 * @returns {Amount}
 */
function rounded({ mantissa, exponent }, smallest) {
  if (exponent >= smallest) return { mantissa, exponent };
  // A divisor of more digits than the mantissa has leaves 1 as well.
  const places = Math.min(smallest - exponent, String(mantissa).length);
  const divisor = 10n ** BigInt(places);
  return { mantissa: (mantissa + divisor - 1n) / divisor, exponent: smallest };
}

/**
 * With a power of 1024, or null where that cannot be said exactly or is below 1024.
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
 * Above the largest suffix stands an exponent.
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
