/**
 * Manifests of real drivers, in the folder `../shared/data/dra` beside the project. They are read
 * in place. Without the folder, tests of them are skipped.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { parse } from '../../js/src/manifests.js';

/** @import { InputError, KubernetesObject } from '../../js/src/index.js' */

const FOLDER = '../shared/data/dra';
const ROOT = new URL(`../../${FOLDER}/`, import.meta.url);

/** Options of a test that reads the folder. @type {{ skip: string | false }} */
export const NEEDS_SHARED_DATA = Object.freeze({
  skip: existsSync(ROOT) ? false : `needs the folder ${FOLDER} beside the project`,
});

/** The paths of all manifests, sorted. @returns {string[]} */
export function manifestPaths() {
  return readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .sort();
}

/** @param {string} path @returns {string} */
function readText(path) {
  return readFileSync(fileURLToPath(new URL(path.replaceAll('+', '%2B'), ROOT)), 'utf8');
}

/**
 * The objects of a manifest, complete as the API server would store them.
 *
 * @param {string} path
 * @param {(error: InputError) => void} [onError]
 * @returns {KubernetesObject[]}
 */
export function readManifest(path, onError) {
  const objects = parse(readText(path), onError && { onError });
  return objects.map((object) => stored(object, path));
}

/** They are completed where their pods are created. */
const WORKLOADS = ['Deployment', 'Pod'];

const CLUSTER_SCOPED = ['DeviceClass', 'DeviceTaintRule', 'Namespace', 'ResourceSlice'];

/** @param {any} object @param {string} path */
function stored(object, path) {
  const { metadata = {}, kind } = object;
  const namespace = CLUSTER_SCOPED.includes(kind)
    ? {}
    : { namespace: metadata.namespace ?? 'default' };
  const uid = WORKLOADS.includes(kind) ? {} : { uid: `${path} ${kind} ${metadata.name}` };
  return { ...object, metadata: { ...uid, ...metadata, ...namespace } };
}

/** The lines of the file of expressions. @returns {string[]} */
export function expressionLines() {
  return readText('cel-expressions.txt')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/**
 * The expression in a line. Lines come from manifests, templates and documentation: some are
 * quoted, some are comments, and some are parts of an expression of several lines.
 *
 * @param {string} line
 * @returns {string}
 */
export function expressionIn(line) {
  const [, quoted] = /`([^`]*)`/.exec(line) ?? [];
  let text = (quoted ?? line).replace(/^#\s*expression:/, '').trim();
  const isWhole = /^(["']).*\1$/.test(text);
  if (isWhole) text = text.slice(1, -1);
  text = text.replace(/\s*(&&|\|\||\bin)$/, '');
  const surplus = count(text, '(') - count(text, ')');
  if (surplus > 0) return text.slice(surplus);
  return surplus < 0 ? text.slice(0, surplus) : text;
}

/** @param {string} text @param {string} mark */
function count(text, mark) {
  return text.split(mark).length - 1;
}
