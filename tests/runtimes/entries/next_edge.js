/** The contract in Next's edge runtime. */
import * as stowage from 'stowage';
import { contract } from './contract.js';
import { log } from './log.js';

/** @type {any} */ (globalThis).report = contract(stowage, log);
