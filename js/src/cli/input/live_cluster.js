/** Reads a live cluster in the form of files. */
import { ApiError } from '../../kubernetes/api_error.js';
import { StowageError } from '../../kubernetes/errors.js';
import { createApiClient } from '../../client/api_client.js';
import { laterPlacesOf } from '../../kubernetes/later_pod_groups.js';
import { collectionPath, kindsWatchedWith, resourceText } from '../../kubernetes/watched_kinds.js';
import { connect } from './connection.js';
import { KINDS_BESIDES } from '../../kubernetes/needed_kinds.js';
import { BadInputError } from '../terminal/problems.js';
import { serverVersion } from './server_release.js';
import { say } from '../terminal/terminal.js';

/**
 * @import { ApiClient } from '../../client/api_client.js'
 * @import { Kind } from '../../kubernetes/watched_kinds.js'
 * @import { Source } from './inputs.js'
 * @import { Host } from '../host.js'
 * @import { Progress } from '../terminal/terminal.js'
 */

/** Kinds that the server refuses or does not serve are skipped. */
const ABSENT = new Set([403, 404]);

/** Turns on every gate that a watched kind may need. */
const EVERY_GATE = { AllAlpha: true, AllBeta: true };

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
 *   Record<string, boolean>, everyGate?: boolean }} options `everyGate`: also the kinds of gates
 *   that are off, if the server has them
 * @param {Host} host
 * @param {{ progress: Progress, onVersion: (version: string) => void }} parts `onVersion` gets the
 *   server's version
 * @returns {Promise<Source[]>}
 * @throws {BadInputError}
 */
export async function listedSources(options, host, { progress, onVersion }) {
  const client = createApiClient(await connect(options, host, await host.loadConnections()));
  const watched = kindsWatchedWith(options.featureGates);
  const gated = options.everyGate ? kindsWatchedWith(EVERY_GATE) : [];
  const others = gated.filter((kind) => !watched.map(resourceText).includes(resourceText(kind)));
  const kinds = [...watched, ...KINDS_BESIDES, ...others];
  /** @type {Source[]} */
  const sources = [];
  try {
    const version = await serverVersion(client);
    if (version !== undefined) onVersion(version);
    for (const [at, kind] of kinds.entries()) {
      progress.update('listing', at, kinds.length);
      const warn = others.includes(kind)
        ? () => {}
        : (/** @type {string} */ line) => say(host.stderr, line);
      sources.push(...(await pagesOf(kind, client, warn)));
    }
    return sources;
  } finally {
    await client.close();
  }
}

/**
 * @param {Kind} kind
 * @param {ApiClient} client
 * @param {(line: string) => void} warn
 * @returns {Promise<Source[]>}
 * @throws {BadInputError}
 */
async function pagesOf(kind, client, warn) {
  for (const place of [kind, ...laterPlacesOf(kind)]) {
    const pages = await pagesAt(place, client, warn);
    if (pages) return pages;
  }
  return [];
}

/**
 * @param {Kind} kind
 * @param {ApiClient} client
 * @param {(line: string) => void} warn
 * @returns {Promise<Source[] | undefined>} undefined if the server does not serve the kind
 * @throws {BadInputError}
 */
async function pagesAt(kind, client, warn) {
  const name = resourceText(kind);
  /** @type {Source[]} */
  const pages = [];
  try {
    for await (const { bytes } of client.list(collectionPath(kind)))
      pages.push({ name, bytes, text: new TextDecoder().decode(bytes) });
    return pages;
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    const isAbsent = error instanceof ApiError && ABSENT.has(error.status);
    if (!isAbsent || kind.optional === false)
      throw new BadInputError([`${name}: ${error.message}`]);
    if (error.status === 403) warn(`warning: left out: ${error.message}`);
    return error.status === 404 ? undefined : pages;
  }
}
