/**
 * Writes the schemas of stowage/edge's protocol to js/schema: `node wasm/toolchain/edge_schema.js`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';

import { openApi } from '../../js/src/edge/openapi.js';
import { edgeSchema } from '../../js/src/edge/schema.js';
import { repository } from './paths.js';

for (const [name, document] of [
  ['edge-v1.json', edgeSchema()],
  ['edge-openapi.json', openApi()],
]) {
  const text = await format(JSON.stringify(document), { parser: 'json', printWidth: 100 });
  writeFileSync(join(repository, 'js/schema', String(name)), text);
}
