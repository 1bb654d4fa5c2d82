/** Watches of nodes and pods with prepared bytes: the output of an API server without its cost. */
import { encodeLines } from '../support/raw_engine.js';
import { realisticPod, WORKLOADS } from './workloads.js';

/** The bytes of one read of a socket. */
const CHUNK = 64 << 10;
/** The number of pods that exist at a time, and of nodes. */
const PODS = 5000;
const NODES = 1000;
/** One in this many events is a node's; one in this many of those adds or removes a node. */
const NODE_EVENT = 10;
const NODE_CHANGE = 10;

const FIRST_VERSION = 1_000_000;

/**
 * The events of one resource.
 * @typedef {object} Watch
 * @property {Uint8Array} initial the initial objects and their bookmark
 * @property {Uint8Array[]} chunks the events that follow, cut anywhere
 * @property {string} last the resourceVersion after the last event
 */

/**
 * @param {number} events
 * @returns {{ nodes: Watch, pods: Watch, events: number, bytes: number }}
 */
export function prepareWatches(events) {
  const nodeEvents = Math.floor(events / NODE_EVENT);
  const nodes = watchOf({
    count: nodeEvents,
    initial: Array.from({ length: NODES }, (_, row) => nodeAt(row)),
    event: nodeEvent,
  });
  const pods = watchOf({
    count: events - nodeEvents,
    initial: Array.from({ length: PODS }, (_, at) => podAt(at)),
    event: podEvent,
  });
  const bytes = [...nodes.chunks, ...pods.chunks].reduce((sum, { length }) => sum + length, 0);
  return { nodes, pods, events, bytes };
}

/**
 * Serves them as an API server does. The events after the initial ones wait for `go`.
 * @param {{ nodes: Watch, pods: Watch }} watches
 */
export function serveWatches(watches) {
  let go = () => {};
  const started = new Promise((resolve) => void (go = () => resolve(undefined)));
  const fetch = async (/** @type {Request} */ { url }) => {
    const { pathname } = new URL(url);
    const resource = pathname.slice(pathname.lastIndexOf('/') + 1);
    const { initial, chunks } = watches[/** @type {'nodes' | 'pods'} */ (resource)];
    let next = -1;
    const stream = new ReadableStream({
      async pull(controller) {
        if (next === 0) await started;
        controller.enqueue(next < 0 ? initial : chunks[next]);
        next += 1;
        // The response stays open, as watches do.
        if (next === chunks.length) await new Promise(() => {});
      },
    });
    return new Response(stream, { headers: { 'Content-Type': 'application/json' } });
  };
  return { fetch, go };
}

/**
 * @param {{ count: number, initial: any[], event: (at: number) => { type: string, object: any } }}
 *   parts
 * @returns {Watch}
 */
function watchOf({ count, initial, event }) {
  const metadata = {
    resourceVersion: String(FIRST_VERSION),
    annotations: { 'k8s.io/initial-events-end': 'true' },
  };
  const { kind, apiVersion } = initial[0];
  const bookmark = { type: 'BOOKMARK', object: { kind, apiVersion, metadata } };
  const added = initial.map((object) => ({ type: 'ADDED', object }));
  const events = Array.from({ length: count }, (_, at) => versioned(event(at), at));
  const lines = encodeLines(events);
  const chunks = [];
  for (let from = 0; from < lines.length; from += CHUNK) {
    chunks.push(lines.slice(from, from + CHUNK));
  }
  const last = String(FIRST_VERSION + count);
  return { initial: encodeLines([...added, bookmark]), chunks, last };
}

/** @param {{ type: string, object: any }} event @param {number} at */
function versioned({ type, object }, at) {
  const resourceVersion = String(FIRST_VERSION + 1 + at);
  return { type, object: { ...object, metadata: { ...object.metadata, resourceVersion } } };
}

/** A pod is added, one changes, an old one is deleted. @param {number} at */
function podEvent(at) {
  const count = Math.floor(at / 3);
  const newest = PODS + count;
  if (at % 3 === 0) return { type: 'ADDED', object: podAt(newest) };
  if (at % 3 === 2) return { type: 'DELETED', object: podAt(count) };
  const pod = podAt(newest);
  const podIP = `10.0.${(newest >> 8) & 255}.${newest & 255}`;
  return { type: 'MODIFIED', object: { ...pod, status: { ...pod.status, podIP } } };
}

/** Nodes report their status; now and then one is added or removed. @param {number} at */
function nodeEvent(at) {
  const count = Math.floor(at / NODE_CHANGE);
  if (at % NODE_CHANGE !== 0) return { type: 'MODIFIED', object: nodeAt((at * 7) % NODES) };
  const row = NODES + Math.floor(count / 2);
  return { type: count % 2 === 0 ? 'ADDED' : 'DELETED', object: nodeAt(row) };
}

/** @param {number} count @returns {any} */
function podAt(count) {
  return realisticPod(count, { nodeName: `node-${count % NODES}` });
}

/** A node as its kubelet reports it, about 1.5 KB. @param {number} row @returns {any} */
function nodeAt(row) {
  const node = /** @type {any} */ (WORKLOADS['image-locality']('').node(row));
  const time = '2026-01-01T00:00:00Z';
  const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason: type === 'Ready' ? 'KubeletReady' : `KubeletHasNo${type}`,
  }));
  const addresses = [{ type: 'Hostname', address: node.metadata.name }];
  return { ...node, status: { ...node.status, conditions, addresses } };
}
