/** Small parts of device descriptions. */

/** @import { Random, Version } from './types.js' */

/** @param {string} text @returns {Version} */
export function version(text) {
  return { version: text };
}

/** @template T @param {number} count @param {(index: number) => T} make @returns {T[]} */
export function times(count, make) {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** @param {Random} random @param {number} digits @returns {string} */
export function hexDigits(random, digits) {
  return times(digits, () => random.below(16).toString(16)).join('');
}

/** @param {Random} random @returns {string} in the form of a UUID */
export function uuid(random) {
  return [8, 4, 4, 4, 12].map((digits) => hexDigits(random, digits)).join('-');
}

/** @param {Random} random @returns {string} */
export function macAddress(random) {
  return ['02', ...times(5, () => hexDigits(random, 2))].join(':');
}

/**
 * The root of a PCI address: `pci0008:00` of `0008:06:00.0`. On these machines sixteen buses have
 * one root.
 *
 * @param {string} address
 */
export function rootOf(address) {
  const [domain, bus] = address.split(':');
  return `pci${domain}:${bus[0]}0`;
}

/** The name of a device at a PCI address: `pci-0008-06-00-0`. @param {string} address */
export function nameAt(address) {
  return `pci-${address.replace(/[:.]/g, '-')}`;
}
