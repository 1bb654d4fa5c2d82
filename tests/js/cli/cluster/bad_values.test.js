// Goal: a value that cannot be read is reported once, with the file, the kind, the object and the
// field. Method: a table of values in objects of each kind, in each command that reads manifests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

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
]);

/** Classes that the engine does not read: a class, the pods that name it, and the field. */
const CLASSES = /** @type {[object, object, string, string][]} */ ([
  [
    object('PriorityClass', { value: 'high' }, 'scheduling.k8s.io/v1'),
    { priorityClassName: 'x' },
    'PriorityClass x',
    'value: Invalid value: "high": json: cannot unmarshal string into Go ',
  ],
  [
    object('PriorityClass', { value: 3_000_000_000 }, 'scheduling.k8s.io/v1'),
    { priorityClassName: 'x', priority: 7 },
    'PriorityClass x',
    'value: Invalid value: 3000000000: json: cannot unmarshal number 3000000000 into Go ',
  ],
  [
    object('PriorityClass', { value: 1, globalDefault: 'yes' }, 'scheduling.k8s.io/v1'),
    { priorityClassName: 'x' },
    'PriorityClass x',
    'globalDefault: Invalid value: "yes": json: cannot unmarshal string into Go ',
  ],
  [
    object(
      'RuntimeClass',
      { handler: 'h', overhead: { podFixed: { cpu: '1x' } } },
      'node.k8s.io/v1',
    ),
    { runtimeClassName: 'x', overhead: { cpu: '1' } },
    'RuntimeClass x',
    'overhead.podFixed[cpu]: Invalid value: "1x": quantities',
  ],
  [
    object(
      'RuntimeClass',
      { handler: 'h', scheduling: { tolerations: ['a=b:NoSchedule'] } },
      'node.k8s.io/v1',
    ),
    { runtimeClassName: 'x' },
    'RuntimeClass x',
    'scheduling.tolerations[0]: Invalid value: "a=b:NoSchedule": json: cannot unmarshal string ',
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

/** @param {string} command @param {object[]} objects */
async function classFaults(command, objects) {
  const path = await file('classes.json', makeList(...objects));
  const argv = {
    ...COMMANDS,
    ...OF_PODS,
    check: (/** @type {string} */ one) => ['-f', one, '--cluster', cluster],
    up: (/** @type {string} */ one) => ['-f', one, '--port', '0'],
  }[command];
  const { code, stderr, faults } = await faultsOf([command, ...(argv?.(path) ?? [])], path);
  return { code, stderr, faults, lines: stderr.split('\n').filter(Boolean) };
}

test('a value of a class is one error, and the pods of the class have none', async () => {
  const containers = [{ name: 'c', image: 'a' }];
  for (const [value, spec, who, words] of CLASSES) {
    const ofClass = { containers, ...spec };
    const pods = [pod(ofClass), makePod('second', { spec: ofClass })];
    const all = [...pods, value, deployment(ofClass, { replicas: 2 })];
    const commands = ['check', 'up', ...Object.keys(COMMANDS), 'explain', 'fix'];
    for (const command of commands) {
      for (const objects of [[value], all]) {
        const isEmpty = objects.length === 1 && ['explain', 'fix'].includes(command);
        if (isEmpty) continue;
        const { code, stderr, faults, lines } = await classFaults(command, objects);
        const about = `${command}: ${stderr}`;
        assert.equal(code, 2, about);
        assert.equal(faults.length, 1, about);
        assert.ok(faults[0].startsWith(`${who}: ${words}`), about);
        assert.equal(lines.filter((line) => /^(error|warning):/.test(line)).length, 1, about);
      }
    }
    const { code, lines } = await classFaults('capacity', [value, pod(ofClass)]);
    assert.deepEqual([code, lines.length], [2, 1], lines.join('\n'));
    assert.ok(lines[0].includes(`: ${who}: ${words}`), lines[0]);
  }
});

test('the pods of a class that is refused are not checked', async () => {
  const containers = [{ name: 'c', image: 'a' }];
  const foo = object(
    'PriorityClass',
    { value: 1, preemptionPolicy: 'Foo' },
    'scheduling.k8s.io/v1',
  );
  const cases = /** @type {[object, object, string][]} */ ([
    ...CLASSES.map(([value, spec, who, words]) => [value, spec, `${who}: ${words}`]),
    [
      foo,
      { priorityClassName: 'x' },
      'PriorityClass x: preemptionPolicy: Unsupported value: "Foo": supported values: ',
    ],
  ]);
  for (const [value, spec, words] of cases) {
    const ofClass = { containers, ...spec };
    const objects = [value, pod(ofClass), deployment(ofClass), makePod('other')];
    const path = await file('refused.json', makeList(...objects));
    const argv = ['check', '-f', path, '--cluster', cluster, '-o', 'json'];
    const { code, stdout, stderr } = await runCli(argv);
    assert.equal(code, 2, stderr);
    const { workloads, problems } = JSON.parse(stdout);
    const found = workloads.map((/** @type {any} */ one) => [one.kind, one.result]);
    assert.deepEqual(found, [
      ['Pod', 'NotChecked'],
      ['Deployment', 'NotChecked'],
      ['Pod', 'Fits'],
    ]);
    assert.ok(workloads[0].messages[0].message.startsWith(`cannot be read: ${words}`), stdout);
    assert.equal(problems.length, 1, stdout);
    assert.doesNotMatch(stderr, /has no|lacks/);
  }
});

test('a refused class that the cluster has is that of the cluster', async () => {
  const [[value, , who]] = CLASSES;
  const stored = { ...value, metadata: { name: 'x', uid: 'u' }, value: 5 };
  const own = await file('own.json', makeList(makeNode('a'), stored));
  const containers = [{ name: 'c', image: 'a' }];
  const path = await file(
    'again.json',
    makeList(value, pod({ containers, priorityClassName: 'x' })),
  );
  const { code, stdout, stderr } = await runCli(['check', '-f', path, '--cluster', own]);
  assert.equal(code, 2);
  assert.match(stdout, /Fits/);
  assert.ok(stderr.includes(`: ${who}: value: Invalid value: "high": `), stderr);
});

test('a class of the cluster with a value that cannot be read is an error', async () => {
  const manifest = await file('manifest.json', makePod('p'));
  for (const [value, , who, words] of CLASSES) {
    const path = await file('part.json', value);
    const argv = ['check', '-f', manifest, '--cluster', cluster, '--cluster', path];
    const { code, stderr, faults } = await faultsOf(argv, path);
    assert.deepEqual([code, faults.length], [2, 1], stderr);
    assert.ok(faults[0].startsWith(`${who}: ${words}`), stderr);
  }
});

test('a value of a class in a document of changes is one error', async () => {
  const containers = [{ name: 'c', image: 'a' }];
  for (const [value, spec, who, words] of CLASSES) {
    const objects = [value, pod({ containers, ...spec })];
    const changes = await file('changes.json', {
      apiVersion: 'stowage/v1',
      kind: 'Changes',
      changes: objects.map((one) => ({ type: 'apply', object: one })),
    });
    const { code, stderr } = await runCli(['whatif', '-f', changes, cluster]);
    assert.deepEqual([code, stderr.split('\n').length], [2, 2], stderr);
    assert.ok(stderr.startsWith(`error: ${changes}: changes[0]: ${who}: ${words}`), stderr);
  }
});

test('an integer that JavaScript would round is refused with the limit', async () => {
  const limit = 'integers beyond 9007199254740991 are not supported';
  const manifest = (/** @type {object} */ spec, memory = '1') =>
    JSON.stringify({ ...makePod('web'), spec: { ...makePod('web').spec, ...spec } })
      .replace(/"(\d{16,})"/g, '$1')
      .replace('"cpu":"1"', `"cpu":"1","memory":${memory}`);
  const largest = '9223372036854775807';
  const toleration = {
    key: 'k',
    effect: 'NoExecute',
    operator: 'Exists',
    tolerationSeconds: largest,
  };
  const json = manifest({ tolerations: [toleration] });
  const field = 'Pod default/web: spec.tolerations[0].tolerationSeconds: Invalid value: ';
  for (const [name, text, shown] of [
    ['large.yaml', `---\n${json}`, largest],
    ['large.json', json, '9223372036854776000'],
  ]) {
    const path = await file(name, text);
    for (const [command, argvOf] of Object.entries(COMMANDS)) {
      const { code, faults } = await faultsOf([command, ...argvOf(path)], path);
      assert.deepEqual([code, faults], [2, [`${field}${shown}: ${limit}`]], `${command} ${name}`);
    }
  }
  const taken = await file('quantity.yaml', `---\n${manifest({}, largest)}`);
  assert.deepEqual((await faultsOf(['simulate', taken, cluster], taken)).faults, []);
});
