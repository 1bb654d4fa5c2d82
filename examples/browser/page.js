/** A page without a bundler: it reads a cluster from a file and shows the decisions. */
import { createScheduler, StowageError, whyNot } from 'stowage';

/** @param {string} id @returns {any} */
const element = (id) => document.getElementById(id);

/** @param {string} name @param {string} text */
function line(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}

/** @param {string | Uint8Array} cluster */
async function show(cluster) {
  const scheduler = await createScheduler();
  try {
    /** @type {string[]} */
    const faults = [];
    scheduler.apply(cluster, {
      // `onError` also receives kinds that no scheduler reads; they do no harm.
      onError: ({ code, message }) => code === 'UnknownKind' || faults.push(message),
    });
    const decisions = await scheduler.schedule();
    const placed = decisions.filter(({ node }) => node !== null);
    const summary = `${placed.length} of ${decisions.length} pods get a node`;
    element('summary').textContent = [summary, ...faults].join('; ');
    element('decisions').replaceChildren(
      ...decisions.flatMap(({ pod, node }) => {
        const answers = node === null ? reasons(scheduler, pod) : [node];
        return [line('dt', pod), ...answers.map((answer) => line('dd', answer))];
      }),
    );
  } finally {
    scheduler.dispose();
  }
}

/** @param {import('stowage').Scheduler} scheduler @param {string} pod */
function reasons(scheduler, pod) {
  const evaluation = scheduler.evaluate(pod, { detail: 'table' });
  return (evaluation.table?.nodes ?? []).map((node) => whyNot(evaluation, node));
}

/** @param {() => Promise<string | Uint8Array>} read */
async function load(read) {
  try {
    await show(await read());
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    element('summary').textContent = error.message;
  }
}

element('file').addEventListener('change', () => {
  const [file] = element('file').files;
  load(async () => new Uint8Array(await file.arrayBuffer()));
});
load(async () => (await fetch('cluster.json')).text());
