/** A page that runs the contract in a module worker. */
const worker = new Worker(new URL('module_worker.js', import.meta.url), { type: 'module' });

/** @type {any} */ (globalThis).report = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
});
