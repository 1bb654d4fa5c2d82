/** The contract in a runtime that answers requests: workerd. */
import * as stowage from 'stowage';
import { contract } from './contract.js';
import { log } from './log.js';

/** The available memory in pages of 64 KiB. */
const PAGES_MAX = 1024;

/** The smallest module. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

export default {
  /** @param {Request} request */
  async fetch({ url }) {
    if (new URL(url).pathname === '/limits') return Response.json(await refusals());
    return Response.json(await contract(stowage, log));
  },
};

/** Tries to compile code at run time, and to allocate too much memory. */
function refusals() {
  const attempts = [
    async () => new Function('return 1'),
    () => WebAssembly.compile(EMPTY),
    async () => new WebAssembly.Memory({ initial: PAGES_MAX + 1 }),
    async () => new WebAssembly.Memory({ initial: PAGES_MAX }),
  ];
  return Promise.all(attempts.map((attempt) => attempt().then(() => 'allowed', String)));
}
