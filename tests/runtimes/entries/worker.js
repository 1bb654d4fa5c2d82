/** The contract where requests are answered: workerd. */
import * as stowage from 'stowage';
import { contract } from './contract.js';
import { log } from './log.js';

/** The smallest module. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

export default {
  /** @param {Request} request */
  async fetch({ url }) {
    if (new URL(url).pathname === '/compile') return Response.json(await refusals());
    return Response.json(await contract(stowage, log));
  },
};

/** What becomes of code that is made while it runs. */
function refusals() {
  const attempts = [async () => new Function('return 1'), () => WebAssembly.compile(EMPTY)];
  return Promise.all(attempts.map((attempt) => attempt().then(() => 'allowed', String)));
}
