/**
 * Scenarios: a cluster and the steps that happen to it, as people write them in YAML or JSON.
 * web/README.md describes the form.
 */
import { InputError } from '../../../js/src/index.js';
import { isRecord, parseDuration } from '../../../js/src/kubernetes.js';
import { parse, positionOf } from '../../../js/src/manifests.js';
import { fileNames, isFile } from './files.js';
import { MOST_REPEATS, isRepeat, repeated } from './repeat.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { PluginModule } from '../world/plugin_modules.js'
 * @import { Action, SchedulerSettings } from '../world/world.js'
 */

/**
 * `text` and notes are paragraphs with `code` and *emphasis*, nothing more. Times are milliseconds
 * since the epoch.
 * @typedef {object} Scenario
 * @property {string} title
 * @property {string} text
 * @property {SchedulerSettings} scheduler
 * @property {number} startTime
 * @property {number} seed
 * @property {boolean} kubelet whether bound pods run
 * @property {KubernetesObject[]} objects the initial objects
 * @property {number} [cycles] run before the first step; absent: as many as it takes
 * @property {ScenarioStep[]} steps
 */

/**
 * Actions that happen at once. The scheduler runs after them: `cycles` of them, or as many as it
 * takes.
 * @typedef {{ note: string, actions: Action[], cycles?: number }} ScenarioStep
 */

/** More would take minutes. */
export const MOST_CYCLES = 100_000;

/** The default start time. */
export const START = '2026-01-01T00:00:00Z';

const FIELDS = [
  ...['apiVersion', 'kind', 'title', 'text', 'configuration', 'kubernetesVersion', 'featureGates'],
  ...['plugins', 'startTime', 'seed', 'kubelet', 'objects', 'cycles', 'steps'],
];
const CONFIGURE_FIELDS = ['configuration', 'kubernetesVersion', 'featureGates', 'plugins'];
const STEP_FIELDS = [
  ...['at', 'advance', 'note', 'configure', 'apply', 'patch', 'delete', 'evict'],
  ...['scheduleOne', 'cycles'],
];

/**
 * @param {string} text YAML or JSON, one document
 * @returns {Scenario}
 * @throws {InputError} with the line of the error; a scenario that names files is one
 */
export function readScenario(text) {
  return new ScenarioReader(documentOf(text), new Map()).read();
}

/**
 * Reads a scenario and the files that it names.
 * @param {string} text YAML or JSON, one document
 * @param {{ readFile: (name: string) => Promise<KubernetesObject[]> }} options returns the objects
 *   of a file next to the scenario
 * @returns {Promise<Scenario>}
 * @throws {InputError} with the line of the error; also what `readFile` throws
 */
export async function loadScenario(text, { readFile }) {
  const document = documentOf(text);
  const names = fileNames(document);
  const files = await Promise.all(names.map(readFile));
  return new ScenarioReader(document, new Map(names.map((name, at) => [name, files[at]]))).read();
}

/** @param {string} text */
function documentOf(text) {
  const documents = parse(text, {
    onError: (error) => {
      throw error;
    },
  });
  if (documents.length !== 1) throw new InputError({ code: 'MalformedYaml', detail: ONE });
  return documents[0];
}

const ONE = 'one document is expected: a Scenario';

/** @param {KubernetesObject} object */
export function isScenario({ apiVersion, kind }) {
  return kind === 'Scenario' && (apiVersion ?? '').startsWith('stowage/');
}

class ScenarioReader {
  #document;
  #files;

  /**
   * @param {KubernetesObject} document
   * @param {Map<string, KubernetesObject[]>} files the files' objects, by name
   */
  constructor(document, files) {
    this.#document = document;
    this.#files = files;
  }

