// Goal: `whatif --apply` applies a workload as `check` does. Method: both get the same cluster and
// manifest, and must count and place as many new pods; what `check` says is in the table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../../support/workloads.js';

const LAST = 'kubectl.kubernetes.io/last-applied-configuration';
const { file } = await makeFolder();
let count = 0;

/** @param {object[]} objects @param {object} manifest */
async function counts(objects, manifest) {
  const cluster = await file(`cluster-${(count += 1)}.json`, makeList(...objects));
  const path = await file(`manifest-${count}.json`, manifest);
  const check = await runCli(['check', path, '--cluster', cluster, '-o', 'json']);
  const [{ replicas, placed }] = JSON.parse(check.stdout).workloads;
  const whatif = await runCli(['whatif', cluster, '--apply', path, '-o', 'json']);
  const made = JSON.parse(whatif.stdout).pods.filter(({ before }) => before === null);
  const ready = made.filter(({ after }) => after.state === 'Placed');
  return { check: [replicas, placed], whatif: [made.length, ready.length] };
}

/** @param {object} spec @param {string} [image] another one makes other pods */
const written = (spec, image = 'app:v2') => makeWorkload('Deployment', 'web', { spec, image });

/** @param {object} deployment @param {object} [last] the manifest that kubectl applied last */
function stored(deployment, last) {
  const { metadata, ...rest } = owned(deployment);
  const annotations = last && { [LAST]: JSON.stringify(last) };
  return { ...rest, metadata: { ...metadata, ...(annotations && { annotations }) } };
}

/** A deployment whose pods a patch keeps off all nodes. @param {any} deployment */
const patched = (deployment, patch = { nodeSelector: { patched: 'yes' } }) => {
  const { template, ...spec } = deployment.spec;
  return {
    ...deployment,
    spec: { ...spec, template: { ...template, spec: { ...template.spec, ...patch } } },
  };
};

/** A deployment whose pods have a large container more. @param {any} deployment */
function extended(deployment) {
  const { containers } = deployment.spec.template.spec;
  const added = { name: 'added', image: 'app:v1', resources: { requests: { cpu: '9' } } };
  return patched(deployment, { containers: [...containers, added] });
}

test('a workload is applied in both commands alike', async () => {
  const strategy = { type: 'Recreate' };
  const none = written({ strategy });
  const three = written({ strategy, replicas: 3 });
  const [old, oldThree] = [{ strategy }, { strategy, replicas: 3 }].map((spec) =>
    written(spec, 'app:v1'),
  );
  const older = { ...oldThree, apiVersion: 'extensions/v1beta1' };
  const set = replicaSetOf(stored(oldThree), '7d4b', { replicas: 3 });
  const pods = ['x', 'y'].map((id) => podOf(`web-7d4b-${id}`, set, { node: 'a' }));
  const cases = /** @type {[string, object[], object, [number, number]][]} */ ([
    ['no manifest counts: the count stays', [stored(oldThree, old)], none, [3, 3]],
    ['the count is taken out', [stored(oldThree, oldThree)], none, [1, 1]],
    ['the count is taken out of an older version', [stored(oldThree, older)], none, [1, 1]],
    ['not applied by kubectl: the count stays', [stored(oldThree)], none, [3, 3]],
    ['a count is written', [stored(old, oldThree)], three, [3, 3]],
    ['the sets show the count', [set, ...pods], none, [3, 3]],
    ['the pods show the count', pods, none, [2, 2]],
    ['nothing is there', [], none, [1, 1]],
    ['a patch stays', [stored(patched(oldThree), oldThree)], three, [3, 0]],
    ['an added container stays', [stored(extended(oldThree), oldThree)], three, [3, 0]],
    ['a patch of what kubectl did not apply goes', [stored(patched(oldThree))], three, [3, 3]],
    ['a field is taken out', [stored(patched(oldThree), patched(oldThree))], three, [3, 3]],
  ]);
  const found = [];
  for (const [name, objects, manifest] of cases)
    found.push([name, await counts([makeNode('a', { cpu: '8' }), ...objects], manifest)]);
  assert.deepEqual(
    found,
    cases.map(([name, , , wanted]) => [name, { check: wanted, whatif: wanted }]),
  );
});
