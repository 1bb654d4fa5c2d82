/**
 * Errors as plain data, because structured clones lose their fields on the way out of the worker.
 */

/**
 * @typedef {object} PlainError
 * @property {string} name of its class
 * @property {string} message
 * @property {string} [code]
 * @property {string} [source] the name of the file that it is about
 * @property {string} [field]
 * @property {number} [document]
 * @property {number} [line]
 * @property {number} [column]
 */

const FIELDS = /** @type {const} */ (['code', 'source', 'field', 'document', 'line', 'column']);

/**
 * The same object; its methods reject with plain data.
 * @template {object} T
 * @param {T} target
 * @returns {T}
 */
export function withPlainErrors(target) {
  return new Proxy(target, {
    get(_, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (/** @type {unknown[]} */ ...args) => {
        try {
          return await method.apply(target, args);
        } catch (error) {
          throw plainError(error);
        }
      };
    },
  });
}

/**
 * @param {any} error
 * @returns {PlainError}
 */
export function plainError(error) {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const all = /** @type {any} */ (error);
  const fields = FIELDS.filter((name) => all[name] !== undefined);
  return {
    name: error.name,
    message: error.message,
    ...Object.fromEntries(fields.map((name) => [name, all[name]])),
  };
}
