/** A thread of a WorkerPool: opens the list of tasks, says so, and runs those that it is sent. */
import { Readable, Writable } from 'node:stream';
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { loadEngine } from '../../engine/engine.js';

/** @import { MessagePort } from 'node:worker_threads' */
/** @import { Host } from '../host.js' */
/** @import { Tasks } from './pool.js' */

const port = /** @type {MessagePort} */ (parentPort);
const messages = on(port, 'message');

/** Prints nothing: the first thread opens the same list, and warns. @returns {Host} */
function silentHost() {
  const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    stdin: Readable.from([]),
    stdout: silence(),
    stderr: silence(),
    env: process.env,
    loadEngine,
    loadConnections: () => import('../../node.js'),
    untilStopped: () => ({ signal: new AbortController().signal, release: () => {} }),
    playgroundFolder: '',
    openBrowser: async () => false,
  };
}

/** @type {import('./pool.js').TaskModule<unknown>} */
const { withTasks } = await import(workerData.module);
await withTasks(workerData.data, silentHost(), async (list) => {
  port.postMessage('open');
  for await (const [message] of messages) {
    const { from, to } = /** @type {Tasks} */ (message);
    const reports = [];
    for (let task = from; task < to; task += 1) {
      const report = await list.run(task, {});
      if (report) reports.push(report);
    }
    port.postMessage({ reports, count: to - from });
  }
  return 0;
});
