/** Exports what is open as files for other programs. */
import { RESOURCES } from '../../../js/src/kubernetes.js';
import { writtenScenario } from '../scenario/written_scenario.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { World } from '../world/world.js'
 * @import { Opening } from './opening.js'
 */

/** @typedef {'scenario' | 'objects' | 'decisions'} ExportName */

/** Kinds that the export leaves out: a running cluster makes them by itself. */
const LEFT_OUT = new Set(['Event', 'Lease']);

/**
 * @param {ExportName} name `scenario`: YAML that leads to the same state when it is played to its
 *   end; `objects`: a v1 List of the present cluster; `decisions`: the scheduler's records, JSON
 *   lines
 * @param {Opening} opening
 * @param {string} text of its scenario, as it was written
 * @returns {string}
 * @throws {import('../../../js/src/index.js').StowageError} if an action has no form in a scenario
 */
export function exportOf(name, { scenario, chapters, passed, past, world }, text) {
  switch (name) {
    case 'scenario':
      return writtenScenario({ text, scenario, chapters, passed: passed.slice(0, past.length) });
    case 'objects':
      return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objectsOf(world) })}\n`;
    case 'decisions':
      return past.flatMap(({ said }) => said.map(({ record }) => line(record))).join('');
  }
}

/** @param {object} record */
function line(record) {
  return `${JSON.stringify(record)}\n`;
}

/**
 * @param {World} world
 * @returns {KubernetesObject[]}
 */
function objectsOf({ server: { store } }) {
  const listed = RESOURCES.filter(
    ({ kind, verbs }) => verbs.includes('list') && !LEFT_OUT.has(kind),
  );
  // Namespaces and priority classes come before the pods that name them.
  return listed
    .sort((a, b) => Number(a.namespaced) - Number(b.namespaced))
    .flatMap(({ plural }) => store.list(plural))
    .map(({ metadata: { resourceVersion: _, managedFields: __, ...metadata }, ...object }) => ({
      ...object,
      metadata,
    }));
}
