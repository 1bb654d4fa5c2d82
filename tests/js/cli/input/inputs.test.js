// Goal: what people have is read, whatever wrote it: the dump of a cluster, a support bundle,
// packed files; and what is no object is no answer. Method: the same cluster in every form has the
// same answer.
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { withoutLogs } from '../../../../js/src/cli/input/cluster_dump.js';
import { unpacked } from '../../../../js/src/cli/input/unpacked.js';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { makeDump, makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { folder, file } = await makeFolder();
const DUMP = fileURLToPath(new URL('cluster_info_dump/', import.meta.url));
const dump = await readFile(join(DUMP, 'dump.txt'), 'utf8');
const LOG = /^==== START logs[^]*==== END logs[^\n]*\n/m;

/** @param {string[]} argv @param {object} [options] */
async function simulated(argv, options) {
  const { code, stdout, stderr } = await runCli(['simulate', ...argv, '-q'], options);
  return { code, stdout, stderr };
}

test('the dump of a cluster: as text, packed, in YAML, in UTF-16, as a directory', async () => {
  const expected = await simulated(['-'], { stdin: dump.replace(LOG, '') });
  assert.match(expected.stdout, /^shop +\S+ +\S+ +Scheduled/m);
  const section = LOG.exec(dump)?.[0] ?? '';
  const yaml = parse(dump.replace(LOG, ''))
    .map((object) => stringify(object))
    .join('---\n');
  await cp(join(DUMP, 'dir'), join(folder, 'dir'), { recursive: true });
  await mkdir(join(folder, 'dir/shop/web-5c9-aaaaa'));
  await writeFile(join(folder, 'dir/shop/web-5c9-aaaaa/logs.txt'), section);
  /** @type {[string, string | Uint8Array][]} */
  const texts = [
    ['as it is', dump],
    ['packed', gzipSync(dump)],
    ['in UTF-16', Buffer.from(`\ufeff${dump.replaceAll('\n', '\r\n')}`, 'utf16le')],
    ['in YAML', `${yaml}${section}`],
    ['a log between two documents', `${yaml}${section}---\nkind: PodList\nitems: []\n`],
    ['a log without an end of its line', dump.replace('started\n', 'started')],
    ['an empty log', dump.replace('started\n', '')],
  ];
  for (const [name, stdin] of texts)
    assert.deepEqual(await simulated(['-'], { stdin }), expected, name);
  // Files give the pods in another order, in which the scheduler decides them.
  const sorted = (/** @type {Awaited<ReturnType<typeof simulated>>} */ { stdout, ...result }) => ({
    ...result,
    lines: stdout.split('\n').sort(),
  });
  for (const argv of [[join(folder, 'dir')], ['-R', join(folder, 'dir')]])
    assert.deepEqual(sorted(await simulated(argv)), sorted(expected), argv.join(' '));
});

test('a log holds anything, and lines behind it keep their numbers', async () => {
  const [container, other] = ['c of pod shop/p', 'd of pod shop/p'];
  const start = (name) => `==== START logs for container ${name} ====\n`;
  const end = (name) => `==== END logs for container ${name} ====\n`;
  const bytes = Buffer.concat([
    Buffer.from(`${JSON.stringify(makeList(makeNode('a')))}\n${start(container)}`),
    Buffer.from([0xff, 0x00, 0x0a]),
    Buffer.from(`{"kind": "Pod"}\n${start(other)}${end(other)}${end(container)}`),
    Buffer.from(JSON.stringify(makePod('bad', { cpu: '1x' }))),
  ]);
  const { code, stderr } = await simulated(['-'], { stdin: bytes });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^error: standard input: document 2, line 8, column \d+: Pod default\/bad: /m,
  );
  const kept = Buffer.from('{"a": "==== START logs for container x"}');
  assert.equal(withoutLogs(kept), kept, 'no line of its own');
  const cutOff = await simulated(['-'], { stdin: `{}\n${start(container)}text` });
  assert.equal(cutOff.code, 2);
  assert.match(
    cutOff.stderr,
    /^error: standard input: line 2: the log that begins here has no end/,
  );
});

