/**
 * The contract in a module worker. It has no import maps, so it imports the package by its path.
 */
// @ts-expect-error where the package is once it is installed
import * as stowage from '../node_modules/stowage/js/dist/index.js';
import { contract } from './contract.js';
import { log } from './log.js';

contract(stowage, log).then(postMessage);
