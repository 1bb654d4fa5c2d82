/** Reads the options in queries and bodies. */
import { isRecord } from '../../src/kubernetes/values.js';
import { invalidValue, notSupported, tooLong } from '../../src/kubernetes/field_errors.js';
import { booleanOf } from '../query_values.js';
import { readBody } from '../request_body.js';
import { badRequest, invalid } from '../../src/kubernetes/status_errors.js';

/**
 * @import { PlainRequest } from '../../src/io/plain_http.js'
 * @import { DeleteOptions } from '../before_delete.js'
 * @import { Exchange } from './context.js'
 */

const FIELD_MANAGER_LONGEST = 128;

const DELETE_OPTIONS = 'DeleteOptions';

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/**
 * Whether the request must not change the store.
 * @param {URLSearchParams} query
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} Invalid
 */
export function isDryRun(query) {
  return areDryRun(query.getAll('dryRun'));
}

/**
 * Returns the field manager: that of the query, or else the name in the User-Agent.
 * @param {PlainRequest} request
 * @param {URLSearchParams} query
 */
export function fieldManagerOf(request, query) {
  const [agent] = (request.headers.get('User-Agent') ?? '').split('/');
  return query.get('fieldManager') || agent.slice(0, FIELD_MANAGER_LONGEST) || 'unknown';
}

/**
 * @param {URLSearchParams} query
 * @param {'CreateOptions' | 'UpdateOptions'} kind
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} Invalid
 */
export function checkFieldManager(query, kind) {
  const length = new TextEncoder().encode(query.get('fieldManager') ?? '').length;
  if (length <= FIELD_MANAGER_LONGEST) return;
  throw invalid({ group: 'meta.k8s.io', kind }, '', [
    tooLong('fieldManager', FIELD_MANAGER_LONGEST),
  ]);
}

/** @param {unknown} asked */
function areDryRun(asked) {
  const values = Array.isArray(asked) ? asked : [];
  const other = values.find((value) => value !== 'All');
  if (other !== undefined) {
    const type = { group: 'meta.k8s.io', kind: 'Options' };
    throw invalid(type, '', [notSupported('dryRun', other, ['All'])]);
  }
  return values.length > 0;
}

/**
 * Reads the options from the body, or without a body from the query.
 * @param {Exchange} exchange
 * @returns {Promise<DeleteOptions>}
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} BadRequest, Invalid
 */
export async function deleteOptions(exchange) {
  const { query } = exchange.info;
  const body = await readBody(exchange);
  if (body !== undefined && !isRecord(body)) throw badRequest('DeleteOptions are an object');
  const { kind = DELETE_OPTIONS } = body ?? {};
  if (kind !== DELETE_OPTIONS) throw badRequest(`the object is a ${kind}, not ${DELETE_OPTIONS}`);
  const given = body ?? {
    ...Object.fromEntries(query),
    orphanDependents: booleanOf(query, 'orphanDependents'),
  };
  const { orphanDependents = null, propagationPolicy: policy = null, preconditions } = given;
  const isOrphaning = orphanDependents ? 'Orphan' : 'Background';
  checkPolicy(policy, orphanDependents);
  return {
    gracePeriodSeconds: seconds(given.gracePeriodSeconds),
    preconditions: isRecord(preconditions) ? preconditions : {},
    propagationPolicy: policy ?? (orphanDependents === null ? undefined : isOrphaning),
    dryRun: areDryRun(body?.dryRun ?? query.getAll('dryRun')),
  };
}

/**
 * @param {any} policy null if none is given
 * @param {unknown} orphanDependents its predecessor, null if it is not given
 */
function checkPolicy(policy, orphanDependents) {
  if (policy === null) return;
  const field = 'propagationPolicy';
  const both = 'orphanDependents and deletionPropagation cannot be both set';
  const errors = [
    ...(orphanDependents === null ? [] : [invalidValue(field, policy, both)]),
    ...(POLICIES.includes(policy) ? [] : [notSupported(field, policy, [...POLICIES, 'nil'])]),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: DELETE_OPTIONS }, '', errors);
}

/** @param {unknown} value */
function seconds(value) {
  if (value === undefined || value === null) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number)) throw badRequest(`gracePeriodSeconds: not a number: ${value}`);
  return number;
}
