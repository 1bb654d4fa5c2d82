/** The faults of the subpaths in a page that a bundler made; who opened it reads `report`. */
import { faultsOfSubpaths } from './subpaths.js';

/** @type {any} */ (globalThis).report = faultsOfSubpaths();
