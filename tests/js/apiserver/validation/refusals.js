/** Returns a server's reasons for refusing objects, one by one. */
import { AskedServer, pod } from '../asked_server.js';
import { inDefault } from '../workloads.js';

/**
 * Returns the faults of a pod with this spec, in the server's order.
 * @param {object} spec
 * @returns {string[]}
 */
export function podFaults(spec) {
  const { store } = new AskedServer();
  return faultsOf(() => store.create('pods', pod('a', spec, inDefault)));
}

/**
 * @param {() => unknown} write
 * @returns {string[]} `field: sentence` each
 */
export function faultsOf(write) {
  try {
    write();
  } catch (/** @type {any} */ error) {
    if (!error.details?.causes) throw error;
    return error.details.causes.map(
      (/** @type {any} */ { field, message }) => `${field}: ${message}`,
    );
  }
  return [];
}

/** Returns a valid container with the given fields. @param {object} fields */
export function container(fields) {
  return { name: 'c', image: 'i', ...fields };
}
