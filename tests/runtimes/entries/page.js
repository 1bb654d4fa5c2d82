/** The contract in a page; the test reads `report`. */
import * as stowage from 'stowage';
import { contract } from './contract.js';
import { log } from './log.js';

/** @type {any} */ (globalThis).report = contract(stowage, log);