test('packed files are read wherever files are', async () => {
  const cluster = await file('packed/cluster.json.gz', gzipSync(JSON.stringify(makeDump())));
  const web = await file(
    'web.yaml.gz',
    gzipSync(
      'kind: Pod\napiVersion: v1\nmetadata: {name: w}\nspec: {containers: [{name: c, image: a}]}\n',
    ),
  );
  const config = await file(
    'config.yaml.gz',
    gzipSync(
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n' +
        'profiles: [{schedulerName: other}]\n',
    ),
  );
  const plain = await simulated(['-'], { stdin: JSON.stringify(makeDump()) });
  for (const argv of [[cluster], ['-f', cluster], [join(folder, 'packed')]])
    assert.deepEqual(await simulated(argv), plain, argv.join(' '));
  const checked = await runCli(['check', web, '--cluster', cluster, '-o', 'github']);
  assert.deepEqual([checked.code, checked.stdout], [0, '']);
  const other = await runCli(['simulate', cluster, '--config', config, '-o', 'json']);
  assert.equal(JSON.parse(other.stdout).leftAlone.length, 2);
});

test('files that cannot be unpacked, or are too large, are reported', async () => {
  const packed = gzipSync(JSON.stringify(makeDump()));
  const archive = Buffer.alloc(1024);
  archive.write('ustar', 257);
  for (const [content, expected] of [
    [packed.subarray(0, 40), /half\.gz: it cannot be unpacked: unexpected end of file\n/],
    [gzipSync(archive), /half\.gz: this is a tar archive: unpack it/],
    [archive, /half\.gz: this is a tar archive: unpack it/],
  ]) {
    const path = await file('half.gz', content);
    const { code, stderr } = await simulated([path]);
    assert.equal(code, 2);
    assert.match(stderr, expected);
  }
  const zeros = gzipSync(Buffer.alloc(100_000));
  await assert.rejects(unpacked(zeros, { limit: 99_999 }), {
    code: 'TooLarge',
    message: 'limit is 99999 bytes when unpacked',
  });
  await assert.rejects(unpacked(Buffer.alloc(11), { limit: 10 }), { code: 'TooLarge' });
  assert.equal((await unpacked(zeros, { limit: 100_000 })).length, 100_000);
});

test('of a support bundle files without an object are passed over, and counted', async () => {
  await file('bundle/nodes.json', makeList(makeNode('a')));
  await file('bundle/pods/default.json', makeList(makePod('p')));
  const others = {
    'version.json': '{"major": "1"}',
    'errors.json': '["pods is forbidden"]',
    'broken.yaml': 'a: [',
    'text.json': 'no such host',
    'binary.json': new Uint8Array([0xff, 0xff]),
    'table.yaml': 'NAME   READY   STATUS\nweb    1/1     Running\n',
    'empty.yaml': '',
  };
  for (const [name, content] of Object.entries(others)) await file(`bundle/a/${name}`, content);
  const argv = ['-R', join(folder, 'bundle')];
  const strict = await simulated(argv);
  assert.equal(strict.code, 2);
  assert.equal(strict.stderr.match(/^error: /gm)?.length, 6);
  const { code, stdout, stderr } = await simulated([...argv, '--skip-invalid']);
  assert.deepEqual([code, stdout.split('\n').length], [0, 3]);
  assert.match(stderr, /^warning: skipped: 7 files hold no object: \S+, \S+, \S+ and 4 more\n$/);
});

test('--skip-invalid skips neither faults within objects nor missing files', async () => {
  await file('partly/a.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n---\nkind: [');
  const argv = [join(folder, 'partly'), join(folder, 'missing.json'), '--skip-invalid'];
  const { code, stderr } = await simulated(argv);
  assert.equal(code, 2);
  assert.match(stderr, /missing\.json: there is no such file\n/);
  assert.match(stderr, /a\.yaml: document 2, line 5/);
  const nothing = await file('nothing/a.json', '{"major": 1}');
  const all = await simulated([nothing, '--skip-invalid']);
  assert.equal(all.code, 2);
  assert.match(all.stderr, /a\.json: there is no object in it; --allow-empty takes that\n/);
});

test('no object at all is exit code 2, unless that may be', async () => {
  const cluster = await file('cluster.json', makeDump());
  const texts = ['', '\n---\n# nothing\n', 'null', JSON.stringify(makeList()), '[]', '---\n---\n'];
  texts.push('{"kind":"PodList","apiVersion":"v1","items":null}');
  for (const stdin of texts) {
    for (const argv of [
      ['simulate', '-'],
      ['check', '-', '--cluster', cluster],
      ['snapshot', '-'],
    ]) {
      const { code, stderr } = await runCli(argv, { stdin });
      assert.equal(code, 2, `${argv} ${stdin}`);
      assert.match(stderr, /error: standard input: there is no object in it; --allow-empty/);
      assert.equal((await runCli([...argv, '--allow-empty'], { stdin })).code, 0);
    }
    const json = ['check', '-', '--cluster', cluster, '-o', 'json'];
    const { fits, problems } = JSON.parse((await runCli(json, { stdin })).stdout);
    assert.deepEqual([fits, problems[0].code], [false, 'NoObject']);
  }
  const partly = await runCli(['simulate', '-', cluster], { stdin: '' });
  assert.equal(partly.code, 1, 'one of several files may be empty');
});

