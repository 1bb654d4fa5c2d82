/** The errors of the subpaths in a runtime that answers requests: workerd. */
import { faultsOfSubpaths } from './subpaths.js';

export default { fetch: async () => Response.json(await faultsOfSubpaths()) };
