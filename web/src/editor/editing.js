/**
 * The operations of the editor: texts, their problems, completions, and the actions that apply
 * them.
 */
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
 * What is edited. `base` is the text of the object when editing began.
 * @typedef {{ kind: 'objects' } | { kind: 'object', base: string } | { kind: 'configuration' }
 *   | { kind: 'scenario' }} Edited
 */

/** `file`: a text that the user wants to open. @typedef {Edited | { kind: 'file' }} Checked */

/**
 * A cluster whose objects are edited: a world, or a live cluster. `server` is a copy on which
 * writes are tried; without it the cluster itself refuses them when they are made. `settings` and
 * `check` belong to a scheduler that can be configured.
 * @typedef {object} Cluster
 * @property {(resource: string) => Promise<KubernetesObject[]>} list
 * @property {(reference: ObjectReference) => Promise<KubernetesObject | null>} read
 * @property {Pick<Store, 'list'>} store the objects that can be read without a request
 * @property {ApiServer} [server]
 * @property {number} now
 * @property {SchedulerSettings} settings
 * @property {World['check']} check
 */

/**
 * The cluster and the scenario that are open.
 * @typedef {object} Open
 * @property {Cluster} cluster
 * @property {string} text the scenario's text
 * @property {(name: string) => Promise<KubernetesObject[]>} readFile
 */

/**
 * @typedef {{ apiVersion: string, kind: string, objects: { namespace: string, name: string }[] }}
 *   ListedKind
 */

/** While the user types, no more objects than this are tried against the API server. */
const MOST_TRIED = 200;

/** The most names of a kind that are listed. */
const MOST_NAMES = 1000;

/**
 * The text of what can be edited: the scenario, the configuration in force, or an object.
 * @param {Open} open
 * @param {'configuration' | 'scenario' | ObjectReference} what
 * @returns {Promise<string>} empty if the object does not exist
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
 * @returns {Promise<Problem[]>} sorted by line
 */
export async function problemsIn(open, edited, text) {
  return (await prepared(open, edited, text, MOST_TRIED)).problems;
}

/**
 * The actions that make the cluster match the text. A scenario has none: it is opened.
 * @param {Open} open
 * @param {Edited} edited
 * @param {string} text
 * @returns {Promise<{ actions: Action[], problems: Problem[] }>} no actions if there are errors
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
 * All kinds of which objects exist, with the objects' names.
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

/** Events are served in two groups, but stored once: this keeps one. */
const resourcesOnce = new Map(
  [...RESOURCES].reverse().map(({ plural, apiVersion }) => [plural, apiVersion]),
);
