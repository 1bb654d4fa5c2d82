/** All that the editor asks: texts, what is wrong with them, what may stand in them. */
import { resourceOf, RESOURCES } from '../../../js/src/embedded_apiserver/resources.js';
import { completionsAt } from './completions.js';
import { checkConfiguration, configurationText } from './configuration.js';
import { checkFile } from './file_text.js';
import { checkChanges, objectText } from './object_changes.js';
import { checkObjects } from './objects.js';
import { hasErrors } from './problems.js';
import { checkScenario } from './scenario_text.js';

/**
 * @import { KubernetesObject } from '../../../js/src/types.js'
 * @import { ObjectReference } from '../world/cluster_writes.js'
 * @import { Action, SchedulerSettings, World } from '../world/world.js'
 * @import { Completions } from './completions.js'
 * @import { Problem } from './problems.js'
 * @import { TextKind } from './types.js'
 */

/**
 * What is edited. `base` is the text that an object's edits began with.
 * @typedef {{ kind: 'objects' } | { kind: 'object', base: string } | { kind: 'configuration' }
 *   | { kind: 'scenario' }} Edited
 */

/** `file`: a text that is to be opened. @typedef {Edited | { kind: 'file' }} Checked */

/**
 * What is open.
 * @typedef {object} Open
 * @property {World} world
 * @property {string} text of the scenario
 * @property {(name: string) => Promise<KubernetesObject[]>} readFile
 */

/**
 * @typedef {{ apiVersion: string, kind: string, objects: { namespace: string, name: string }[] }}
 *   ListedKind
 */

/** While somebody types the API server is not asked about more objects. */
const MOST_TRIED = 200;

/** How many names of a kind are listed. */
const MOST_NAMES = 1000;

/**
 * What there is to edit: the scenario, the configuration in force, or an object.
 * @param {Open} open
 * @param {'configuration' | 'scenario' | ObjectReference} what
 * @returns {string} empty: there is no such object
 */
export function textOf({ world, text }, what) {
  if (what === 'scenario') return text;
  if (what === 'configuration') return configurationText(world.settings);
  const resource = resourceOf(what);
  const { namespace = '', name } = what;
  const object = resource && world.server.store.get(resource.plural, namespace, name);
  return object ? objectText(object) : '';
}

/**
 * @param {Open} open
 * @param {Checked} edited
 * @param {string} text
 * @returns {Promise<Problem[]>} in the order of the lines
 */
export async function problemsIn(open, edited, text) {
  return (await prepared(open, edited, text, MOST_TRIED)).problems;
}

/**
 * What has to be done so that the cluster is as the text says. A scenario is opened instead.
 * @param {Open} open
 * @param {Edited} edited
 * @param {string} text
 * @returns {Promise<{ actions: Action[], problems: Problem[] }>} nothing while there are errors
 */
export async function actionsFor(open, edited, text) {
  const { actions, problems } = await prepared(open, edited, text, Infinity);
  return { actions: hasErrors(problems) ? [] : actions, problems };
}

/**
 * @param {Open} open
 * @param {Checked} edited
 * @param {string} text
 * @param {number} mostTried
 * @returns {Promise<{ actions: Action[], problems: Problem[] }>}
 */
async function prepared({ world, readFile }, edited, text, mostTried) {
  const { server, now, settings } = world;
  const check = (/** @type {SchedulerSettings} */ wanted) => world.check(wanted);
  switch (edited.kind) {
    case 'objects': {
      const { objects, problems } = await checkObjects(text, { server, now, mostTried });
      return { actions: objects.length > 0 ? [{ do: 'apply', objects }] : [], problems };
    }
    case 'object': {
      const { patches, problems } = await checkChanges(text, edited.base, { server, now });
      return { actions: patches, problems };
    }
    case 'configuration': {
      const { settings: scheduler, problems } = await checkConfiguration(text, {
        check,
        settings,
      });
      return { actions: [{ do: 'configure', scheduler }], problems };
    }
    case 'scenario':
      return { actions: [], problems: await checkScenario(text, { check, readFile }) };
    case 'file':
      return { actions: [], problems: await checkFile(text, { check, settings, readFile }) };
  }
}

/**
 * @param {Open} open
 * @param {TextKind} kind
 * @param {string} text
 * @param {number} offset
 * @returns {Completions | null}
 */
export function completionsIn({ world }, kind, text, offset) {
  const { server, settings } = world;
  return completionsAt(kind, text, offset, { store: server.store, settings });
}

/**
 * All kinds of which there are objects, with their names.
 * @param {Open} open
 * @returns {ListedKind[]}
 */
export function objectsByKind({ world }) {
  const stored = RESOURCES.filter(
    ({ verbs, plural, apiVersion }) =>
      verbs.includes('list') && resourcesOnce.get(plural) === apiVersion,
  );
  return stored.flatMap(({ apiVersion, kind, plural }) => {
    const objects = world.server.store.list(plural).slice(0, MOST_NAMES);
    const names = objects.map(({ metadata: { namespace = '', name } }) => ({ namespace, name }));
    return names.length > 0 ? [{ apiVersion, kind, objects: names }] : [];
  });
}

/** Events are in two groups, and stored once. */
const resourcesOnce = new Map(
  [...RESOURCES].reverse().map(({ plural, apiVersion }) => [plural, apiVersion]),
);
