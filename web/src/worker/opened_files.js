/** Files that the user opens. Their contents decide what they are. */
import { InputError, StowageError } from '../../../js/src/index.js';
import { resourceOf } from '../../../js/src/kubernetes.js';
import { parse, positionOf } from '../../../js/src/manifests.js';
import { objectProblems } from '../editor/objects.js';
import { scenarioOfDump } from '../scenario/dump.js';
import { isScenario } from '../scenario/scenario.js';
import { refusalsOf } from './refusals.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Scenario } from '../scenario/scenario.js'
 */

/**
 * The part of a browser's File that is used.
 * @typedef {Pick<File, 'name' | 'arrayBuffer'>} OpenedFile
 */

/** @typedef {{ source: string, object: KubernetesObject }} Entry */

/**
 * The contents of files: a scenario's text, a configuration for what is open, or a cluster.
 * @typedef {{ text: string } | { configuration: KubernetesObject } | { scenario: Scenario }} Found
 */

/** A file that cannot be opened. `source` is its name. */
export class FileError extends StowageError {
  /** @override */
  name = 'FileError';

  /**
   * @param {string} source
   * @param {any[]} causes the errors, with their positions
   */
  constructor(source, causes) {
    const [cause, ...more] = causes;
    const message = more.length > 0 ? `${cause.message} (and ${more.length} more)` : cause.message;
    super(cause.code ?? 'FileError', message, { cause });
    this.source = source;
    this.causes = causes;
    this.document = cause.document;
    this.line = cause.line;
    this.column = cause.column;
  }
}

/**
 * @param {readonly OpenedFile[]} files
 * @returns {Promise<Found>}
 * @throws {FileError}
 */
export async function readFiles(files) {
  const texts = await Promise.all(
    files.map(async (file) => ({ source: file.name, text: await textOf(file) })),
  );
  return foundIn(texts);
}

/**
 * @param {readonly { source: string, text: string }[]} texts
 * @returns {Found}
 * @throws {FileError}
 */
export function foundIn(texts) {
  /** @type {Entry[]} */
  const entries = [];
  for (const { source, text } of texts) {
    const objects = objectsOf(text, source);
    if (objects.some(isScenario)) {
      if (texts.length === 1) return { text };
      const message = 'a Scenario must be opened alone, without other files';
      throw new FileError(source, [{ message }]);
    }
    for (const object of objects) entries.push({ source, object });
  }
  return foundOf(entries, texts.map(({ source }) => source).join(', '));
}

/**
 * @param {Entry[]} entries
 * @param {string} title
 * @returns {Found}
 */
function foundOf(entries, title) {
  const configurations = entries.filter(({ object }) => isConfiguration(object));
  const others = entries.filter(({ object }) => !isConfiguration(object));
  if (configurations.length > 1) {
    const message = `one KubeSchedulerConfiguration is expected, not ${configurations.length}`;
    throw new FileError(configurations[1].source, [{ message }]);
  }
  const configuration = configurations[0]?.object;
  if (configuration && others.length === 0) return { configuration };
  /** @type {Map<string, number>} */
  const ignored = new Map();
  const served = others.filter(({ object }) => {
    if (isServed(object)) return true;
    const kind = String(object.kind);
    ignored.set(kind, (ignored.get(kind) ?? 0) + 1);
    return false;
  });
  if (served.length === 0) {
    const kinds = [...ignored.keys()].join(', ');
    const message = `it contains no object of a served kind${kinds && `, only ${kinds}`}`;
    throw new FileError(title, [{ message }]);
  }
  check(served);
  const objects = served.map(({ object }) => object);
  return { scenario: scenarioOfDump({ title, objects, configuration, ignored }) };
}

/**
 * @param {Entry[]} entries
 * @throws {FileError} if the API server would refuse one
 */
function check(entries) {
  const refusals = refusalsOf(entries.map(({ object }) => object));
  if (refusals.length === 0) return;
  const { source } = entries[refusals[0].index];
  throw new FileError(
    source,
    refusals.flatMap(({ index, error }) => causesOf(entries[index].object, error)),
  );
}

/**
 * Why an object is refused. The API server rejects an object that it cannot decode without naming
 * fields; then the fields that do not fit their types are reported.
 * @param {KubernetesObject} object
 * @param {any} error of the API server
 */
function causesOf(object, { message, code, details, field = details?.causes?.[0]?.field }) {
  const own = field ? [] : objectProblems(object).filter(({ severity }) => severity === 'error');
  if (own.length === 0) return [{ message, code, ...positionOf(object, field) }];
  const { namespace, name } = object.metadata;
  const named = `${object.kind} ${[namespace, name].filter(Boolean).join('/')}`;
  return own.map((problem) => ({ ...problem, code, message: `${named}: ${problem.message}` }));
}

/**
 * Decodes UTF-8, or UTF-16 as PowerShell writes it.
 * @param {OpenedFile} file
 */
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new FileError(file.name, [{ code: 'InvalidUtf8', message: 'it is not text', cause }]);
  }
}

/**
 * @param {string} text
 * @param {string} source
 */
function objectsOf(text, source) {
  /** @type {InputError[]} */
  const errors = [];
  const objects = parse(text, { onError: (error) => errors.push(error) });
  for (const object of objects) {
    const missing = ['apiVersion', 'kind'].find((field) => typeof object[field] !== 'string');
    if (!missing) continue;
    const detail = `${missing}: Required value`;
    errors.push(new InputError({ code: 'FieldValueRequired', detail, ...positionOf(object) }));
  }
  if (errors.length > 0) throw new FileError(source, errors);
  return objects;
}

/** @param {KubernetesObject} object */
function isConfiguration({ apiVersion = '', kind }) {
  return kind === 'KubeSchedulerConfiguration' && apiVersion.startsWith('kubescheduler.config.');
}

/** Events are about the past, and no scheduler reads them. @param {KubernetesObject} object */
function isServed(object) {
  return object.kind !== 'Event' && resourceOf(object) !== undefined;
}
