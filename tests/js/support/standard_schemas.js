/** Whether documents are what their standards say. */
import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { validateXML } from 'xmllint-wasm';

const schemas = new URL('../../support/schemas/', import.meta.url);

/**
 * @param {unknown} document
 * @returns {Promise<string[]>} what is wrong with it as SARIF 2.1.0
 */
export async function sarifErrors(document) {
  const schema = JSON.parse(await readFile(new URL('sarif-2.1.0.json', schemas), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/**
 * @param {string} xml
 * @returns {Promise<string[]>} what is wrong with it as the JUnit XML that Jenkins reads
 */
export async function junitErrors(xml) {
  const contents = await readFile(new URL('jenkins-junit.xsd', schemas), 'utf8');
  const schema = { fileName: 'jenkins-junit.xsd', contents };
  const { errors } = await validateXML({ xml: { fileName: 'junit.xml', contents: xml }, schema });
  return errors.map(({ message }) => message);
}
