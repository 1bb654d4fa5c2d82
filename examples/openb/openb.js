/**
 * Passes the nodes and pods of a production GPU cluster to `stowage simulate` and summarizes the
 * result, because 8,152 pods are too many for a table.
 * Usage: node openb.js [default | gpuspec33] [--all-nodes]
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readNodes, readPods } from './convert.js';

/** @typedef {{ pod: string, node: string | null, result: string, message: string }} PodOutcome */
/** @typedef {{ pods: PodOutcome[], decisions: import('stowage').Decision[] }} Simulation */

const command = fileURLToPath(new URL('../../js/src/cli/stowage.js', import.meta.url));
const list = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'default';
const allNodes = fileURLToPath(new URL('all-nodes.yaml', import.meta.url));
const config = process.argv.includes('--all-nodes') ? ['--config', allNodes] : [];

const count = (/** @type {number} */ number) => Math.round(number).toLocaleString('en-US');
const [nodes, pods] = [readNodes(), readPods(list)];
console.log(`openb, ${list}: ${count(pods.length)} pods, ${count(nodes.length)} nodes`);
const simulation = await simulate({ apiVersion: 'v1', kind: 'List', items: [...nodes, ...pods] });
if (simulation) report(simulation);

/**
 * @param {object} cluster
 * @returns {Promise<Simulation | undefined>} undefined if the command failed and printed the reason
 */
async function simulate(cluster) {
  const args = ['simulate', '-', '-o', 'json', '--speed', ...config];
  const child = spawn(process.execPath, [command, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => {
    child.on('close', resolve);
  });
  child.stdin.end(JSON.stringify(cluster));
  const output = await child.stdout.setEncoding('utf8').toArray();
  const exitCode = Number(await ended);
  // Exit code 1 means that some pods stay pending.
  if (exitCode <= 1) return JSON.parse(output.join(''));
  process.exitCode = exitCode;
  return undefined;
}

/** @param {Simulation} simulation */
function report({ pods: outcomes, decisions }) {
  const pending = outcomes.filter(({ result }) => result !== 'Scheduled');
  const used = new Set(outcomes.flatMap(({ node }) => node ?? []));
  console.log(`placed  ${count(outcomes.length - pending.length)} on ${count(used.size)} nodes`);
  console.log(`pending ${count(pending.length)}`);
  const last = new Map(decisions.map((decision) => [decision.pod, decision]));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { pod } of pending) {
    const reasons = (last.get(pod)?.reasons ?? []).map(({ reason }) => reason);
    const text = [...new Set(reasons)].join(', ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  for (const [reasons, number] of [...counts].sort(([, a], [, b]) => b - a)) {
    console.log(`${count(number).padStart(7)}  ${reasons}`);
  }
  if (pending.length > 0) console.log(`such as ${pending[0].pod}: ${pending[0].message}`);
}
