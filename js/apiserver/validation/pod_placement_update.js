/**
 * What may change about where a gated pod may run: only additions.
 * Counterpart: `validateNodeSelectorMutation` and `validateNodeAffinityMutation` of
 * pkg/apis/core/validation/validation.go, v1.36.
 */
import { invalidValue } from '../../src/kubernetes/field_errors.js';
import { isEqual } from '../frozen.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const AFFINITY = 'spec.affinity.nodeAffinity';
const TERMS = `${AFFINITY}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;

/**
 * @param {any} spec of a pod
 * @param {any} old with scheduling gates
 * @returns {FieldError[]}
 */
export function gatedPlacementErrors(spec, old) {
  return [
    ...nodeSelectorErrors(spec.nodeSelector ?? {}, old.nodeSelector ?? {}),
    ...nodeAffinityErrors(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity),
  ];
}

/**
 * Returns the old placement of a gated pod as far as it may change.
 * @param {any} spec
 * @param {any} old
 * @returns {{ nodeSelector: any, affinity: any }}
 */
export function withoutPlacement({ affinity }, old) {
  const isSame = ['podAffinity', 'podAntiAffinity'].every((name) =>
    isEqual(affinity?.[name], old.affinity?.[name]),
  );
  return { nodeSelector: old.nodeSelector, affinity: isSame ? old.affinity : affinity };
}

/**
 * @param {Record<string, string>} selector
 * @param {Record<string, string>} old
 */
function nodeSelectorErrors(selector, old) {
  if (Object.entries(old).every(([key, value]) => selector[key] === value)) return [];
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [invalidValue('spec.nodeSelector', selector, detail)];
}

/**
 * @param {any} affinity
 * @param {any} old
 */
function nodeAffinityErrors(affinity, old) {
  const before = termsOf(old);
  const after = termsOf(affinity);
  if (isEqual(affinity, old) || before.length === 0) return [];
  if (before.length !== after.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalidValue(TERMS, after.map(goTerm), detail)];
  }
  const detail = 'only additions are allowed (no mutations or deletions)';
  return before.flatMap((term, index) =>
    isExtended(after[index], term)
      ? []
      : [invalidValue(`${TERMS}[${index}]`, goTerm(after[index]), detail)],
  );
}

/** @param {any} affinity @returns {any[]} */
function termsOf(affinity) {
  return affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

/**
 * Whether a term has all requirements of the old one, first. An empty one selects no node, and
 * stays empty.
 * @param {any} term
 * @param {any} old
 */
function isExtended(term, old) {
  const pairs = ['matchExpressions', 'matchFields'].map((name) => [
    old[name] ?? [],
    term[name] ?? [],
  ]);
  if (pairs.every(([before]) => before.length === 0))
    return pairs.every(([, after]) => after.length === 0);
  return pairs.every(([before, after]) => isEqual(after.slice(0, before.length), before));
}

/** In the field order of the API server's own type. @param {any} term */
function goTerm({ matchExpressions, matchFields }) {
  const list = (/** @type {any[] | undefined} */ requirements) =>
    requirements?.map(({ key, operator, values }) => ({
      Key: key,
      Operator: operator,
      Values: values ?? null,
    })) ?? null;
  return { MatchExpressions: list(matchExpressions), MatchFields: list(matchFields) };
}
