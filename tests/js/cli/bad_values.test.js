// Goal: a value that cannot be read is reported once, with the file, the kind, the object and the
// field. Method: a table of values in objects of each kind, in each command that reads manifests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../support/folder.js';
import { makeList, makeNode, makePod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';

const { file } = await makeFolder();
const cluster = await file('cluster.json', makeList(makeNode('a')));
const trace = await file('trace.json', makeList(makePod('p'), makePod('q')));

/** Commands in which a manifest is a warning, unless the engine refuses it. */
const COMMANDS = /** @type {Record<string, (path: string) => string[]>} */ ({
  simulate: (path) => [path, cluster],
  repack: (path) => [path, cluster],
  diff: (path) => [path, cluster, '--kubernetes-version', 'v1.35', '--kubernetes-version', 'v1.36'],
  plan: (path) => ['-f', path, '--cluster', cluster, '--pool', 'node/a'],
  tune: (path) => ['-f', path, '-f', trace, '--cluster', cluster, '--weight', 'ImageLocality=1,3'],
  whatif: (path) => ['--apply', path, cluster],
});

/** Commands about one pod, or its workload. */
const OF_PODS = /** @type {typeof COMMANDS} */ ({
  explain: (path) => ['web', '-f', path, '--cluster', cluster],
  fix: (path) => ['web', '-f', path, '--cluster', cluster],
  capacity: (path) => ['-f', path, '--cluster', cluster, '--max-limit', '3'],
});

/**
 * Returns the lines about faults, without the name of the file, which each has.
 * @param {string[]} argv
 * @param {string} path
 */
async function faultsOf(argv, path) {
  const { code, stderr } = await runCli([...argv, '-q']);
  const lines = stderr.split('\n').filter((line) => line.includes('Invalid value'));
  const start = new RegExp(`^(error|warning): ${path}: (document 1, )?line \\d+(, column \\d+)?: `);
  for (const line of lines) assert.match(line, start, argv.join(' '));
  return { code, stderr, faults: lines.map((line) => line.replace(start, '')) };
}

/** @param {object} spec @param {object} [metadata] */
const pod = (spec, metadata) => makePod('web', { spec, metadata });

/** @param {object} resources @param {object} [spec] */
const using = (resources, spec) =>
  pod({ containers: [{ name: 'c', image: 'a', resources }], ...spec });

/** @param {string} kind @param {object} parts @param {string} [apiVersion] */
const object = (kind, parts, apiVersion = 'v1') => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...parts,
});

/** @param {object} spec @param {object} [rest] */
const deployment = (spec, rest) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'w' } },
    template: { metadata: { labels: { app: 'w' } }, spec },
    ...rest,
  },
});

const RESOURCES = 'spec.containers[0].resources';
const WRONG = { requests: { cpu: '1x' } };
const BAD_CONTAINERS = { containers: [{ name: 'c', image: 'a', resources: WRONG }] };

/** Values that the engine reads: the object, its name, and the field with the value. */
const READ = /** @type {[object, string, string][]} */ ([
  [using(WRONG), 'Pod default/web', `${RESOURCES}.requests[cpu]: Invalid value: "1x": quantities`],
  [
    using({ limits: { 'example.com/gpu': '1x' } }),
    'Pod default/web',
    `${RESOURCES}.limits[example.com/gpu]: Invalid value: "1x": quantities`,
  ],
  [
    using({}, { resources: { limits: { cpu: '1x' } } }),
    'Pod default/web',
    'spec.resources.limits[cpu]: Invalid value: "1x": quantities',
  ],
  [
    pod({ overhead: { cpu: '1x' } }),
    'Pod default/web',
    'spec.overhead[cpu]: Invalid value: "1x": quantities',
  ],
  [pod({ priority: 'high' }), 'Pod default/web', 'spec.priority: Invalid value: "high": '],
  [
    pod({ tolerations: ['a=b:NoSchedule'] }),
    'Pod default/web',
    'spec.tolerations[0]: Invalid value: "a=b:NoSchedule": ',
  ],
  [pod({ nodeSelector: { a: 5 } }), 'Pod default/web', 'spec.nodeSelector[a]: Invalid value: 5: '],
  [pod({}, { labels: { a: 5 } }), 'Pod default/web', 'metadata.labels[a]: Invalid value: 5: '],
  [
    pod({}, { creationTimestamp: 'now' }),
    'Pod default/web',
    'metadata.creationTimestamp: Invalid value: "now": ',
  ],
  [
    object('Node', { status: { allocatable: { cpu: '1x' } } }),
    'Node x',
    'status.allocatable[cpu]: Invalid value: "1x": quantities',
  ],
  [
    object('Node', { spec: { taints: ['a=b:NoSchedule'] } }),
    'Node x',
    'spec.taints[0]: Invalid value: "a=b:NoSchedule": ',
  ],
  [
    object('PersistentVolumeClaim', { spec: { resources: { requests: { storage: '1x' } } } }),
    'PersistentVolumeClaim default/x',
    'spec.resources.requests[storage]: Invalid value: "1x": quantities',
  ],
  [
    object('PersistentVolume', { spec: { capacity: { storage: '1x' } } }),
    'PersistentVolume x',
    'spec.capacity[storage]: Invalid value: "1x": quantities',
  ],
]);

