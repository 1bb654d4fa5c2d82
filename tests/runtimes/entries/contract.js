/**
 * The package's behaviour, which must be the same in every runtime: facts as JSON, for the test to
 * compare.
 */
import { makeCluster, makeDevices } from './cluster.js';

/** @typedef {typeof import('stowage')} Stowage */

/** The number of schedulers that are created and disposed of. */
const DISPOSED = 100;

/**
 * @param {Stowage} stowage the package
 * @param {string} log of a run that was recorded elsewhere
 */
export async function contract(stowage, log) {
  return {
    scheduled: await schedule(stowage),
    devices: await placeWithClaim(stowage),
    replayed: await replay(stowage, log),
    refused: await refuse(stowage),
    disposed: await dispose(stowage),
  };
}

/**
 * The run of `schedule`, recorded.
 *
 * @param {Stowage} stowage
 * @returns {Promise<string>} its log
 */
export async function record({ createScheduler }) {
  /** @type {string[]} */
  const lines = [];
  const log = (/** @type {string} */ line) => void lines.push(line);
  const scheduler = await createScheduler({ seed: 7, log });
  scheduler.apply(/** @type {any[]} */ (makeCluster()));
  await scheduler.schedule();
  scheduler.dispose();
  return lines.join('');
}

/** @param {Stowage} stowage */
async function schedule({ createScheduler, nodeRow, whyNot }) {
  const scheduler = await createScheduler({ seed: 7 });
  const { applied } = scheduler.apply(/** @type {any[]} */ (makeCluster()));
  const decisions = await scheduler.schedule();
  const placed = decisions.filter(({ node }) => node !== null).length;
  const evaluation = scheduler.evaluate('default/gpu-3', { detail: 'nodes' });
  const { hash, kubernetesVersion } = scheduler;
  scheduler.dispose();
  return {
    kubernetesVersion,
    applied,
    placed,
    refused: decisions.length - placed,
    message: evaluation.message,
    row: nodeRow(evaluation, 'node-1'),
    why: whyNot(evaluation, 'node-1'),
    hash,
  };
}

/**
 * A pod that needs a device, for which the second module is loaded.
 *
 * @param {Stowage} stowage
 */
async function placeWithClaim({ createScheduler }) {
  const scheduler = await createScheduler({ seed: 7 });
  scheduler.apply(/** @type {any[]} */ (makeDevices()));
  const decisions = await scheduler.schedule();
  scheduler.dispose();
  return decisions.map(({ pod, node, claims }) => ({ pod, node, claims }));
}

/** @param {Stowage} stowage @param {string} log */
async function replay(stowage, log) {
  const scheduler = await stowage.replay(log);
  const { hash } = scheduler;
  scheduler.dispose();
  const changed = log.replace(/"hash":"(.)/, (text, digit) => `"hash":"${digit === '0' ? 1 : 0}`);
  return { hash, changed: await faultOf(() => stowage.replay(changed)) };
}

/** @param {Stowage} stowage */
async function refuse({ createScheduler, loadEngine }) {
  const scheduler = await createScheduler();
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'odd', uid: '1' } };
  const resources = { requests: { cpu: 'a lot' } };
  const odd = { ...pod, spec: { containers: [{ name: 'main', resources }] } };
  const faults = {
    text: await faultOf(() => scheduler.apply('{"kind":')),
    field: await faultOf(() => scheduler.apply(odd)),
    option: await faultOf(() => createScheduler(/** @type {any} */ ({ speed: 9 }))),
    module: await faultOf(() => loadEngine({ wasm: new Uint8Array([1, 2, 3]) })),
  };
  const alive = scheduler.run().idle;
  scheduler.dispose();
  return { ...faults, alive };
}

/** @param {Stowage} stowage */
async function dispose({ loadEngine }) {
  const engine = await loadEngine();
  const scheduler = engine.createScheduler();
  scheduler.dispose();
  for (let count = 0; count < DISPOSED; count += 1) engine.createScheduler().dispose();
  return faultOf(() => scheduler.run());
}

/** @param {() => unknown} action */
async function faultOf(action) {
  try {
    await action();
    return null;
  } catch (error) {
    const { name, code, errors = [] } = /** @type {any} */ (error);
    const fields = errors.map((/** @type {any} */ { field }) => field ?? null);
    return { name, code, fields: /** @type {(string | null)[]} */ (fields) };
  }
}
