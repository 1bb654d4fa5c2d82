// Goal: shards survive that their processes are killed. Method: four processes at a time run the
// shards of one folder, and are killed after times by seed, until twenty have been.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Random } from '../../../sim/random.js';
import { failingCluster } from '../../support/failing_clusters.js';
import { makeFolder } from '../../support/folder.js';
import { makeList } from '../../support/objects.js';
import { commandPath } from '../../support/real_engine.js';
import { runCli } from '../../support/run_cli.js';

const { folder, file } = await makeFolder();
const cluster = await file('cluster.json', makeList(...failingCluster(7, { nodes: 24, pods: 50 })));
const QUESTION = [cluster, '--failures', 'nodes:1,zones:1,pairs', '-q'];
const RESULTS = join(folder, 'results');
const PROCESSES = 4;
const SHARDS = 8;
const KILLS = 20;

/** The latest a process is killed after its start: milliseconds; most are finished by then. */
const LATEST = 1_500;

/** Runs a shard in a process; killed if it takes longer than `patience`: milliseconds. */
async function runShard(/** @type {string} */ shard, /** @type {number} */ patience) {
  const argv = ['sweep', ...QUESTION, '--results', RESULTS, '--shard', shard];
  const child = spawn(process.execPath, [fileURLToPath(commandPath), ...argv], {
    stdio: 'ignore',
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  const [code, signal] = await once(child, 'exit');
  return signal === 'SIGKILL' ? 'killed' : code;
}

test('twenty kills at random change nothing of the merged result', async () => {
  const random = new Random(33);
  const todo = Array.from({ length: SHARDS }, (_, index) => `${index + 1}/${SHARDS}`);
  const finished = new Set();
  let kills = 0;
  const lane = async () => {
    while (kills < KILLS || todo.length > 0) {
      // Finished shards are begun again as long as processes are to be killed.
      const shard = todo.shift() ?? `${1 + random.below(SHARDS)}/${SHARDS}`;
      const outcome = await runShard(shard, kills < KILLS ? 1 + random.below(LATEST) : 0);
      if (outcome === 'killed') kills += 1;
      else assert.equal(outcome, 0);
      if (outcome === 0) finished.add(shard);
      else if (!finished.has(shard)) todo.push(shard);
    }
  };
  await Promise.all(Array.from({ length: PROCESSES }, lane));
  assert.ok(kills >= KILLS);
  assert.equal(finished.size, SHARDS);
  const results = (await readdir(RESULTS)).filter((name) => name.endsWith('.ndjson'));
  assert.equal(results.length, SHARDS);
  const merged = await runCli(['sweep', 'merge', RESULTS, '-o', 'json']);
  const whole = await runCli(['sweep', ...QUESTION, '-o', 'json']);
  assert.deepEqual([merged.code, merged.stdout], [whole.code, whole.stdout]);
  assert.equal(whole.code, 1, 'some failures leave pods pending');
});