/** Values that the engine does not read. */
const NOT_READ = /** @type {typeof READ} */ ([
  [
    pod({ containers: [{ name: 'c', image: 'a', env: [{ name: 'A', value: 5 }] }] }),
    'Pod default/web',
    'spec.containers[0].env[0].value: Invalid value: 5: json: cannot unmarshal number into Go ',
  ],
  [
    object('Node', { status: { allocatable: {}, capacity: { cpu: '1x' } } }),
    'Node x',
    'status.capacity[cpu]: Invalid value: "1x": quantities',
  ],
  [
    object('ResourceQuota', { spec: { hard: { pods: '1x' } } }),
    'ResourceQuota default/x',
    'spec.hard[pods]: Invalid value: "1x": quantities',
  ],
  [
    object('LimitRange', { spec: { limits: [{ type: 'Container', default: { cpu: '1x' } }] } }),
    'LimitRange default/x',
    'spec.limits[0].default[cpu]: Invalid value: "1x": quantities',
  ],
  [
    object('PriorityClass', { value: 'x' }, 'scheduling.k8s.io/v1'),
    'PriorityClass x',
    'value: Invalid value: "x": json: cannot unmarshal string into Go ',
  ],
  [
    object(
      'RuntimeClass',
      { handler: 'h', overhead: { podFixed: { cpu: '1x' } } },
      'node.k8s.io/v1',
    ),
    'RuntimeClass x',
    'overhead.podFixed[cpu]: Invalid value: "1x": quantities',
  ],
]);

test('check and up name the field of a value that they refuse', async () => {
  for (const [value, who, words] of [...READ, ...NOT_READ]) {
    const path = await file('checked.json', value);
    const checked = await faultsOf(['check', '-f', path, '--cluster', cluster], path);
    assert.deepEqual([checked.code, checked.faults.length], [2, 1], checked.stderr);
    assert.ok(checked.faults[0].startsWith(`${who}: ${words}`), checked.stderr);
    const served = await faultsOf(['up', '-f', path, '--port', '0'], path);
    assert.deepEqual([served.code, served.faults.length], [2, 1], served.stderr);
    assert.ok(
      served.faults[0].startsWith(`${who.replace('default/', '')}: ${words}`),
      served.stderr,
    );
  }
});

test('a value that the engine refuses is an error, and not also a warning', async () => {
  for (const [value, who, words] of READ) {
    const path = await file('refused.json', value);
    const commands = { ...COMMANDS, ...(who.startsWith('Pod') && OF_PODS) };
    for (const [command, argv] of Object.entries(commands)) {
      const { code, stderr, faults } = await faultsOf([command, ...argv(path)], path);
      const about = `${command}: ${stderr}`;
      assert.equal(code, 2, about);
      assert.equal(faults.length, 1, about);
      assert.ok(faults[0].startsWith(`${who}: ${words}`), about);
      assert.doesNotMatch(stderr, /^warning: .*Invalid value/m, about);
    }
  }
});

test('a value that the engine does not read is a warning', async () => {
  for (const [value, who, words] of NOT_READ) {
    const path = await file('warned.json', value);
    const commands = { ...COMMANDS, ...(who.startsWith('Pod') && OF_PODS) };
    for (const [command, argv] of Object.entries(commands)) {
      const { code, stderr, faults } = await faultsOf([command, ...argv(path)], path);
      const about = `${command}: ${stderr}`;
      assert.notEqual(code, 2, about);
      assert.equal(faults.length, 1, about);
      assert.ok(faults[0].startsWith(`${who}: ${words}`), about);
    }
  }
});

