/**
 * The first `apply` of a process, of a List as kubectl prints it: `first_apply_child.js bytes`, or
 * `objects`. Prints one JSON object.
 */
import { createScheduler } from 'stowage';

import { realisticPod, WORKLOADS } from './workloads.js';

const NODES = 1000;
const PODS = 10_000;

const { node } = WORKLOADS.basic('');
const nodes = Array.from({ length: NODES }, (_, row) => node(row));
const pods = Array.from({ length: PODS }, (_, count) =>
  realisticPod(count, { nodeName: `node-${count % NODES}` }),
);
const metadata = { resourceVersion: '' };
const list = { apiVersion: 'v1', items: [...nodes, ...pods], kind: 'List', metadata };
const bytes = new TextEncoder().encode(JSON.stringify(list, null, 4));
const scheduler = await createScheduler();

const begin = performance.now();
const { applied } = scheduler.apply(process.argv[2] === 'bytes' ? bytes : list);
const ms = performance.now() - begin;
if (applied !== NODES + PODS) throw new Error(`${applied} of ${NODES + PODS} objects were applied`);
console.log(JSON.stringify({ ms, bytes: bytes.length }));
