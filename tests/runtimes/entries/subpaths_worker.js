/** The faults of the subpaths where requests are answered: workerd. */
import { faultsOfSubpaths } from './subpaths.js';

export default { fetch: async () => Response.json(await faultsOfSubpaths()) };
