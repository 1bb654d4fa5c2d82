/** All that the editor asks: texts, what is wrong with them, what may stand in them. */
import { RESOURCES } from '../../../js/src/kubernetes.js';
import { completionsAt } from './completions.js';
import { checkConfiguration, configurationText } from './configuration.js';
import { checkFile } from './file_text.js';
import { checkChanges, objectText } from './object_changes.js';
import { checkObjects } from './objects.js';
import { hasErrors } from './problems.js';
import { checkScenario } from './scenario_text.js';

export { isForbiddenEdit, recreationOf } from './recreation.js';

/**
 * @import { ApiServer, Store } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
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
 * A cluster whose objects are edited: a world, or a live one. `server`: a copy of it is asked what
 * it would refuse; absent: the cluster itself says so when something is done. `settings` and
 * `check` are those of a scheduler that can be configured.
 * @typedef {object} Cluster
 * @property {(resource: string) => Promise<KubernetesObject[]>} list
 * @property {(reference: ObjectReference) => Promise<KubernetesObject | null>} read
 * @property {Pick<Store, 'list'>} store what is known of it without asking
 * @property {ApiServer} [server]
 * @property {number} now
 * @property {SchedulerSettings} settings
 * @property {World['check']} check
 */

/**
 * What is open.
 * @typedef {object} Open
 * @property {Cluster} cluster
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
 * @returns {Promise<string>} empty: there is no such object
 */
export async function textOf({ cluster, text }, what) {
  if (what === 'scenario') return text;
  if (what === 'configuration') return configurationText(cluster.settings);
  const object = await cluster.read(what);
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
async function prepared({ cluster, readFile }, edited, text, mostTried) {
  const { server, now, settings, check } = cluster;
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
export function completionsIn({ cluster }, kind, text, offset) {
  return completionsAt(kind, text, offset, cluster);
}

/**
 * All kinds of which there are objects, with their names.
 * @param {Open} open
 * @returns {Promise<ListedKind[]>}
 */
export async function objectsByKind({ cluster }) {
  const stored = RESOURCES.filter(
    ({ verbs, plural, apiVersion }) =>
      verbs.includes('list') && resourcesOnce.get(plural) === apiVersion,
  );
  const listed = stored.map(async ({ apiVersion, kind, plural }) => {
    const objects = (await cluster.list(plural)).slice(0, MOST_NAMES);
    const names = objects.map(({ metadata: { namespace = '', name } }) => ({ namespace, name }));
    return { apiVersion, kind, objects: names };
  });
  return (await Promise.all(listed)).filter(({ objects }) => objects.length > 0);
}

/** Events are in two groups, and stored once. */
const resourcesOnce = new Map(
  [...RESOURCES].reverse().map(({ plural, apiVersion }) => [plural, apiVersion]),
);
