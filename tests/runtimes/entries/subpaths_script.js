/** The faults of the subpaths where scripts print: Node, Deno, Bun. */
import { faultsOfSubpaths } from './subpaths.js';

console.log(JSON.stringify(await faultsOfSubpaths()));
