import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openRecording, readRecording } from '../../../../js/src/cli/input/recording.js';
import { makeFolder } from '../../support/folder.js';
import { makeDump } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { folder, file } = await makeFolder();
const cluster = await file('cluster.json', makeDump());

/** A log in the folder. @param {string} name */
async function recorded(name) {
  const path = join(folder, name);
  const { code } = await runCli(['simulate', cluster, '--record', path]);
  assert.equal(code, 1);
  return path;
}

test('a recording is replayed', async () => {
  const path = await recorded('run.ndjson');
  const text = await readFile(path, 'utf8');
  const { hash } = JSON.parse(
    text
      .trim()
      .split('\n')
      .findLast((line) => line.includes('"hash"')),
  );
  const { code, stdout, stderr } = await runCli(['replay', path, '--hash', '--inspect']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^equal: 2 decisions, 1 pods bound\n$/);
  const [first, ...rest] = stdout.split('\n');
  assert.equal(first, hash);
  const { queues, assumed, cache, hash: inspected } = JSON.parse(rest.join('\n'));
  assert.deepEqual(
    queues.unschedulable.map((/** @type {{ pod: string }} */ { pod }) => pod),
    ['default/big'],
  );
  assert.deepEqual([queues.active, queues.backoff, assumed], [[], [], []]);
  assert.deepEqual([cache, inspected], [{ nodes: 2, ghostNodes: 0, pods: 2 }, hash]);
  const piped = await runCli(['replay', '-', '-q'], { stdin: text });
  assert.deepEqual(piped, { code: 0, stdout: '', stderr: '' });
});

test('a compressed log is replayed', async () => {
  const packed = await recorded('run.ndjson.gz');
  const plain = await readFile(await recorded('same.ndjson'));
  assert.deepEqual(gunzipSync(await readFile(packed)), plain);
  assert.equal((await runCli(['replay', packed])).code, 0);
  assert.equal((await runCli(['replay', '-'], { stdin: gzipSync(plain) })).code, 0);
  const bytes = await readFile(packed);
  const cut = await file('cut.gz', bytes.subarray(0, bytes.length - 20));
  const cutOff = await runCli(['replay', cut]);
  assert.equal(cutOff.code, 2);
  assert.match(cutOff.stderr, /cut\.gz: line \d of the log: the line is cut off/);
  const [, line] = /line (\d)/.exec(cutOff.stderr);
  assert.equal((await runCli(['replay', cut, '--until', String(line - 1)])).code, 0);
  const broken = await file('broken.gz', bytes.fill(0xff, 20, 40));
  const { code, stderr } = await runCli(['replay', broken]);
  assert.equal(code, 2);
  assert.match(stderr, /broken\.gz: it cannot be unpacked: /);
});

test('a packed log is written as it grows, and read as it was written', async () => {
  const path = join(folder, 'long.ndjson.gz');
  const { log, close } = openRecording(path);
  const lines = Array.from({ length: 5000 }, (_, index) => `${'é'.repeat(500)} ${index}\n`);
  const sizes = lines.map((line) => {
    log(line);
    return statSync(path).size;
  });
  assert.deepEqual(new Set(sizes).size, 3, 'nothing, and two blocks');
  close();
  const text = lines.join('');
  assert.equal(gunzipSync(await readFile(path)).toString(), text);
  const pieces = [];
  for await (const piece of readRecording(path, {})) pieces.push(piece);
  assert.equal(Buffer.concat(pieces).toString(), text);
  assert.ok(Math.max(...pieces.map(({ length }) => length)) < text.length / 4);
});

const FULL = '/dev/full';

test('a full disk is a fault of the file', { skip: !existsSync(FULL) }, async () => {
  const plain = openRecording(FULL);
  assert.throws(() => plain.log('a line\n'), /^Error: \/dev\/full: it cannot be written: ENOSPC/);
  plain.close();
  const link = join(folder, 'full.gz');
  await symlink(FULL, link);
  const packed = openRecording(link);
  packed.log('a line\n');
  assert.throws(() => packed.close(), /full\.gz: it cannot be written: ENOSPC/);
  const { code, stdout, stderr } = await runCli(['simulate', cluster, '--record', FULL]);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^error: \/dev\/full: it cannot be written: ENOSPC[^\n]*\n$/);
});

test('standard input may come byte by byte', async () => {
  const plain = await readFile(await recorded('bytes.ndjson'));
  for (const bytes of [plain, gzipSync(plain)]) {
    const stdin = Readable.from([...bytes].map((byte) => Buffer.from([byte])));
    assert.equal((await runCli(['replay', '-'], { stdin })).code, 0);
  }
});

test('--until shows the state after a line', async () => {
  const path = await recorded('until.ndjson');
  const { code, stdout } = await runCli(['replay', path, '--until', '1', '--inspect']);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout).cache, { nodes: 0, ghostNodes: 0, pods: 0 });
});

test('a decision that differs is exit code 1 and reported', async () => {
  const path = await recorded('other.ndjson');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('\\"cpu\\":\\"2\\"', '\\"cpu\\":\\"1\\"'));
  const { code, stdout, stderr } = await runCli(['replay', path, '--hash']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    /other\.ndjson: line 3 of the log: the replay diverges, record 3: expected /,
  );
});

test('bad logs and command lines are exit code 2', async () => {
  const cases = [
    [['replay'], /replay needs one log/],
    [['replay', 'a', 'b'], /replay needs one log/],
    [['replay', 'a', '--until', '0'], /--until is the number of a line/],
    [['replay', 'a', '--until', 'x'], /--until is a whole number/],
    [['replay', 'a', '--config', 'x'], /unknown flag --config/],
    [['replay', join(folder, 'none')], /there is no such file/],
    [['replay', cluster], /cluster\.json: line 1 of the log: this is not the log of a scheduler/],
    [['replay', await file('cut', '{"kind":"Lo')], /cut: line 1 of the log: the line is cut off/],
    [['simulate', cluster, '--record', ''], /--record needs a file/],
    [['simulate', cluster, '--record', folder], /it cannot be written: /],
  ];
  for (const [argv, message] of cases) {
    const { code, stderr } = await runCli(argv);
    assert.equal(code, 2, argv.join(' '));
    assert.match(stderr, message);
  }
});

test('replay has a help page', async () => {
  for (const argv of [
    ['replay', '--help'],
    ['help', 'replay'],
  ]) {
    const { code, stdout } = await runCli(argv);
    assert.equal(code, 0);
    assert.match(stdout, /stowage replay LOG \[flags\]/);
  }
});
