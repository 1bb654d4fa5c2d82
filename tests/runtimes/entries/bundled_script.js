/** The contract in a bundle for servers, which may be CommonJS and so has no top-level await. */
import * as stowage from 'stowage';
import { contract } from './contract.js';
import { log } from './log.js';

contract(stowage, log).then(
  (report) => console.log(JSON.stringify(report)),
  ({ name, message }) => console.log(JSON.stringify({ name, message })),
);
