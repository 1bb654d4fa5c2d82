/** The errors of the subpaths in a page built by a bundler; the test reads `report`. */
import { faultsOfSubpaths } from './subpaths.js';

/** @type {any} */ (globalThis).report = faultsOfSubpaths();
