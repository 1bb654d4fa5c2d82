/**
 * The worker: one scheduler that answers messages, each on the port in the message. Workers do not
 * support import maps; with a bundler the import is `from 'stowage'`.
 */
// @ts-expect-error where npm install puts it
import { createScheduler, StowageError } from './node_modules/stowage/js/dist/index.js';

const ready = createScheduler();

/** @type {Record<string, (scheduler: import('stowage').Scheduler, question: any) => unknown>} */
const METHODS = {
  async schedule(scheduler, { objects }) {
    scheduler.apply(objects);
    return { decisions: await scheduler.schedule() };
  },
  evaluate: (scheduler, { pod, options }) => scheduler.evaluate(pod, options),
};

addEventListener('message', async ({ data, ports: [port] }) => {
  try {
    port.postMessage({ answer: await METHODS[data.method](await ready, data) });
  } catch (error) {
    const known =
      error instanceof StowageError ? error : new StowageError('Unknown', String(error));
    port.postMessage({ status: known.toStatus() });
  }
});
