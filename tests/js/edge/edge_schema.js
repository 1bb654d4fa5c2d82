/** What a document of an edge handler must look like. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** @param {string} name in js/schema */
export function schemaFile(name) {
  return JSON.parse(readFileSync(new URL(`../../../js/schema/${name}`, import.meta.url), 'utf8'));
}

/** A checker of schemas that lets nothing pass unseen. */
export function strictAjv() {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv, ['date-time']);
  return ajv;
}

const ajv = strictAjv().addSchema(schemaFile('edge-v1.json'));

/** @param {any} document */
export function assertDocument(document) {
  const check = ajv.getSchema(`edge-v1.json#/$defs/${document.kind}`);
  assert.ok(check, `a schema of ${document.kind}`);
  check(document);
  assert.deepEqual(check.errors ?? [], [], JSON.stringify(document));
}
