import { writeFile } from 'node:fs/promises';
import { releaseOf } from '../../kubernetes/release.js';
import { parseInput } from '../../manifests/parse_input.js';
import { anonymize } from '../../snapshot/anonymize.js';
import { snapshotOf } from '../../snapshot/snapshot.js';
import { isRecord } from '../../kubernetes/values.js';
import { readConfigurationFile } from '../input/configuration.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { readSources, shown } from '../input/inputs.js';
import { listedSources } from '../input/live_cluster.js';
import { faultsOfUnknown } from '../input/unknown_objects.js';
import { BadInputError, EXIT, Problems, unwritable } from '../terminal/problems.js';
import { readInput } from '../simulation/simulation.js';
import { counted, Progress, say } from '../terminal/terminal.js';

/**
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Source } from '../input/inputs.js'
 * @import { Host } from '../host.js'
 * @import { SnapshotOptions } from './arguments.js'
 */

/**
 * `stowage snapshot`: writes the fields of a cluster that decisions read.
 * @param {SnapshotOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function snapshot(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const isLive = options.files.length === 0;
    /** The releases of the input. @type {Set<string>} */
    const releases = new Set();
    const onVersion = (/** @type {string} */ version) => void releases.add(releaseOf(version));
    const sources = isLive
      ? await listedSources({ ...options, everyGate: true }, host, { progress, onVersion })
      : await readSources(options.files, options, host);
    progress.clear();
    const objects = await objectsIn(sources, host, onVersion);
    if (!isLive && objects.length === 0 && !options.allowEmpty) throw withoutObjects(options.files);
    const { items, ...head } = options.anonymize
      ? await anonymized(sources, options, host)
      : snapshotOf(objects);
    const release = releases.size === 1 && { kubernetesVersion: [...releases][0] };
    const document = { ...head, ...release, items };
    host.stdout.write(
      options.output === 'yaml' ? yamlText(document) : jsonText(document, { indent: 0 }),
    );
    if (!options.quiet) say(host.stderr, countLine(items));
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
async function anonymized(sources, options, host) {
  const { names, config, configOutput } = options;
  const { batches, unsent } = readInput(sources, {}, options);
  const objects = [...new Set([...batches.flatMap((batch) => batch.objects), ...unsent])];
  if (objects.some(({ apiVersion }) => String(apiVersion).startsWith('resource.k8s.io/')))
    host.stderr.write('warning: attributes and expressions of devices stay as they are\n');
  const document = config && (await readConfigurationFile(config, host)).document;
  if (config !== undefined && !isRecord(document))
    throw new BadInputError([`${config}: it is not a KubeSchedulerConfiguration`]);
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
 * Writes the file with access for the current user only.
 * @param {string} path
 * @param {unknown} document
 * @throws {BadInputError}
 */
async function write(path, document) {
  try {
    await writeFile(path, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * @param {Source[]} sources
 * @param {Host} host
 * @param {(version: string) => void} onRelease
 * @returns {Promise<KubernetesObject[]>}
 * @throws {BadInputError} also of objects that would be left out although their kind is not known
 */
async function objectsIn(sources, host, onRelease) {
  const problems = new Problems();
  const read = sources.map(({ name, text }) => {
    const onError = (/** @type {InputError} */ error) => problems.addError(name, error);
    return { name, objects: parseInput(text, { onRelease, onError }) };
  });
  for (const { name, objects } of read) {
    for (const { error, object } of await faultsOfUnknown(objects, host))
      problems.addError(name, error, object);
  }
  problems.throwAny();
  return read.flatMap(({ objects }) => objects);
}

/** @param {string[]} files */
function withoutObjects(files) {
  const names = files.map(shown).join(', ');
  return new BadInputError([`${names}: there is no object in it; --allow-empty takes that`]);
}

/** @param {KubernetesObject[]} items */
function countLine(items) {
  const kinds = new Set(items.map(({ kind }) => kind));
  const objects = counted(items.length, 'object');
  return `${objects} of ${counted(kinds.size, 'kind')}`;
}
