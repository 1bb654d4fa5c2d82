// Goal: no command reads a field of a cluster that a snapshot drops. Method: the objects of a
// cluster are proxies that record which of their fields each command reads one by one; copies of
// whole records do not count. Every read field is in the tables of snapshots, or is listed here
// with the reason why no answer needs it.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { KINDS } from '../../../js/src/snapshot/fields.js';
import { SameNames } from '../../../js/src/snapshot/names.js';
import { annotations } from '../../../js/src/snapshot/roles.js';
import { clusterCommands } from '../support/cluster_commands.js';
import { makeFolder } from '../support/folder.js';
import { makeList } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { richCluster } from '../support/rich_cluster.js';
import { runCli } from '../support/run_cli.js';

const { engine } = await startNative();
const { file } = await makeFolder();

/** Read, but no answer needs them. */
const NOT_NEEDED = [
  // `check` compares whole templates: one without these fields counts as another one.
  /\.template\.spec\.(enableServiceLinks|containers\[\]\.env(\[\]\.\w+)?)$/,
  // Only its presence is read.
  /^(DaemonSet|ReplicaSet)\.status$/,
  // Validation of an update reads whole objects; these may change.
  /^(DaemonSet\.spec\.updateStrategy|Deployment\.spec\.strategy)(\.\w+)*$/,
  /^(DaemonSet|Node|StatefulSet)\.status\.(desiredNumberScheduled|nodeInfo(\.\w+)?|replicas)$/,
  /^Node\.status\.conditions\[\]\.lastTransitionTime$/,
  // They are left out of a new node.
  /^Node\.spec\.(podCIDR|providerID)$/,
  // It is what a node has to offer if `allocatable` does not say it.
  /^Node\.status\.capacity$/,
  // Only validation reads it.
  /^PriorityClass\.description$/,
  // `fix` compares a pod before and after its edits, which do not concern these.
  /^Pod\.spec\.(enableServiceLinks|containers\[\]\.env)$/,
  // The text about a pod of which no scheduler of the simulation decides.
  /^Pod\.status\.conditions\[\]\.message$/,
  // What reads the manifest in it has a test of its own.
  /\.annotations\.kubectl\.kubernetes\.io\/last-applied-configuration$/,
];

/** Records the paths of the fields that are read. */
class Reads {
  /** @type {Set<string>} */
  paths = new Set();
  /** @type {WeakMap<object, object>} */
  #proxies = new WeakMap();

  /** @param {any} value @param {string} path @returns {any} */
  of(value, path) {
    if (value === null || typeof value !== 'object') return value;
    const known = this.#proxies.get(value);
    if (known) return known;
    const proxy = new Proxy(value, this.#handler(path));
    this.#proxies.set(value, proxy);
    return proxy;
  }

  /** @param {string} path @returns {ProxyHandler<any>} */
  #handler(path) {
    // A copy asks for the descriptor of each field before it reads it.
    let copied = /** @type {string | symbol | undefined} */ (undefined);
    return {
      get: (target, key) => {
        if (key === 'toJSON') return () => target;
        const value = target[key];
        if (typeof key === 'symbol' || typeof value === 'function') return value;
        if (Array.isArray(target)) return this.of(value, `${path}[]`);
        if (copied !== key && Object.hasOwn(target, key)) this.paths.add(`${path}.${key}`);
        copied = undefined;
        return this.of(value, `${path}.${key}`);
      },
      getOwnPropertyDescriptor: (target, key) => {
        copied = key;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    };
  }
}

/**
 * Whether the tables have a field.
 * @param {string} path
 */
function isKept(path) {
  const [kind, ...fields] = path.replaceAll('[]', '.[]').split('.');
  /** @type {any} */
  let shape = KINDS[kind];
  for (const [at, field] of fields.entries()) {
    if (shape === annotations)
      return annotations({ [fields.slice(at).join('.')]: '1' }, new SameNames()) !== undefined;
    if (typeof shape === 'function') return true;
    shape = field === '[]' ? shape?.[0] : Object.hasOwn(shape, field) && shape[field];
    if (!shape) return field === 'apiVersion' || field === 'kind';
  }
  return true;
}

test('commands read no field that a snapshot drops', async (t) => {
  const cluster = await file('cluster.json', makeList(...richCluster()));
  const { alone, withManifests } = await clusterCommands(file);
  const reads = new Reads();
  const parse = JSON.parse;
  const recorded = (/** @type {any} */ object) =>
    object?.metadata?.uid && Object.hasOwn(KINDS, object.kind)
      ? reads.of(object, object.kind)
      : object;
  mock.method(JSON, 'parse', (/** @type {string} */ text, /** @type {any} */ reviver) => {
    const value = parse(text, reviver);
    if (Array.isArray(value?.items)) return { ...value, items: value.items.map(recorded) };
    return Array.isArray(value) ? value.map(recorded) : recorded(value);
  });
  t.after(() => mock.restoreAll());
  for (const argv of [...alone, ...withManifests]) {
    const words = argv.map((word) => (word === 'CLUSTER' ? cluster : word.replace(/[{}]/g, '')));
    const { code, stderr } = await runCli(words, { loadEngine: async () => engine });
    assert.ok(code < 2, `${argv.join(' ')}: ${stderr}`);
  }
  assert.ok(reads.paths.has('PodDisruptionBudget.spec.maxUnavailable'), 'the recorder records');
  const dropped = [...reads.paths].filter((path) => !isKept(path)).sort();
  const isNeeded = (/** @type {string} */ path) => !NOT_NEEDED.some((rule) => rule.test(path));
  assert.deepEqual(dropped.filter(isNeeded), []);
  const unused = NOT_NEEDED.filter((rule) => ![...reads.paths].some((path) => rule.test(path)));
  assert.deepEqual(unused, [], 'each reason is of a field that is read');
});
