/**
 * Places the pods of a production GPU cluster all at once and says who finds no room, and why.
 * Usage: node openb.js [default | gpuspec33] [--all-nodes]
 */
import { createScheduler } from 'stowage';
import { readNodes, readPods } from './convert.js';

const list = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'default';
const allNodes = process.argv.includes('--all-nodes');
const configuration = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  ...(allNodes && { percentageOfNodesToScore: 100 }),
};

const count = (/** @type {number} */ number) => Math.round(number).toLocaleString('en-US');
const [nodes, pods] = [readNodes(), readPods(list)];
const searched = allNodes ? 'all nodes scored' : 'default sampling';
console.log(
  `openb, ${list}: ${count(pods.length)} pods, ${count(nodes.length)} nodes, ${searched}`,
);

const scheduler = await createScheduler({ configuration });
try {
  const start = performance.now();
  scheduler.apply([...nodes, ...pods]);
  const applied = performance.now();
  const decisions = await scheduler.schedule();
  const end = performance.now();
  report(decisions);
  console.log(`read    ${count(applied - start)} ms`);
  const perSecond = decisions.length / ((end - applied) / 1000);
  console.log(`decided ${count(end - applied)} ms, ${count(perSecond)} decisions/s`);
} finally {
  scheduler.dispose();
}

/** @param {import('stowage').Decision[]} decisions */
function report(decisions) {
  const pending = decisions.filter(({ node }) => node === null);
  const used = new Set(decisions.flatMap(({ node }) => node ?? []));
  console.log(`placed  ${count(decisions.length - pending.length)} on ${count(used.size)} nodes`);
  console.log(`pending ${count(pending.length)}`);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const decision of pending) {
    const reasons = reasonsOf(decision);
    counts.set(reasons, (counts.get(reasons) ?? 0) + 1);
  }
  for (const [reasons, pods] of [...counts].sort(([, a], [, b]) => b - a)) {
    console.log(`${count(pods).padStart(7)}  ${reasons}`);
  }
  if (pending.length > 0) console.log(`such as ${pending[0].pod}: ${pending[0].message}`);
}

/** @param {import('stowage').Decision} decision */
function reasonsOf({ reasons = [] }) {
  return [...new Set(reasons.map(({ reason }) => reason))].join(', ');
}
