/** The contract in runtimes that run scripts: Node, Deno, Bun. */
import * as stowage from 'stowage';
import { contract } from './contract.js';
import { log } from './log.js';

console.log(JSON.stringify(await contract(stowage, log)));
