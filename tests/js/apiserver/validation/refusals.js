/** What a server says of objects that it refuses, sentence by sentence. */
import { AskedServer, pod } from '../asked_server.js';
import { inDefault } from '../workloads.js';

/**
 * What is wrong with a pod of this spec, in the order that the server says it.
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

/** A container of a pod that is right but for what is given. @param {object} fields */
export function container(fields) {
  return { name: 'c', image: 'i', ...fields };
}
