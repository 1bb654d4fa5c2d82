/**
 * Prescoring at the edge: a snapshot of a cluster in, ranked nodes and clusters out, over HTTP.
 * @module stowage/edge
 */
export { createEdgeHandler } from './edge/edge_handler.js';
export { memorySnapshots } from './edge/memory_snapshots.js';
export { urlSnapshots } from './edge/url_snapshots.js';

/** @typedef {import('./edge/edge_handler.js').EdgeHandler} EdgeHandler */
/** @typedef {import('./edge/edge_options.js').EdgeHandlerOptions} EdgeHandlerOptions */
/** @typedef {import('./edge/edge_options.js').EdgeLimits} EdgeLimits */
/** @typedef {import('./edge/snapshot_store.js').SnapshotStore} SnapshotStore */
/** @typedef {import('./edge/snapshot_store.js').SnapshotText} SnapshotText */
/** @typedef {import('./edge/snapshot_store.js').StoredSnapshot} StoredSnapshot */
/** @typedef {import('./edge/documents.js').SnapshotReference} SnapshotReference */
/** @typedef {import('./edge/documents.js').SnapshotDocument} SnapshotDocument */
/** @typedef {import('./edge/documents.js').PreScore} PreScore */
/** @typedef {import('./edge/documents.js').ClusterRanking} ClusterRanking */