  /** @returns {Scenario} */
  read() {
    const { apiVersion, kind, title, text = '', objects = [], steps = [] } = this.#document;
    if (kind !== 'Scenario') throw this.#fault('kind', kind, 'must be Scenario');
    if (apiVersion !== 'stowage/v1')
      throw this.#fault('apiVersion', apiVersion, 'must be stowage/v1');
    this.#checkFields(this.#document, FIELDS, '');
    if (typeof title !== 'string' || title === '')
      throw this.#fault('title', title, 'must be a text');
    if (typeof text !== 'string') throw this.#fault('text', text, 'must be a text');
    const { seed = 0, kubelet = true } = this.#document;
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw this.#fault('seed', seed, 'must be an integer from 0');
    if (typeof kubelet !== 'boolean') throw this.#fault('kubelet', kubelet, 'must be a boolean');
    const startTime = this.#startTime();
    return {
      title,
      text,
      scheduler: this.#scheduler(this.#document, ''),
      startTime,
      seed,
      kubelet,
      objects: this.#objects(objects, 'objects'),
      ...this.#cycles(this.#document, ''),
      steps: this.#list(steps, 'steps').map((step, index) =>
        this.#step(step, `steps[${index}]`, startTime),
      ),
    };
  }

  #startTime() {
    const { startTime = START } = this.#document;
    const time = Date.parse(startTime);
    if (typeof startTime !== 'string' || Number.isNaN(time))
      throw this.#fault('startTime', startTime, 'must be a time, such as 2026-01-01T00:00:00Z');
    return time;
  }

  /**
   * @param {any} settings
   * @param {string} path
   * @returns {SchedulerSettings}
   */
  #scheduler({ configuration, kubernetesVersion, featureGates, plugins }, path) {
    for (const [name, value] of Object.entries({ configuration, featureGates })) {
      if (value !== undefined && !isRecord(value))
        throw this.#fault(`${path}${name}`, value, 'must be an object');
    }
    if (kubernetesVersion !== undefined && typeof kubernetesVersion !== 'string')
      throw this.#fault(`${path}kubernetesVersion`, kubernetesVersion, 'must be a text');
    return {
      ...(configuration && { configuration }),
      ...(kubernetesVersion && { kubernetesVersion }),
      ...(featureGates && { featureGates }),
      ...(plugins !== undefined && { plugins: this.#plugins(plugins, `${path}plugins`) }),
    };
  }

  /**
   * @param {unknown} value
   * @param {string} path
   * @returns {PluginModule[]}
   */
  #plugins(value, path) {
    return this.#list(value, path).map((module, index) => {
      const at = `${path}[${index}]`;
      if (!isRecord(module)) throw this.#fault(at, module, 'must be an object');
      this.#checkFields(module, ['source'], `${at}.`);
      const { source } = module;
      if (typeof source !== 'string' || source.trim() === '')
        throw this.#fault(`${at}.source`, source, 'must be the text of an ES module');
      return { source };
    });
  }

  /**
   * @param {any} step
   * @param {string} path
   * @param {number} startTime
   * @returns {ScenarioStep}
   */
  #step(step, path, startTime) {
    if (!isRecord(step)) throw this.#fault(path, step, 'must be an object');
    this.#checkFields(step, STEP_FIELDS, `${path}.`);
    const { note = '', at, advance, configure, scheduleOne } = step;
    if (typeof note !== 'string') throw this.#fault(`${path}.note`, note, 'must be a text');
    /** @type {Action[]} */
    const actions = [];
    if (at !== undefined)
      actions.push({ do: 'advance', to: startTime + this.#duration(at, `${path}.at`) });
    if (advance !== undefined)
      actions.push({ do: 'wait', for: this.#duration(advance, `${path}.advance`) });
    if (configure !== undefined) {
      if (!isRecord(configure))
        throw this.#fault(`${path}.configure`, configure, 'must be an object');
      this.#checkFields(configure, CONFIGURE_FIELDS, `${path}.configure.`);
      const scheduler = this.#scheduler(configure, `${path}.configure.`);
      actions.push({ do: 'configure', scheduler });
    }
    if (step.apply !== undefined)
      actions.push({ do: 'apply', objects: this.#objects(step.apply, `${path}.apply`) });
    if (step.patch !== undefined)
      actions.push(...this.#objects(step.patch, `${path}.patch`).flatMap(patchesOf));
    if (step.delete !== undefined)
      actions.push({ do: 'delete', objects: this.#references(step.delete, `${path}.delete`) });
    if (step.evict !== undefined) {
      const pods = [step.evict].flat().map((pod) => this.#podKey(pod, `${path}.evict`));
      actions.push({ do: 'evict', pods });
    }
    if (scheduleOne !== undefined)
      actions.push({ do: 'scheduleOne', pod: this.#podKey(scheduleOne, `${path}.scheduleOne`) });
    return { note, actions, ...this.#cycles(step, `${path}.`) };
  }

  /**
   * @param {any} where
   * @param {string} path
   */
  #cycles({ cycles }, path) {
    if (cycles === undefined) return {};
    if (!Number.isInteger(cycles) || cycles < 0 || cycles > MOST_CYCLES)
      throw this.#fault(`${path}cycles`, cycles, `must be an integer from 0 to ${MOST_CYCLES}`);
    return { cycles };
  }

  /**
   * @param {unknown} value
   * @param {string} path
   */
  #podKey(value, path) {
    if (typeof value !== 'string' || !value.includes('/'))
      throw this.#fault(path, value, 'must be namespace/name');
    return value;
  }

  /**
   * @param {unknown} value
   * @param {string} path
   */
  #duration(value, path) {
    const detail = 'must be a duration, such as 90s, 5m or 1h30m';
    if (typeof value !== 'string' || value.startsWith('-')) throw this.#fault(path, value, detail);
    try {
      return parseDuration(value, path);
    } catch {
      throw this.#fault(path, value, detail);
    }
  }

  /**
   * Accepts one value or a list.
   * @param {unknown} value
   * @param {string} path
   * @returns {KubernetesObject[]}
   */
  #objects(value, path) {
    if (isRecord(value)) return this.#item(value, path);
    return this.#list(value, path).flatMap((item, index) => this.#item(item, `${path}[${index}]`));
  }

  /**
   * An object, or one that stands for several.
   * @param {unknown} item
   * @param {string} path
   * @returns {KubernetesObject[]}
   */
  #item(item, path) {
    if (!isRecord(item)) throw this.#fault(path, item, 'must be an object');
    if (isFile(item)) {
      this.#checkFields(item, ['file'], `${path}.`);
      const objects = this.#files.get(String(item.file));
      if (!objects) throw this.#fault(`${path}.file`, item.file, 'there is no such file');
      return objects;
    }
    if (!isRepeat(item)) return [this.#object(item, path)];
    this.#checkFields(item, ['repeat', 'object'], `${path}.`);
    const { repeat, object } = item;
    if (!Number.isInteger(repeat) || repeat < 1 || repeat > MOST_REPEATS)
      throw this.#fault(`${path}.repeat`, repeat, `must be an integer from 1 to ${MOST_REPEATS}`);
    return repeated(repeat, this.#object(object, `${path}.object`));
  }

  /**
   * @param {unknown} object
   * @param {string} path
   * @returns {KubernetesObject}
   */
  #object(object, path) {
    if (!isRecord(object)) throw this.#fault(path, object, 'must be an object');
    for (const field of ['apiVersion', 'kind', 'metadata'])
      if (!object[field]) throw this.#fault(`${path}.${field}`, object[field], 'is required');
    return object;
  }

  /**
   * @param {unknown} value
   * @param {string} path
   */
  #references(value, path) {
    const withMetadata = (/** @type {unknown} */ one) => {
      if (!isRecord(one) || one.metadata) return one;
      const { name, namespace, ...type } = one;
      return { ...type, metadata: { name, namespace } };
    };
    const items = [value].flat().map((item) => {
      const isMany = isRecord(item) && isRepeat(item);
      return isMany ? { ...item, object: withMetadata(item.object) } : withMetadata(item);
    });
    return this.#objects(items, path).map(
      ({
        apiVersion = '',
        kind = '',
        metadata: { namespace, name },
        gracePeriodSeconds: grace,
      }) => {
        if (typeof name !== 'string') throw this.#fault(path, name, 'needs a name');
        if (grace !== undefined && !(Number.isInteger(grace) && grace >= 0))
          throw this.#fault(`${path}.gracePeriodSeconds`, grace, 'must be an integer from 0');
        const reference = { apiVersion, kind, ...(namespace && { namespace }), name };
        return { ...reference, ...(grace !== undefined && { gracePeriodSeconds: grace }) };
      },
    );
  }

  /**
   * @param {unknown} value
   * @param {string} path
   * @returns {any[]}
   */
  #list(value, path) {
    if (!Array.isArray(value)) throw this.#fault(path, value, 'must be a list');
    return value;
  }

  /**
   * @param {Record<string, unknown>} object
   * @param {string[]} known
   * @param {string} prefix
   */
  #checkFields(object, known, prefix) {
    const unknown = Object.keys(object).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const detail = `unknown field; there are ${known.join(', ')}`;
      throw this.#fault(`${prefix}${unknown}`, object[unknown], detail);
    }
  }

  /**
   * @param {string} field
   * @param {unknown} value
   * @param {string} detail
   */
  #fault(field, value, detail) {
    const position = positionOf(this.#document, field);
    const code = 'FieldValueInvalid';
    return new InputError({ code, kind: 'Scenario', field, value, detail, ...position });
  }
}

/**
 * Turns the object form of a change, which has only the fields that change, into merge patches. The
 * API server wants status in a patch of its own.
 * @param {KubernetesObject} object
 * @returns {Action[]}
 */
function patchesOf({ apiVersion = '', kind = '', metadata = {}, status, ...rest }) {
  const { name, namespace, ...changed } = metadata;
  const object = { apiVersion, kind, ...(namespace && { namespace }), name };
  const patch = { ...rest, ...(Object.keys(changed).length > 0 && { metadata: changed }) };
  /** @type {Action[]} */
  const actions = [];
  if (Object.keys(patch).length > 0) actions.push({ do: 'patch', object, patch });
  if (status !== undefined)
    actions.push({ do: 'patch', object, patch: { status }, subresource: 'status' });
  return actions;
}
