/** Writes changes as commands of kubectl. */
import { resourceOf } from '../../kubernetes/kinds.js';
import { PUBLISHED_KINDS } from '../model_nodes.js';

/** @import { Change, Target } from './edit.js' */

/**
 * Returns the commands that make a change, one on each line; none for a node, which its pool
 * adds, and what drivers publish for it.
 * @param {Change} change
 * @returns {string[]}
 */
export function commandsFor(change) {
  if (change.action === 'delete') return [`kubectl delete ${named(change.target)}`];
  if (change.action === 'create') {
    const { object } = change;
    const isAdded = ['Node', ...PUBLISHED_KINDS].includes(object.kind ?? '');
    return isAdded ? [] : [`echo ${quoted(object)} | kubectl apply -f -`];
  }
  const { target, patch, inPlace } = change;
  if (inPlace) return [`kubectl patch ${named(target)} -p ${quoted(patch)}`];
  return [
    `kubectl get ${named(target)} -o yaml | ` +
      `kubectl patch --local -f - -p ${quoted(patch)} -o yaml | kubectl replace --force -f -`,
  ];
}

/** @param {Target} target */
function named({ apiVersion, kind, namespace, name }) {
  const singular = resourceOf({ apiVersion, kind })?.singular ?? kind.toLowerCase();
  return `${singular} ${word(name)}${namespace ? ` -n ${word(namespace)}` : ''}`;
}

/** @param {unknown} value */
function quoted(value) {
  return word(JSON.stringify(value));
}

/** Returns a text as one word for a POSIX shell. @param {string} text */
function word(text) {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
