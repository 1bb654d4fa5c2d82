/**
 * Quantities as the API server writes them: without needless digits, with the largest suffix that
 * loses nothing.
 * Counterpart: apimachinery/pkg/api/resource/quantity.go, v1.36.
 */
import { quantityParts } from '../../quantity.js';

/** What is written as it comes: up to three digits, of which the first is none that is lost. */
const CANONICAL = /^(0|[1-9]\d{0,2}([mkMGTP]|[KMGTP]i)?)$/;

const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const DECIMAL_FIRST = -9;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Nothing is smaller than this power of ten, nothing larger than this amount. */
const SMALLEST = -9;
const LARGEST = 2n ** 63n - 1n;

/**
 * @param {unknown} value text or a number
 * @param {number} [smallest] the power of ten that it is rounded up to; resources of containers
 *   and nodes know nothing below thousandths
 * @returns {string}
 * @throws {RangeError} when it is no quantity, as `quantityParts` says
 */
export function canonicalQuantity(value, smallest = SMALLEST) {
  const text = String(value).trim();
  if (CANONICAL.test(text)) return text;
  const { isNegative, mantissa, exponent, format } = quantityParts(text);
  const amount = limited(mantissa, exponent, smallest);
  if (amount.mantissa === 0n) return '0';
  const written = format === 'binary' ? binary(amount) : null;
  return (isNegative ? '-' : '') + (written ?? decimal(amount, format));
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
 * Rounded up to what is kept, and no more than there is.
 * @param {bigint} mantissa
 * @param {number} exponent
 * @param {number} smallest
 * @returns {Amount}
 */
function limited(mantissa, exponent, smallest) {
  if (exponent < smallest) {
    const divisor = 10n ** BigInt(smallest - exponent);
    return { mantissa: (mantissa + divisor - 1n) / divisor, exponent: smallest };
  }
  const isTooLarge = exponent > 0 && mantissa * 10n ** BigInt(exponent) > LARGEST;
  if (isTooLarge || (exponent === 0 && mantissa > LARGEST)) {
    return { mantissa: LARGEST, exponent: 0 };
  }
  return { mantissa, exponent };
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
 * @param {Amount} amount
 * @param {'binary' | 'decimal' | 'exponent'} format
 */
function decimal({ mantissa, exponent }, format) {
  let value = mantissa;
  let power = exponent;
  for (; value % 10n === 0n; power++) value /= 10n;
  for (; power % 3 !== 0 || power > 18; power--) value *= 10n;
  if (format === 'exponent') return power === 0 ? `${value}` : `${value}e${power}`;
  return `${value}${DECIMAL[(power - DECIMAL_FIRST) / 3]}`;
}
