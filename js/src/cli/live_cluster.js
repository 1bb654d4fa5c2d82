/** Reads a live cluster in the form of files. */
import { ApiError } from '../kubernetes/api_error.js';
import { StowageError } from '../kubernetes/errors.js';
import { createApiClient } from '../client/api_client.js';
import { collectionPath, kindsWatchedWith, resourceText } from '../kubernetes/watched_kinds.js';
import { connect } from './connection.js';
import { KINDS_BESIDES } from './needed_kinds.js';
import { BadInputError } from './problems.js';
import { serverVersion } from './server_release.js';
import { say } from './terminal.js';

/**
 * @import { ApiClient } from '../client/api_client.js'
 * @import { Kind } from '../kubernetes/watched_kinds.js'
 * @import { Source } from './inputs.js'
 * @import { Host } from './main.js'
 * @import { Progress } from './terminal.js'
 */

/** Kinds that the server refuses or does not serve are skipped. */
const ABSENT = new Set([403, 404]);

/**
 * Whether the flags name a live cluster.
 * @param {{ kubeconfig?: string, context?: string }} options
 */
export function isLive({ kubeconfig, context }) {
  return kubeconfig !== undefined || context !== undefined;
}

/**
 * Lists everything that is read, from the API server, page by page.
 * @param {{ kubeconfig?: string, context?: string, inCluster?: boolean, featureGates?:
 *   Record<string, boolean> }} options
 * @param {Host} host
 * @param {{ progress: Progress, onVersion: (version: string) => void }} parts `onVersion` gets the
 *   server's version
 * @returns {Promise<Source[]>}
 * @throws {BadInputError}
 */
export async function listedSources(options, host, { progress, onVersion }) {
  const client = createApiClient(await connect(options, host, await host.loadConnections()));
  const kinds = [...kindsWatchedWith(options.featureGates), ...KINDS_BESIDES];
  /** @type {Source[]} */
  const sources = [];
  try {
    const version = await serverVersion(client);
    if (version !== undefined) onVersion(version);
    for (const [at, kind] of kinds.entries()) {
      progress.update('listing', at, kinds.length);
      sources.push(...(await pagesOf(kind, client, host)));
    }
    return sources;
  } finally {
    await client.close();
  }
}

/**
 * @param {Kind} kind
 * @param {ApiClient} client
 * @param {Host} host
 * @returns {Promise<Source[]>}
 * @throws {BadInputError}
 */
async function pagesOf(kind, client, host) {
  const name = resourceText(kind);
  /** @type {Source[]} */
  const pages = [];
  try {
    for await (const { bytes } of client.list(collectionPath(kind)))
      pages.push({ name, bytes, text: new TextDecoder().decode(bytes) });
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    const isAbsent = error instanceof ApiError && ABSENT.has(error.status);
    if (!isAbsent || kind.optional === false)
      throw new BadInputError([`${name}: ${error.message}`]);
    if (error.status === 403) say(host.stderr, `warning: left out: ${error.message}`);
  }
  return pages;
}
