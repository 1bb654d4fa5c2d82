/** The errors of the subpaths in runtimes that run scripts: Node, Deno, Bun. */
import { faultsOfSubpaths } from './subpaths.js';

console.log(JSON.stringify(await faultsOfSubpaths()));
