// Goal: the files of examples/sweep work. Method: the Job is what the command prints; the queue
// runs on a Redis server of its own, with two workers, of which one is killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from '../../../../js/src/manifests.js';
import { failingCluster } from '../../support/failing_clusters.js';
import { makeFolder } from '../../support/folder.js';
import { makeList } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const example = new URL('../../../../examples/sweep/', import.meta.url);
const { folder, file } = await makeFolder();

/** The file of an example. @param {string} name */
const read = (name) => readFile(new URL(name, example), 'utf8');

test('the Job is what the README’s command prints, with the image of the Dockerfile', async () => {
  const [, command] = /^(stowage sweep job [^]*?) > /m.exec(await read('README.md')) ?? [];
  const argv = command.replaceAll('\\\n', ' ').split(/\s+/).slice(1);
  const { code, stdout } = await runCli(argv);
  assert.deepEqual([code, stdout], [0, await read('job.yaml')]);
  const { version } = JSON.parse(await readFile(new URL('../../package.json', example), 'utf8'));
  const { securityContext, containers } = /** @type {any} */ (parse(stdout)[1]).spec.template.spec;
  assert.equal(containers[0].image, `stowage:${version}`);
  const dockerfile = await read('Dockerfile');
  assert.match(dockerfile, new RegExp(`COPY stowage-${version}\\.tgz`));
  assert.match(dockerfile, new RegExp(`USER ${securityContext.runAsUser}:`));
});

/** @type {import('node:child_process').ChildProcess[]} */
const started = [];
after(() => started.forEach((child) => child.kill('SIGKILL')));

/** @param {string} program @param {string[]} argv @param {object} [env] */
function start(program, argv, env = {}) {
  const child = spawn(program, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return child;
}

/** A Redis server behind a socket in the folder, without files of its own. */
async function startRedis() {
  const socket = join(folder, 'redis.sock');
  const argv = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder];
  const server = start('redis-server', argv);
  for await (const line of /** @type {AsyncIterable<Buffer>} */ (server.stdout))
    if (line.includes('eady to accept connections')) break;
  return socket;
}

test('BullMQ runs the shards, although a worker is killed', async () => {
  const cluster = await file('cluster.json', makeList(...failingCluster(5)));
  const question = [cluster, '--failures', 'nodes:1,zones:1,pairs', '-q'];
  const results = join(folder, 'results');
  const env = { REDIS_URL: await startRedis(), LOCK_MS: '1000' };
  const queue = fileURLToPath(new URL('queue.js', example));
  const flags = [...question.filter((flag) => flag !== '-q'), '--results', results];
  const added = start(process.execPath, [queue, 'add', '6', ...flags], env);
  assert.deepEqual(await once(added, 'exit'), [0, null]);
  const [first, second] = [0, 1].map(() => start(process.execPath, [queue, 'work'], env));
  // It has run a shard, and has begun another one.
  const output = /** @type {import('node:stream').Readable} */ (first.stdout);
  await Promise.race([once(output, 'data'), once(first, 'exit')]);
  first.kill('SIGKILL');
  assert.deepEqual(await once(second, 'exit'), [0, null]);
  const merged = await runCli(['sweep', 'merge', results, '-o', 'json']);
  const whole = await runCli(['sweep', ...question, '-o', 'json']);
  assert.deepEqual([merged.code, merged.stdout], [whole.code, whole.stdout]);
});
