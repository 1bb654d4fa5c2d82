/**
 * Goal: manifests of real drivers are read as they are, and their workloads get devices or the
 * right reason. Method: each manifest's workloads run on its folder's ResourceSlices, or on a
 * machine of the table; the results are those of shared_workloads.js, and the allocations are
 * checked by rules that do not use the engine.
 */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';

import { podsOf } from '../../js/src/manifests.js';
import { TARGETS } from '../js/support/real_engine.js';
import { brokenRules, Inventory } from './allocation_rules.js';
import { lastDecisions, makeCluster, nodeOf, podOf } from './cluster.js';
import { DEVICE_CLASSES } from './device_classes.js';
import * as shared from './shared_data.js';
import { EXPECTED, PARTS } from './shared_workloads.js';

/** @import { Engine } from '../../js/src/engine/engine.js' */
/** @import { KubernetesObject } from '../../js/src/index.js' */
/** @import { Expected } from './shared_workloads.js' */

/** @typedef {KubernetesObject & Record<string, any>} AnyObject */

/**
 * The classes, nodes and slices that a manifest's workloads run with: the folder's, and those of
 * the table that the folder lacks.
 *
 * @param {string} path
 * @param {Expected} expected
 * @returns {AnyObject[]}
 */
function environmentOf(path, { slices, machine, with: other }) {
  const parts = shared
    .manifestPaths()
    .filter((each) => PARTS.includes(each) && isBeside(each, path))
    .flatMap((each) => shared.readManifest(each));
  const isKind = (/** @type {string} */ kind) => (/** @type {AnyObject} */ one) =>
    one.kind === kind;
  const own = slices ? parts.filter(isKind('ResourceSlice')) : [];
  const nodes = new Set(own.map(({ spec }) => spec.nodeName));
  const classes = [...parts, ...shared.readManifest(path, () => {})].filter(isKind('DeviceClass'));
  const names = new Set(classes.map(({ metadata }) => metadata?.name));
  const machines = makeCluster({ nodesOf: ({ name }) => Number(name === machine) });
  return [
    ...DEVICE_CLASSES.filter(({ metadata }) => !names.has(metadata?.name)),
    ...classes,
    ...own,
    ...[...nodes].map((name) => nodeOf(name, 'shared')),
    ...machines.filter(({ kind }) => kind !== 'DeviceClass'),
    ...(other ? shared.readManifest(other) : []),
  ];
}

/** @param {AnyObject} object */
function isWorkload({ kind = '' }) {
  return kind === 'Pod' || kind === 'Deployment';
}

/** @param {string} part @param {string} path */
function isBeside(part, path) {
  return `${dirname(path)}/`.startsWith(`${dirname(part)}/`);
}

/**
 * The workloads of a manifest: its pods and workloads' pods together, or a pod for each template.
 *
 * @param {readonly AnyObject[]} objects
 * @param {Expected} expected
 * @returns {AnyObject[][]} what is applied together
 */
function workloadsIn(objects, { extended }) {
  const isPart = ({ kind = '' }) => kind.startsWith('ResourceClaim') || kind === 'DeviceClass';
  const claims = objects.filter(isPart);
  const templates = claims.filter(({ kind }) => kind === 'ResourceClaimTemplate');
  const pods = objects.filter(isWorkload);
  if (extended) {
    const made = extended.map((each, at) => podOf({ name: 'pod', extended: each, fits: {} }, at));
    return [[...claims, ...made]];
  }
  if (pods.length > 0) return [[...claims, ...pods]];
  return templates.map((template) => [
    template,
    podOf({ name: String(template.metadata?.name), requests: [], fits: {} }, 0),
  ]);
}

/**
 * @param {Engine} engine
 * @param {string} path
 * @param {Expected} expected
 * @returns {Promise<{ placed: number, refused: string[], broken: string[] }>}
 */
async function outcomeOf(engine, path, expected) {
  const { featureGates } = expected;
  /** @type {string[]} */
  const refused = [];
  const objects = shared.readManifest(path, ({ message }) => refused.push(message));
  const environment = environmentOf(path, expected);
  const broken = [];
  let placed = 0;
  for (const group of workloadsIn(objects, expected)) {
    const scheduler = engine.createScheduler({ ...(featureGates && { featureGates }) });
    const onError = (/** @type {Error} */ { message }) => refused.push(message);
    scheduler.apply(environment, { onError });
    scheduler.apply(
      group.flatMap((each) => (isWorkload(each) ? podsOf(each) : each)),
      { onError },
    );
    const decisions = lastDecisions(await scheduler.schedule());
    placed += decisions.filter(({ node }) => node !== null).length;
    for (const { node, message } of decisions) if (node === null) refused.push(String(message));
    const claims = scheduler.list('ResourceClaim');
    broken.push(...brokenRules(new Inventory(environment), claims));
    scheduler.dispose();
  }
  return { placed, refused, broken };
}

for (const [target, start] of Object.entries(TARGETS)) {
  test(`${target}: real workloads get devices`, shared.NEEDS_SHARED_DATA, async (t) => {
    const { engine } = await start();
    for (const [path, expected] of Object.entries(EXPECTED)) {
      await t.test(path, async () => {
        const { placed, refused, broken } = await outcomeOf(engine, path, expected);
        assert.deepEqual(broken, []);
        const reasons = expected.refused ?? [];
        assert.equal(refused.length, reasons.length, refused.join('\n'));
        reasons.forEach((reason, at) => assert.match(refused[at], reason));
        assert.equal(placed, expected.placed);
      });
    }
  });
}

test('every manifest of the folder is read', shared.NEEDS_SHARED_DATA, () => {
  assert.deepEqual([...Object.keys(EXPECTED), ...PARTS].sort(), shared.manifestPaths());
});
