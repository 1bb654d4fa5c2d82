/**
 * The openb trace as Kubernetes objects and as a sequence of events.
 * The mapping and the order of events are those of the recorded replays.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readText } from './read_text.js';

const NODES_FILE = 'openb_node_list_all_node.csv';

/**
 * @typedef {object} TraceEvent
 * @property {'create' | 'delete'} type
 * @property {number} seconds
 * @property {object} pod  the whole Pod object; the same object in both events of a pod
 */

/**
 * @param {string} directory contains the CSV files, plain or .gz
 * @param {string} list  'default', 'gpuspec33'
 * @returns {{nodes: object[], events: TraceEvent[]}}
 */
export function loadOpenb(directory, list) {
  return {
    nodes: readCsv(directory, NODES_FILE).map(nodeOf),
    events: eventsOf(readCsv(directory, `openb_pod_list_${list}.csv`)),
  };
}

/**
 * In lists without times all pods come at once, in the order of the list, and none is deleted.
 * @param {Record<string, string>[]} rows
 */
function eventsOf(rows) {
  const events = rows.flatMap((row) => {
    const pod = podOf(row);
    /** @type {TraceEvent[]} */
    const own = [{ type: 'create', seconds: secondsIn(row, 'creation_time') ?? 0, pod }];
    const deletion = secondsIn(row, 'deletion_time');
    if (deletion !== undefined) own.push({ type: 'delete', seconds: deletion, pod });
    return own;
  });
  // Deletions come first at equal times; otherwise the stable sort keeps the file's order.
  const rank = { delete: 0, create: 1 };
  return events.sort((a, b) => a.seconds - b.seconds || rank[a.type] - rank[b.type]);
}

/**
 * @param {Record<string, string>} row @param {string} column
 * @returns {number | undefined} undefined if the list has no time
 */
function secondsIn(row, column) {
  const text = row[column];
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  if (!Number.isFinite(seconds)) throw new Error(`pod ${row.name}: ${column} is "${text}"`);
  return seconds;
}

/** @param {Record<string, string>} row */
function nodeOf(row) {
  const resources = {
    cpu: `${row.cpu_milli}m`,
    memory: `${row.memory_mib}Mi`,
    pods: '110',
    ...(Number(row.gpu) > 0 && { 'nvidia.com/gpu': row.gpu }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: row.sn,
      uid: `uid-${row.sn}`,
      labels: {
        'kubernetes.io/hostname': row.sn,
        ...(row.model && { 'nvidia.com/gpu.product': row.model }),
      },
    },
    status: { allocatable: resources, capacity: resources },
  };
}

/** @param {Record<string, string>} row */
function podOf(row) {
  const gpus = row.num_gpu !== '' && row.num_gpu !== '0';
  const requests = {
    cpu: `${row.cpu_milli}m`,
    memory: `${row.memory_mib}Mi`,
    ...(gpus && { 'nvidia.com/gpu': row.num_gpu }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: row.name, namespace: 'default', uid: `uid-${row.name}` },
    spec: {
      schedulerName: 'default-scheduler',
      priority: 0,
      containers: [{ name: 'main', resources: { requests } }],
      ...(row.gpu_spec && { affinity: modelAffinity(row.gpu_spec.split('|')) }),
    },
  };
}

/** @param {string[]} values */
function modelAffinity(values) {
  const term = { matchExpressions: [{ key: 'nvidia.com/gpu.product', operator: 'In', values }] };
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
    },
  };
}

/** @param {string} directory @param {string} name */
function readCsv(directory, name) {
  const plain = join(directory, name);
  const [head, ...rows] = readText(existsSync(plain) ? plain : `${plain}.gz`)
    .trim()
    .split(/\r?\n/);
  const columns = head.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  });
}
