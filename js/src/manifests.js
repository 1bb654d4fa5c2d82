/**
 * Manifests: text to objects, workloads to pods.
 * @module stowage/manifests
 */
export { podsOf } from './manifests/expand.js';
export { parse, positionOf } from './manifests/parse.js';
