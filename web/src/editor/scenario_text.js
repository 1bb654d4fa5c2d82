/** Checks a scenario's text: its structure, and the objects in it. */
import { createJsonApiServer } from '../../../js/apiserver/index.js';
import { isRecord, resourceOf } from '../../../js/src/kubernetes.js';
import { parse, positionOf } from '../../../js/src/manifests.js';
import { isFile } from '../scenario/files.js';
import { isRepeat, repeated } from '../scenario/repeat.js';
import { loadScenario } from '../scenario/scenario.js';
import { seededRandom } from '../world/seeded_random.js';
import { SteppedClock } from '../world/stepped_clock.js';
import { configurationProblems } from './configuration.js';
import { fieldProblems } from './field_problems.js';
import { fieldText, hasErrors, inOrder, problem, problemsOf } from './problems.js';
import { documentPlace } from './types.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Step } from '../../../js/src/manifests.js'
 * @import { SettingsCheck } from './configuration.js'
 * @import { Problem } from './problems.js'
 */

/** With more objects than this, the objects are not tried one by one. */
const MOST_TRIED = 500;

/**
 * @param {string} text
 * @param {{ check: SettingsCheck, readFile: (name: string) => Promise<KubernetesObject[]> }} parts
 * @returns {Promise<Problem[]>}
 */
export async function checkScenario(text, { check, readFile }) {
  try {
    await loadScenario(text, { readFile });
  } catch (error) {
    return problemsOf(error);
  }
  const [document] = parse(text);
  const at = (/** @type {Step[]} */ path) => positionOf(document, fieldText(path));
  const unknown = itemsOf(document).filter(({ item }) => !resourceOf(item));
  const problems = [
    ...unknown.map(({ item: { kind, apiVersion }, path }) =>
      problem('error', `no resource is served for ${kind} of ${apiVersion}`, at([...path, 'kind'])),
    ),
    ...(await refusedSchedulers(document, check)),
  ];
  // An unknown kind has unknown fields.
  if (problems.length > 0) return inOrder(problems);
  const ofTypes = [...fieldProblems(documentPlace('scenario', document))].map(
    ({ field, severity, message }) => problem(severity, message, positionOf(document, field)),
  );
  return inOrder(hasErrors(ofTypes) ? ofTypes : [...ofTypes, ...refusedObjects(document)]);
}

/**
 * Problems of the initial objects that the API server would refuse.
 * @param {KubernetesObject} document
 * @returns {Problem[]}
 */
function refusedObjects(document) {
  const items = itemsOf(document).filter(({ path }) => path[0] === 'objects');
  const server = createJsonApiServer({
    clock: new SteppedClock(0),
    random: seededRandom(0),
    controllers: [],
    taintNodesByCondition: false,
  });
  try {
    return items.slice(0, MOST_TRIED).flatMap(({ item, path }) => {
      try {
        server.store.load(repeated(1, item)[0]);
        return [];
      } catch (error) {
        return problemsOf(error, document, fieldText(path));
      }
    });
  } finally {
    server.dispose();
  }
}

/**
 * @param {KubernetesObject} document
 * @param {SettingsCheck} check
 */
async function refusedSchedulers(document, check) {
  const checked = schedulersOf(document).map(({ settings, path }) =>
    configurationProblems(check, settings, document, [...path, 'configuration']),
  );
  return (await Promise.all(checked)).flat();
}

/**
 * The scenario's objects, with their positions.
 * @param {KubernetesObject} document
 * @returns {{ item: KubernetesObject, path: Step[] }[]}
 */
function itemsOf({ objects = [], steps = [] }) {
  const fields = ['apply', 'patch', 'delete'];
  return [
    ...listed(objects, ['objects']),
    ...steps.flatMap((/** @type {any} */ step, /** @type {number} */ index) =>
      fields.flatMap((field) => listed(step[field] ?? [], ['steps', index, field])),
    ),
  ];
}

/**
 * @param {any} value one or a list
 * @param {Step[]} path
 * @returns {{ item: KubernetesObject, path: Step[] }[]}
 */
function listed(value, path) {
  if (Array.isArray(value)) return value.flatMap((one, index) => listed(one, [...path, index]));
  if (isFile(value)) return [];
  if (isRepeat(value)) return [{ item: value.object, path: [...path, 'object'] }];
  return [{ item: value, path }];
}

/**
 * Configurations with JavaScript plugins are not checked: the page runs no plugin before the user
 * opens the scenario.
 * @param {KubernetesObject} document
 * @returns {{ settings: any, path: Step[] }[]}
 */
function schedulersOf({ configuration, kubernetesVersion, featureGates, plugins, steps = [] }) {
  return [
    { settings: { configuration, kubernetesVersion, featureGates, plugins }, path: [] },
    ...steps.flatMap((/** @type {any} */ { configure }, /** @type {number} */ index) =>
      isRecord(configure) ? [{ settings: configure, path: ['steps', index, 'configure'] }] : [],
    ),
  ].filter(({ settings }) => settings.plugins === undefined);
}