test('kubectl’s table output gets a hint', async () => {
  const texts = [
    [
      'NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          5m\n',
      /a table/,
    ],
    ['NAMESPACE   NAME\nshop        web\n', /a table/],
    ['LAST SEEN   TYPE      REASON\n5m   Warning   FailedScheduling\n', /a table/],
    ['NAME   CPU(cores)   CPU(%)   MEMORY(bytes)\na   1m   0%   5Mi\n', /a table/],
    [
      'Name:             web-0\nNamespace:        shop\nNode:  <none>\n',
      /the output of kubectl describe/,
    ],
    ['\nName:               a\nRoles:              <none>\n', /the output of kubectl describe/],
    ['pod/web-0\npod/web-1\n', /a list of names/],
    ['deployment.apps/web created\n', /a list of names/],
    ['web-0   1/1   Running   0   5m\nweb-1   1/1   Running   0   5m\n', /an object is expected/],
    ['No resources found in default namespace.\n', /an object is expected/],
  ];
  for (const [stdin, expected] of texts) {
    const { code, stderr } = await runCli(['simulate', '-', '-q'], { stdin });
    assert.equal(code, 2, stdin);
    assert.match(stderr, expected);
    assert.match(stderr, /kubectl prints objects with -o json\n$/);
  }
  const manifest = '# web\nkind: Pod\napiVersion: v1\nmetadata: {name: NAME}\n';
  assert.equal(
    (await runCli(['simulate', '-'], { stdin: manifest })).stderr.includes('-o json'),
    false,
  );
});

test('each of several joined files may begin with a byte order mark', async () => {
  const texts = [makeNode('a'), makePod('p'), makePod('q')].map((one) => stringify(one));
  const expected = await simulated(['-'], { stdin: texts.join('---\n') });
  assert.match(expected.stdout, /default +q +a +Scheduled/);
  for (const separator of ['---\n\ufeff', '\ufeff---\n', '\ufeff---\r\n\ufeff'])
    assert.deepEqual(await simulated(['-'], { stdin: `\ufeff${texts.join(separator)}` }), expected);
});

test('a template that is no YAML is to be rendered first', async () => {
  const templates = [
    '{{- if .Values.on }}\napiVersion: v1\nkind: Pod\n{{- end }}\n',
    'metadata:\n  labels:\n    {{- include "x.labels" . | nindent 4 }}\n',
  ];
  for (const stdin of templates) {
    const { code, stderr } = await simulated(['-'], { stdin });
    assert.equal(code, 2);
    assert.match(stderr, /render a template with \{\{ \}\} first, as "helm template" does\n$/);
  }
  const broken = await simulated(['-'], { stdin: 'kind: [' });
  assert.doesNotMatch(broken.stderr, /template/);
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "{{ x }}"}\n';
  assert.deepEqual(await simulated(['-'], { stdin: text }), { code: 0, stdout: '', stderr: '' });
});

test('standard input is read for one argument', async () => {
  const stdin = JSON.stringify(makeList(makeNode('a'), makePod('p')));
  const [cluster, node] = [
    await file('once.json', makeList(makeNode('a'))),
    await file('pool.json', makeNode('pool')),
  ];
  for (const argv of [
    ['simulate', '-', '-'],
    ['check', '--cluster', '-', '-f', '-'],
    ['whatif', '--cluster', '-', '--apply', '-'],
    ['whatif', '--cluster', cluster, '--apply', '-', '--apply', '-'],
    ['capacity', '--cluster', '-', '-f', '-'],
    ['explain', 'p', '-', '-'],
    ['plan', '--pool', node, '--cluster', '-', '-f', '-'],
    ['snapshot', '-', '-'],
  ]) {
    const { code, stderr } = await runCli(argv, { stdin });
    assert.equal(code, 2, argv.join(' '));
    assert.match(stderr, /^error: standard input: it cannot be used for multiple arguments/m);
  }
});
