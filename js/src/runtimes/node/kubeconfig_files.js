/**
 * Finds and merges kubeconfig files. Source: client-go/tools/clientcmd/loader.go, v1.36, and
 * "Organizing Cluster Access Using kubeconfig Files".
 */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { KubeconfigError } from './kubeconfig_error.js';
import { Fields } from './kubeconfig_fields.js';

/** @typedef {Record<string, string | undefined>} Environment */

/**
 * Several files merged: for each name, and for the current context, the first value counts.
 * @typedef {object} Kubeconfig
 * @property {string} currentContext
 * @property {Map<string, Fields>} contexts
 * @property {Map<string, Fields>} clusters
 * @property {Map<string, Fields>} users
 */

/** The entries of a file, by the name of their list. */
const LISTS = /** @type {const} */ ({ contexts: 'context', clusters: 'cluster', users: 'user' });

/**
 * @param {string | undefined} path the only file, which must exist. Default: those of `KUBECONFIG`,
 *   or `~/.kube/config`, without missing files
 * @param {Environment} env
 * @returns {Promise<Kubeconfig>}
 * @throws {KubeconfigError}
 */
export async function readKubeconfig(path, env) {
  const paths = path === undefined ? pathsFrom(env) : [path];
  const files = await Promise.all(paths.map((file) => readConfigFile(resolve(file))));
  const found = files.filter((file) => file !== undefined);
  if (path !== undefined && found.length === 0)
    throw new KubeconfigError('NoKubeconfig', '', [
      { detail: `stat ${path}: no such file or directory` },
    ]);
  /** @type {Kubeconfig} */
  const merged = { currentContext: '', contexts: new Map(), clusters: new Map(), users: new Map() };
  for (const file of found) merge(merged, file);
  const { currentContext, contexts, clusters, users } = merged;
  if (currentContext || contexts.size > 0 || clusters.size > 0 || users.size > 0) return merged;
  const detail = `no configuration has been provided; looked for ${paths.join(', ')}`;
  throw new KubeconfigError('NoKubeconfig', 'invalid configuration', [{ detail }]);
}

/** @param {Environment} env */
function pathsFrom({ KUBECONFIG = '', HOME }) {
  const listed = [...new Set(KUBECONFIG.split(delimiter).filter(Boolean))];
  return listed.length > 0 ? listed : [join(HOME || homedir(), '.kube', 'config')];
}

/**
 * @param {string} file
 * @returns {Promise<Fields | undefined>} undefined if the file does not exist
 */
async function readConfigFile(file) {
  const about = `error loading config file "${file}"`;
  const failed = (/** @type {string} */ detail, /** @type {unknown} */ cause) =>
    new KubeconfigError('InvalidKubeconfig', about, [{ detail }], { cause });
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw failed(error.message, error);
  });
  if (text === undefined) return undefined;
  const document = parseDocument(text, { merge: true, prettyErrors: true });
  const [error] = document.errors;
  if (error) throw failed(`yaml: ${error.message.split('\n')[0]}`, error);
  const config = new Fields(document.toJS(), { file, path: '' });
  const kind = `${config.text('apiVersion') || 'v1'}, Kind=${config.text('kind') || 'Config'}`;
  if (kind !== 'v1, Kind=Config') throw failed(`no kind "Config" of v1 but ${kind}`, undefined);
  return config;
}

/**
 * @param {Kubeconfig} merged
 * @param {Fields} file
 */
function merge(merged, file) {
  merged.currentContext ||= file.text('current-context');
  for (const [list, field] of Object.entries(LISTS)) {
    const known = merged[/** @type {keyof LISTS} */ (list)];
    const seen = new Set();
    for (const item of file.list(list)) {
      const name = item.text('name');
      if (seen.has(name))
        throw new KubeconfigError('InvalidKubeconfig', `error loading config file "${file.file}"`, [
          { detail: `duplicate name "${name}" in list ${list}` },
        ]);
      seen.add(name);
      const place = { file: file.file, path: item.pathOf(field) };
      if (!known.has(name)) known.set(name, new Fields(item.any(field), place));
    }
  }
}
