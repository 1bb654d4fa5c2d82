/**
 * How workloads replace their pods.
 * Counterpart: `ValidateDeploymentStrategy`, `ValidateDaemonSetUpdateStrategy` and
 * `ValidateStatefulSetSpec` of pkg/apis/apps/validation/validation.go, v1.36.
 */
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../src/kubernetes/field_errors.js';
import { amountOf, atMostAllErrors, intOrPercentErrors } from './int_or_percent.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

/**
 * @param {any} strategy of a Deployment, with its defaults
 * @param {string} path
 * @returns {FieldError[]}
 */
export function deploymentStrategyErrors(strategy, path) {
  const { type, rollingUpdate } = strategy;
  const at = `${path}.rollingUpdate`;
  switch (type) {
    case 'Recreate': {
      const detail = "may not be specified when strategy `type` is 'Recreate'";
      return rollingUpdate ? [forbiddenField(at, detail)] : [];
    }
    case 'RollingUpdate':
      return deploymentUpdateErrors(rollingUpdate, at);
    default:
      return [notSupported(path, goStrategy(strategy, goCounts), ['Recreate', 'RollingUpdate'])];
  }
}

/**
 * @param {any} rollingUpdate
 * @param {string} path
 */
function deploymentUpdateErrors({ maxUnavailable, maxSurge }, path) {
  const field = `${path}.maxUnavailable`;
  const isStuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  return [
    ...intOrPercentErrors(maxUnavailable, field),
    ...intOrPercentErrors(maxSurge, `${path}.maxSurge`),
    ...(isStuck ? [invalidValue(field, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...atMostAllErrors(maxUnavailable, field),
  ];
}

/**
 * @param {any} strategy of a DaemonSet, with its defaults
 * @param {string} path
 * @returns {FieldError[]}
 */
export function daemonSetStrategyErrors(strategy, path) {
  switch (strategy.type) {
    case 'OnDelete':
      return [];
    case 'RollingUpdate':
      return daemonSetUpdateErrors(strategy.rollingUpdate, `${path}.rollingUpdate`);
    default:
      return [notSupported(path, goStrategy(strategy, goCounts), ['RollingUpdate', 'OnDelete'])];
  }
}

/**
 * A DaemonSet replaces a pod before or after it starts the next one.
 * @param {any} rollingUpdate
 * @param {string} path
 */
function daemonSetUpdateErrors({ maxUnavailable, maxSurge }, path) {
  const [unavailable, surge] = [`${path}.maxUnavailable`, `${path}.maxSurge`];
  const [isAfter, isBefore] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  return [
    ...intOrPercentErrors(maxUnavailable, unavailable),
    ...intOrPercentErrors(maxSurge, surge),
    ...atMostAllErrors(maxUnavailable, unavailable),
    ...atMostAllErrors(maxSurge, surge),
    ...(isAfter && isBefore
      ? [invalidValue(surge, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(isAfter || isBefore ? [] : [required(unavailable, 'cannot be 0 when maxSurge is 0')]),
  ];
}

/**
 * @param {any} strategy of a StatefulSet, with its defaults
 * @param {string} path
 * @returns {FieldError[]}
 */
export function statefulSetStrategyErrors(strategy, path) {
  const { type, rollingUpdate } = strategy;
  const at = `${path}.rollingUpdate`;
  switch (type) {
    case 'OnDelete': {
      const detail = "only allowed for updateStrategy 'RollingUpdate'";
      return rollingUpdate ? [invalidValue(at, goPartition(rollingUpdate), detail)] : [];
    }
    case 'RollingUpdate':
      return statefulSetUpdateErrors(rollingUpdate, at);
    default: {
      const detail = "must be 'RollingUpdate' or 'OnDelete'";
      return [invalidValue(path, goStrategy(strategy, goPartition), detail)];
    }
  }
}

/**
 * @param {any} rollingUpdate
 * @param {string} path
 * @returns {FieldError[]}
 */
function statefulSetUpdateErrors({ partition = 0, maxUnavailable }, path) {
  const field = `${path}.maxUnavailable`;
  const ofPartition = intOrPercentErrors(partition, `${path}.partition`);
  if (maxUnavailable === undefined) return ofPartition;
  const isNone = amountOf(maxUnavailable) === 0;
  return [
    ...ofPartition,
    ...intOrPercentErrors(maxUnavailable, field),
    ...(isNone ? [invalidValue(field, maxUnavailable, 'cannot be 0')] : []),
    ...atMostAllErrors(maxUnavailable, field),
  ];
}

/**
 * In the field order of the API server's own type, which messages print.
 * @param {any} strategy
 * @param {(rollingUpdate: any) => object} goRollingUpdate
 */
function goStrategy({ type, rollingUpdate }, goRollingUpdate) {
  return { Type: type, RollingUpdate: rollingUpdate ? goRollingUpdate(rollingUpdate) : null };
}

/** @param {any} rollingUpdate of a Deployment or DaemonSet */
function goCounts({ maxUnavailable = 0, maxSurge = 0 }) {
  return { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge };
}

/** @param {any} rollingUpdate of a StatefulSet */
function goPartition({ partition = 0, maxUnavailable = null }) {
  return { Partition: partition, MaxUnavailable: maxUnavailable };
}