test('a value in a template is reported once, about its pod or with its path', async () => {
  const path = await file('template.json', deployment(BAD_CONTAINERS, { replicas: 3 }));
  const inPod = /^Pod default\/web-[^:]*: spec\.containers\[0\]\.resources\.requests\[cpu\]: /;
  for (const [command, argv] of Object.entries({ ...COMMANDS, capacity: OF_PODS.capacity })) {
    const { code, stderr, faults } = await faultsOf([command, ...argv(path)], path);
    assert.deepEqual([code, faults.length], [2, 1], `${command}: ${stderr}`);
    assert.match(faults[0], inPod, command);
  }
  const strict = await faultsOf(['check', '-f', path, '--cluster', cluster], path);
  assert.equal(strict.faults.length, 1);
  const inTemplate = `Deployment default/web: spec.template.${RESOURCES}.requests[cpu]: `;
  assert.ok(strict.faults[0].startsWith(inTemplate), strict.faults[0]);
  // The engine gets no pod of it.
  const none = await file('none.json', deployment(BAD_CONTAINERS, { replicas: 0 }));
  const warned = await faultsOf(['simulate', none, cluster], none);
  assert.deepEqual([warned.code, warned.faults.length], [0, 1], warned.stderr);
  assert.ok(warned.faults[0].startsWith(inTemplate), warned.stderr);
});

test('a value in the template of a DaemonSet is reported once, for a node', async () => {
  const set = { ...deployment(BAD_CONTAINERS), kind: 'DaemonSet' };
  const path = await file('set.json', set);
  for (const command of ['simulate', 'whatif']) {
    const { code, stderr, faults } = await faultsOf([command, ...COMMANDS[command](path)], path);
    assert.deepEqual([code, faults.length], [2, 1], `${command}: ${stderr}`);
    assert.match(faults[0], /^Pod default\/web-a: spec\.containers\[0\]\.resources\./);
  }
});

test('capacity names the one of several pods that cannot be read', async () => {
  const fine = await file('fine.json', makePod('web'));
  const path = await file('second.json', makePod('web-2', { cpu: '1x' }));
  const argv = ['capacity', '-f', fine, '-f', path, '--cluster', cluster, '--ratio', '1:1'];
  const { code, stderr, faults } = await faultsOf(argv, path);
  assert.deepEqual([code, faults.length], [2, 1], stderr);
  assert.ok(faults[0].startsWith(`Pod default/web-2: ${RESOURCES}.requests[cpu]: `), stderr);
});

test('a count that is no number is an error alone', async () => {
  const containers = [{ name: 'c', image: 'a' }];
  const path = await file('count.json', deployment({ containers }, { replicas: '2x' }));
  const { stderr } = await runCli(['simulate', path, cluster, '-q']);
  const words = 'spec.replicas: a whole number from 0 to 200000 is expected, not "2x"';
  assert.match(stderr, /^error: .*: Deployment default\/web: /);
  assert.equal(stderr.split('\n').length, 2, stderr);
  assert.ok(stderr.includes(words), stderr);
});

test('of a cluster, the kinds that the engine does not read are warned about', async () => {
  const manifest = await file('manifest.json', makePod('p'));
  for (const [value, who, words] of NOT_READ) {
    const path = await file('part.json', value);
    const argv = ['check', '-f', manifest, '--cluster', cluster, '--cluster', path];
    const { code, stderr, faults } = await faultsOf(argv, path);
    assert.equal(code, 0, stderr);
    const isUnread = !/^(Pod|Node)/.test(who);
    assert.equal(faults.length, isUnread ? 1 : 0, stderr);
    if (isUnread) assert.ok(faults[0].includes(`: ${words}`), stderr);
    assert.doesNotMatch(stderr, /exceeded quota/);
  }
});

test('a value of a pool, or in a document of changes, is named in its file', async () => {
  const pool = await file('pool.json', object('Node', { status: { allocatable: { cpu: '1x' } } }));
  const planned = ['plan', '-f', trace, '--cluster', cluster, '--pool', pool];
  const { code, faults } = await faultsOf(planned, pool);
  assert.deepEqual([code, faults.length], [2, 1]);
  assert.match(faults[0], /^Node x: status\.allocatable\[cpu\]: Invalid value: "1x": /);
  const changes = await file('changes.json', {
    apiVersion: 'stowage/v1',
    kind: 'Changes',
    changes: [{ type: 'apply', object: using(WRONG) }],
  });
  const { stderr } = await runCli(['whatif', '-f', changes, cluster]);
  const start = `error: ${changes}: changes[0]: Pod default/web: ${RESOURCES}.requests[cpu]: `;
  assert.ok(stderr.startsWith(start), stderr);
});
