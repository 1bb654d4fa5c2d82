/** The live cluster in a page; the test reads `report`. */
import { liveCluster } from './live_cluster.js';

/** @type {any} */ (globalThis).report = liveCluster();
