/** Asks a worker to schedule. Results are plain data, so messages can carry them unchanged. */
const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });

/** @param {object} question @returns {Promise<any>} */
function ask(question) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data: { answer, status } }) => (status ? reject(status) : resolve(answer));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(question, [port2]);
  });
}

const node = (/** @type {unknown} */ _, /** @type {number} */ at) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `node-${at}` },
  status: { allocatable: { cpu: '8', memory: '32Gi', pods: '20' } },
});
const pod = (/** @type {unknown} */ _, /** @type {number} */ at) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${at}` },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '700m' } } }] },
});

const objects = [...Array.from({ length: 100 }, node), ...Array.from({ length: 1200 }, pod)];
const { decisions } = await ask({ method: 'schedule', objects });
const placed = decisions.filter((/** @type {any} */ decision) => decision.node !== null).length;
const { message } = await ask({ method: 'evaluate', pod: 'default/pod-1199' });
const said = `${placed} of ${decisions.length} pods are placed. The last: ${message}`;
/** @type {any} */ (document.getElementById('answer')).textContent = said;
