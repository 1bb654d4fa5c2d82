import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { ApiError } from '../api_error.js';
import { StowageError } from '../errors.js';
import { createApiClient } from '../informer/api_client.js';
import { collectionPath, resourceText, SCHEDULER_KINDS } from '../informer/kinds.js';
import { parse } from '../manifests/parse.js';
import { anonymize } from '../snapshot/anonymize.js';
import { snapshotOf } from '../snapshot/snapshot.js';
import { isRecord } from '../values.js';
import { describeProblem, readCluster } from './cluster.js';
import { readConfigurationFile } from './configuration.js';
import { connect } from './connection.js';
import { readSources } from './inputs.js';
import { BadInputError, EXIT } from './problems.js';
import { Progress } from './terminal.js';

/**
 * @import { ApiClient } from '../informer/api_client.js'
 * @import { Kind } from '../informer/kinds.js'
 * @import { KubernetesObject } from '../types.js'
 * @import { Source } from './inputs.js'
 * @import { Host } from './main.js'
 * @import { SnapshotOptions } from './snapshot_arguments.js'
 */

/** What makes pods, and their classes: not for the scheduler, but for who simulates. */
const MAKERS = /** @type {const} */ ([
  { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' },
  { group: 'apps', version: 'v1', resource: 'deployments' },
  { group: 'apps', version: 'v1', resource: 'daemonsets' },
  { group: 'batch', version: 'v1', resource: 'jobs' },
]);

/** Where the server refuses it, or has none of it, there is nothing to read. */
const ABSENT = new Set([403, 404]);

/**
 * `stowage snapshot`: what the scheduler reads of a cluster.
 * @param {SnapshotOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function snapshot(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const isLive = options.files.length === 0;
    const sources = isLive
      ? await listedSources(options, host, progress)
      : await readSources(options.files, options, host);
    progress.clear();
    const { items } = options.anonymize
      ? await anonymized(sources, options, host)
      : snapshotOf(objectsIn(sources));
    const document = { apiVersion: 'v1', kind: 'List', items };
    host.stdout.write(
      options.output === 'yaml'
        ? stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })
        : `${JSON.stringify(document)}\n`,
    );
    if (!options.quiet) host.stderr.write(`${countLine(items)}\n`);
    return EXIT.yes;
  } finally {
    progress.clear();
  }
}

/**
 * @param {Source[]} sources
 * @param {SnapshotOptions} options
 * @param {Host} host
 */
async function anonymized(sources, { names, config, configOutput }, host) {
  const { batches } = readCluster(sources);
  const objects = batches.flatMap((batch) => batch.objects);
  if (objects.some(({ apiVersion }) => String(apiVersion).startsWith('resource.k8s.io/')))
    host.stderr.write('warning: attributes and expressions of devices stay as they are\n');
  const document = config && (await readConfigurationFile(config, host)).document;
  if (config !== undefined && !isRecord(document))
    throw new BadInputError([`${config}: it is no KubeSchedulerConfiguration`]);
  const {
    snapshot: list,
    configuration,
    originals,
  } = anonymize(objects, {
    configuration: document,
  });
  if (configOutput !== undefined) await write(configOutput, configuration);
  if (names !== undefined) await write(names, Object.fromEntries(originals));
  return list;
}

/**
 * For nobody else to read.
 * @param {string} path
 * @param {unknown} document
 * @throws {BadInputError}
 */
async function write(path, document) {
  try {
    await writeFile(path, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new BadInputError([`${path}: it cannot be written: ${message}`]);
  }
}

/**
 * @param {Source[]} sources
 * @returns {KubernetesObject[]}
 * @throws {BadInputError}
 */
function objectsIn(sources) {
  /** @type {string[]} */
  const problems = [];
  const objects = sources.flatMap(({ name, text }) =>
    parse(text, { onError: (error) => problems.push(describeProblem(name, error)) }),
  );
  if (problems.length > 0) throw new BadInputError(problems);
  return objects;
}

/**
 * All that is read, from the API server, page by page.
 * @param {SnapshotOptions} options
 * @param {Host} host
 * @param {Progress} progress
 * @returns {Promise<Source[]>}
 * @throws {BadInputError}
 */
async function listedSources(options, host, progress) {
  const client = createApiClient(await connect(options, host, await host.loadConnections()));
  const kinds = [...SCHEDULER_KINDS, ...MAKERS];
  /** @type {Source[]} */
  const sources = [];
  try {
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
    if (error.status === 403) host.stderr.write(`warning: left out: ${error.message}\n`);
  }
  return pages;
}

/** @param {KubernetesObject[]} items */
function countLine(items) {
  const kinds = new Set(items.map(({ kind }) => kind));
  const objects = items.length === 1 ? '1 object' : `${items.length} objects`;
  return `${objects} of ${kinds.size === 1 ? '1 kind' : `${kinds.size} kinds`}`;
}
