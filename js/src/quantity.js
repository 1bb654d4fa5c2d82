/**
 * Just enough of Kubernetes' quantities to add and compare them: what the engine decides with, it
 * reads itself. A quantity is a bigint in units of 10^-9.
 */
import { remembered } from './remembered.js';

const NANO = 9;

/** More digits than any amount has: beyond, the arithmetic itself would take forever. */
const MOST_DIGITS = 100;

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
 * @param {unknown} quantity text or a number
 * @returns {bigint | null} in units of 10^-9, rounded away from zero; null when it is no quantity
 */
export function parseQuantity(quantity) {
  return parsed(String(quantity));
}

/** @type {(text: string) => bigint | null} */
const parsed = remembered((text) => {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*)([+-]?\d*)$/.exec(text.trim());
  if (!match) return null;
  const [, sign, whole, fraction = '', letters, exponentText] = match;
  if (whole === '' && fraction === '') return null;
  if (whole.length + fraction.length + Math.abs(Number(exponentText)) > MOST_DIGITS) return null;
  const digits = BigInt(`${whole}${fraction}`);
  const isExponent = /^[eE]$/.test(letters) && exponentText !== '';
  if (!isExponent && exponentText !== '') return null;
  const power = isExponent ? Number(exponentText) : DECIMAL.get(letters);
  const binary = BINARY.get(letters);
  if (power === undefined && binary === undefined) return null;
  const scaled = binary === undefined ? digits : digits * 1024n ** BigInt(binary);
  const nano = shift(scaled, (power ?? 0) - fraction.length + NANO);
  return sign === '-' ? -nano : nano;
});

/**
 * The shortest text of a quantity: whole, in thousandths, or in billionths.
 * @param {bigint} nano
 */
export function formatQuantity(nano) {
  if (nano % 1_000_000_000n === 0n) return String(nano / 1_000_000_000n);
  if (nano % 1_000_000n === 0n) return `${nano / 1_000_000n}m`;
  return `${nano}n`;
}

/**
 * @param {bigint} value
 * @param {number} power
 */
function shift(value, power) {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
}
