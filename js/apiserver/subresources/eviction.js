/**
 * pods/eviction: a deletion that PodDisruptionBudgets may refuse. Counterpart:
 * pkg/registry/core/pod/storage/eviction.go, v1.36.
 */
import {
  budgetsFor,
  isFreeOfCharge,
  isWithoutBudget,
  refusalOf,
  SEVERAL_BUDGETS,
} from '../../src/kubernetes/disruption.js';
import { checkCreationIn } from '../admission/namespace_lifecycle.js';
import { isDryRun } from '../handlers/options.js';
import { objectOf, viewFor } from '../handlers/read.js';
import { checkNamespace } from '../handlers/write.js';
import { timestamp } from '../object_meta.js';
import { withCondition } from '../pod_conditions.js';
import { checkPreconditions } from '../preconditions.js';
import { decodeObject, readBody } from '../request_body.js';
import { jsonResponse } from '../responses.js';
import { badRequest, failure, internalError } from '../../src/kubernetes/status_errors.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { DeleteOptions } from '../before_delete.js'
 * @import { Exchange, ServerContext } from '../handlers/context.js'
 */

const EVICTION = { apiVersion: 'policy/v1', kind: 'Eviction' };

const SUCCESS = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}';

/** The Retry-After of an eviction that a budget could not decide yet: seconds. */
const RETRY_AFTER = 10;

/** @param {Exchange} exchange */
export async function createEviction(exchange) {
  const { server, info } = exchange;
  const { namespace, name, query } = info;
  // Rejects a client that accepts no response before anything is written.
  viewFor(exchange);
  const body = await readBody(exchange);
  const { object } = decodeObject(EVICTION, body, query.get('fieldValidation'));
  const asked = object.metadata?.name;
  if (asked && asked !== name) {
    throw badRequest(`name in URL does not match name in Eviction object: ${asked}`);
  }
  checkNamespace(namespace, object);
  checkCreationIn(server.store, info.resource, namespace, name);
  const options = { ...object.deleteOptions };
  const dryRun = isDryRun(query) || options.dryRun?.includes('All') === true;
  const pod = objectOf(exchange);
  const budget = isWithoutBudget(pod) ? undefined : budgetOf(server, pod);
  if (budget) askBudget(server, budget, pod, dryRun);
  checkPreconditions(info.resource, pod, options.preconditions);
  const preconditions = dryRun ? options.preconditions : markDisrupted(server, pod, options);
  server.store.delete('pods', namespace, name, { ...options, preconditions, dryRun });
  return jsonResponse(SUCCESS, { status: 201 });
}

/**
 * @param {ServerContext} server
 * @param {KubernetesObject} pod
 */
function budgetOf({ store }, pod) {
  const { namespace } = pod.metadata;
  const budgets = budgetsFor(pod, store.list('poddisruptionbudgets', { namespace }));
  if (budgets.length < 2) return budgets[0];
  throw internalError(SEVERAL_BUDGETS);
}

/**
 * Takes one disruption from a budget, if the pod needs one.
 * @param {ServerContext} server
 * @param {KubernetesObject} budget
 * @param {KubernetesObject} pod
 * @param {boolean} dryRun
 */
function askBudget({ store, clock }, budget, pod, dryRun) {
  const { metadata, status = {} } = budget;
  if (isFreeOfCharge(budget, pod, status)) return;
  if ((status.observedGeneration ?? 0) < metadata.generation) {
    const still = `The disruption budget ${metadata.name} is still being processed by the server.`;
    throw wouldViolate(still, RETRY_AFTER);
  }
  if (!(status.disruptionsAllowed > 0)) throw wouldViolate(refusalOf(budget, status));
  const disruptedPods = {
    ...status.disruptedPods,
    [pod.metadata.name]: timestamp(clock.now()),
  };
  const disruptionsAllowed = status.disruptionsAllowed - 1;
  const next = { ...budget, status: { ...status, disruptionsAllowed, disruptedPods } };
  store.update('poddisruptionbudgets', next, { subresource: 'status', dryRun });
}

/**
 * @param {string} cause
 * @param {number} [retryAfterSeconds]
 */
function wouldViolate(cause, retryAfterSeconds) {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return failure(429, 'TooManyRequests', message, {
    causes: [{ reason: 'DisruptionBudget', message: cause }],
    ...(retryAfterSeconds && { retryAfterSeconds }),
  });
}

/**
 * @param {ServerContext} server
 * @param {KubernetesObject} pod
 * @param {DeleteOptions} options
 * @returns {DeleteOptions['preconditions']} those of the marked pod, whose version is a new one
 */
function markDisrupted({ store, clock }, pod, { preconditions }) {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const status = withCondition(pod.status, condition, timestamp(clock.now()));
  const { metadata } = store.update('pods', { ...pod, status }, { subresource: 'status' });
  if (!preconditions?.resourceVersion) return preconditions;
  return { ...preconditions, resourceVersion: metadata.resourceVersion };
}
