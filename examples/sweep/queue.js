// Runs the shards of a sweep over BullMQ, for those who have a queue and no Kubernetes.
//   node queue.js add SHARDS [flags of stowage sweep]   once: puts the shards into the queue
//   node queue.js work                                  on each machine, until the queue is empty
// The flags are those of all shards, with --results in a folder that all machines share.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

const NAME = 'stowage-sweep';
const ATTEMPTS = 5;

/** The longest time for which a worker that was killed keeps its shard: milliseconds. */
const LOCK = Number(process.env.LOCK_MS ?? 30_000);

const manifest = createRequire(import.meta.url).resolve('stowage/package.json');
const stowage = join(manifest, '../js/src/cli/stowage.js');

/** BullMQ asks for connections that wait for the server without end. */
function connect() {
  const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
  return new Redis(url, { maxRetriesPerRequest: null });
}

/** @param {number} shards @param {string[]} flags */
async function add(shards, flags) {
  const connection = connect();
  const queue = new Queue(NAME, { connection });
  const jobs = Array.from({ length: shards }, (_, index) => {
    const shard = `${index + 1}/${shards}`;
    // Equal jobs are added once. A shard that is run twice is skipped the second time.
    const jobId = `shard-${index + 1}-of-${shards}`;
    return { name: shard, data: { shard, flags }, opts: { jobId, attempts: ATTEMPTS } };
  });
  await queue.addBulk(jobs);
  await queue.close();
  await connection.quit();
}

/** Takes shards until none is left, waiting or running. */
async function work() {
  const connection = connect();
  const queue = new Queue(NAME, { connection });
  const run = async (/** @type {any} */ { data }) => {
    const argv = [stowage, 'sweep', ...data.flags, '--shard', data.shard];
    const { stderr } = await promisify(execFile)(process.execPath, argv);
    process.stdout.write(stderr);
  };
  const options = { connection: connect(), lockDuration: LOCK, stalledInterval: LOCK };
  const worker = new Worker(NAME, run, { ...options, maxStalledCount: ATTEMPTS });
  await new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('failed', async (job, error) => {
      if (job && job.attemptsMade >= ATTEMPTS) reject(error);
    });
    const end = async () => {
      const { waiting, active, delayed } = await queue.getJobCounts('waiting', 'active', 'delayed');
      if (waiting + active + delayed === 0) resolve(undefined);
    };
    worker.on('completed', end);
    worker.on('drained', end);
  });
  await worker.close();
  await queue.close();
  await Promise.all([connection.quit(), options.connection.quit()]);
}

const [action, ...rest] = process.argv.slice(2);
if (action === 'add') await add(Number(rest[0]), rest.slice(1));
else await work();
