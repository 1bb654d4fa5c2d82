/**
 * ResourceQuotas.
 * Counterpart: `ValidateResourceQuota` of pkg/apis/core/validation/validation.go, v1.36.
 */
import { invalidValue, required } from '../../src/kubernetes/field_errors.js';
import { isEqual } from '../frozen.js';
import {
  amountErrors,
  isQuotaResource,
  quotaNameErrors,
} from '../../src/kubernetes/resource_errors.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const OF_COMPUTING = ['cpu', 'memory', 'limits.cpu', 'limits.memory'];
const OF_PODS = ['pods', ...OF_COMPUTING, 'requests.cpu', 'requests.memory'];

/** The scopes, with the native resources that a quota with the scope may bound. */
const SCOPES = new Map([
  ['Terminating', OF_PODS],
  ['NotTerminating', OF_PODS],
  ['BestEffort', ['pods']],
  ['NotBestEffort', OF_PODS],
  ['PriorityClass', OF_PODS],
  ['CrossNamespacePodAffinity', OF_PODS],
  ['VolumeAttributesClass', ['persistentvolumeclaims', 'requests.storage']],
]);

/** Scopes of which a pod is part or not: they have no values. */
const WITHOUT_VALUES = [
  ...['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'],
  'CrossNamespacePodAffinity',
];

const CONTRADICTORY = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

const ONLY_EXISTS =
  "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, " +
  'ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ' +
  'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
const NO_RESOURCE = 'unsupported scope applied to resource';

/** @param {KubernetesObject} quota @returns {FieldError[]} */
export function resourceQuotaErrors({ spec = {} }) {
  const { hard = {}, scopes, scopeSelector } = spec;
  return [
    ...Object.entries(hard).flatMap(([name, amount]) =>
      amountErrors(name, amount, { field: `spec.hard[${name}]`, nameErrors: quotaNameErrors }),
    ),
    ...scopesErrors(scopes ?? [], Object.keys(hard)),
    ...(scopeSelector ? selectorErrors(spec, Object.keys(hard)) : []),
  ];
}

/**
 * @param {KubernetesObject} quota
 * @param {KubernetesObject} old
 */
export function resourceQuotaUpdateErrors({ spec = {} }, { spec: old = {} }) {
  const sorted = (/** @type {string[]} */ scopes = []) => [...new Set(scopes)].sort();
  if (isEqual(sorted(spec.scopes), sorted(old.scopes))) return [];
  return [invalidValue('spec.scopes', spec.scopes, 'field is immutable')];
}

/**
 * @param {string[]} scopes
 * @param {string[]} names of the bounded resources
 */
function scopesErrors(scopes, names) {
  const refused = (/** @type {string} */ detail) => invalidValue('spec.scopes', scopes, detail);
  return [
    ...scopes.flatMap((scope) => [
      ...(SCOPES.has(scope) ? [] : [refused('unsupported scope')]),
      ...unboundedBy(scope, names).map(() => refused(NO_RESOURCE)),
    ]),
    ...contradictionsIn(scopes).map(() => refused('conflicting scopes')),
  ];
}

/**
 * @param {any} spec of a quota with a scope selector
 * @param {string[]} names of the bounded resources
 * @returns {FieldError[]}
 */
function selectorErrors({ scopes, scopeSelector }, names) {
  const path = 'spec.scopeSelector.matchExpressions';
  const { matchExpressions = [] } = scopeSelector;
  const contradictions = contradictionsIn(
    matchExpressions.map((/** @type {any} */ { scopeName }) => scopeName),
  );
  return [
    ...matchExpressions.flatMap((/** @type {any} */ expression) => {
      const { scopeName = '' } = expression;
      const isKnown = SCOPES.has(scopeName);
      return [
        ...(isKnown ? [] : [invalidValue(`${path}.scopeName`, scopeName, 'unsupported scope')]),
        ...unboundedBy(scopeName, names).map(() =>
          invalidValue(path, goSelector(matchExpressions), NO_RESOURCE),
        ),
        ...operatorErrors(expression, path),
      ];
    }),
    ...contradictions.map(() => invalidValue(path, scopes, 'conflicting scopes')),
  ];
}

/**
 * Upstream's paths lack the index of the expression.
 * @param {any} expression
 * @param {string} path
 * @returns {FieldError[]}
 */
function operatorErrors({ scopeName, operator = '', values = [] }, path) {
  const field = `${path}.operator`;
  const isOdd = WITHOUT_VALUES.includes(scopeName) && operator !== 'Exists';
  const odd = isOdd ? [invalidValue(field, operator, ONLY_EXISTS)] : [];
  const rule = "when `operator` is 'In' or 'NotIn' for scope selector";
  const noValue =
    "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return odd;
      return [...odd, required(`${path}.values`, `must be at least one value ${rule}`)];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return odd;
      return [...odd, invalidValue(`${path}.values`, values, noValue)];
    default:
      return [...odd, invalidValue(field, operator, 'not a valid selector operator')];
  }
}

/**
 * Returns the bounded resources that a scope says nothing about.
 * @param {string} scope
 * @param {string[]} names
 */
function unboundedBy(scope, names) {
  const bounded = SCOPES.get(scope);
  return bounded ? names.filter((name) => isQuotaResource(name) && !bounded.includes(name)) : [];
}

/** @param {string[]} scopes */
function contradictionsIn(scopes) {
  return CONTRADICTORY.filter((pair) => pair.every((scope) => scopes.includes(scope)));
}

/**
 * In the field order of the API server's own type, which messages print.
 * @param {any[]} expressions
 */
function goSelector(expressions) {
  return {
    MatchExpressions: expressions.map(({ scopeName = '', operator = '', values = null }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values,
    })),
  };
}
