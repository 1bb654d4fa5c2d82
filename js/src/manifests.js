/**
 * Manifests: text to objects, workloads to pods and claims.
 * @module stowage/manifests
 */
export { parseSingle, YAML_OPTIONS } from './documents/documents.js';
export { expand, podsOf } from './manifests/expand.js';
export { parse } from './manifests/parse.js';
export { positionOf } from './manifests/positions.js';

/** @typedef {import('./documents/documents.js').Step} Step */
