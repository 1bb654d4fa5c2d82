import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApi } from '../../../js/src/edge/openapi.js';
import { edgeSchema } from '../../../js/src/edge/schema.js';
import { makePod } from '../support/objects.js';
import { AskedHandler } from './asked_handler.js';
import { schemaFile, strictAjv } from './edge_schema.js';

const MENDED_BY = 'node wasm/toolchain/edge_schema.js';

test('js/schema matches the code', () => {
  assert.deepEqual(schemaFile('edge-v1.json'), edgeSchema(), MENDED_BY);
  assert.deepEqual(schemaFile('edge-openapi.json'), openApi(), MENDED_BY);
});

test('the description is a valid OpenAPI document', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(openApi()));
  assert.deepEqual([valid, errors ?? []], [true, []]);
  assert.equal(validator.version, '3.1');
  const wrong = structuredClone(openApi());
  wrong.paths['/prescore'].post.responses = /** @type {any} */ ([]);
  assert.equal((await new Validator().validate(wrong)).valid, false);
});

test('all its schemas are valid, and are used', () => {
  const document = openApi();
  const ajv = strictAjv();
  ajv.addVocabulary(['openapi', 'info', 'servers', 'paths', 'components']);
  ajv.addSchema({ $id: 'openapi.json', ...document });
  for (const name of Object.keys(document.components.schemas)) {
    assert.ok(ajv.getSchema(`openapi.json#/components/schemas/${name}`), name);
    const isUsed = JSON.stringify(document).includes(`"#/components/schemas/${name}"`);
    assert.ok(isUsed, `${name} is used`);
  }
});

test('the schema tells its documents apart', () => {
  const check = strictAjv().compile(edgeSchema());
  const pod = makePod('web');
  const good = [
    { pod, cluster: 'eu-1' },
    { pod, cluster: 'eu-1', limit: 0, detail: 'total' },
    { pod, clusters: ['a', 'b'] },
    { apiVersion: 'stowage/v1', kind: 'ClusterRanking', clusters: [], unranked: [] },
  ];
  for (const document of good) assert.ok(check(document), JSON.stringify(check.errors));
  const bad = [
    {},
    { pod },
    { pod, cluster: '' },
    { pod, cluster: 'eu-1', limti: 1 },
    { pod, clusters: [] },
    { pod, clusters: ['a', 'a'] },
    { apiVersion: 'stowage/v1', kind: 'PreScore' },
  ];
  for (const document of bad) assert.equal(check(document), false, JSON.stringify(document));
});

test('every path and method of the description is served, and no other', async () => {
  const { paths } = openApi();
  const asked = new AskedHandler({ secret: 's' });
  for (const [path, item] of Object.entries(paths)) {
    const { status, headers } = await asked.ask('PATCH', path.replace('{name}', 'eu-1'));
    assert.equal(status, 405, path);
    const methods = Object.keys(item).filter((name) => name !== 'parameters');
    const heads = methods.includes('get') ? ['HEAD'] : [];
    const wanted = [...methods.map((name) => name.toUpperCase()), ...heads].join(', ');
    assert.equal(headers.get('Allow'), wanted, path);
  }
});
