/**
 * Finds applied fields that another manager has set to other values. Counterpart:
 * apimachinery/pkg/util/managedfields/internal/conflict.go, v1.36.
 */
import { failure } from '../../src/kubernetes/status_errors.js';
import { elementText } from './path_elements.js';
import { isEmpty, pathsOf } from './field_set.js';

/** @import { FieldSet } from './field_set.js' */
/** @import { Manager, Managers } from './managers.js' */

/** @typedef {Map<string, FieldSet>} Conflicts by the identity of the manager */

/**
 * @param {Conflicts} conflicts
 * @param {Managers} managers
 */
export function applyConflict(conflicts, managers) {
  const groups = [...conflicts]
    .filter(([, set]) => !isEmpty(set))
    .map(([identity, set]) => {
      const manager = managers.get(identity);
      const name = manager ? managerText(manager) : identity;
      return { name, paths: pathsOf(set).map((path) => path.map(elementText).join('')) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const causes = groups.flatMap(({ name, paths }) =>
    paths.map((field) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${name}`,
      field,
    })),
  );
  return failure(409, 'Conflict', messageOf(groups, causes.length), { causes });
}

/** @param {{ name: string, paths: string[] }[]} groups @param {number} count */
function messageOf(groups, count) {
  if (count === 1) {
    const [{ name, paths }] = groups;
    return `Apply failed with 1 conflict: conflict with ${name}: ${paths[0]}`;
  }
  const lines = groups.flatMap(({ name, paths }) => [
    `conflicts with ${name}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

/**
 * Omits the time, which is not part of the identity; so does upstream.
 * @param {Manager} manager
 */
function managerText({ manager, operation, apiVersion, subresource }) {
  const name = JSON.stringify(manager);
  const part = subresource ? ` with subresource ${JSON.stringify(subresource)}` : '';
  return `${name}${part}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
