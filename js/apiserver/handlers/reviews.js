/**
 * Reviews: requests about the user and the user's permissions. This server has no users and allows
 * everything, as kube-apiserver does for anonymous users with `--authorization-mode=AlwaysAllow`.
 * Counterpart: pkg/registry/authorization and pkg/registry/authentication, v1.36.
 */
import { invalidValue } from '../../src/kubernetes/field_errors.js';
import { deepFreeze } from '../frozen.js';
import { decodeObject, readBody } from '../request_body.js';
import { jsonResponse } from '../responses.js';
import { badRequest, invalid } from '../../src/kubernetes/status_errors.js';
import { representationFor } from './read.js';

/**
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 * @import { Resource } from '../../src/kubernetes/kinds.js'
 * @import { Exchange } from './context.js'
 */

const ALL = ['*'];

/** Returns the status of each kind of review. */
const ANSWERS = {
  SelfSubjectReview: {
    userInfo: { username: 'system:anonymous', groups: ['system:unauthenticated'] },
  },
  SelfSubjectAccessReview: { allowed: true },
  SubjectAccessReview: { allowed: true },
  SelfSubjectRulesReview: {
    resourceRules: [{ verbs: ALL, apiGroups: ALL, resources: ALL }],
    nonResourceRules: [{ verbs: ALL, nonResourceURLs: ALL }],
    incomplete: false,
  },
};

/** @param {Resource} resource */
export function isReview({ kind }) {
  return Object.hasOwn(ANSWERS, kind);
}

/** @param {Exchange} exchange */
export async function createReview(exchange) {
  const { info } = exchange;
  const { resource, query } = info;
  const answer = representationFor(exchange);
  const body = await readBody(exchange);
  const { object, warnings } = decodeObject(resource, body, query.get('fieldValidation'));
  check(resource, object.spec ?? {});
  const status = ANSWERS[/** @type {keyof typeof ANSWERS} */ (resource.kind)];
  const review = deepFreeze({ ...object, metadata: object.metadata ?? {}, status });
  return jsonResponse(answer.object(review), { status: 201, warnings });
}

/**
 * @param {Resource} resource
 * @param {any} spec
 * @throws {import('../../src/kubernetes/api_error.js').ApiError} BadRequest, Invalid
 */
function check(resource, spec) {
  const { kind } = resource;
  if (kind === 'SelfSubjectRulesReview' && !spec.namespace) {
    throw badRequest('no namespace on request');
  }
  if (!kind.endsWith('AccessReview')) return;
  const errors = attributesErrors(spec);
  if (kind === 'SubjectAccessReview' && !spec.user && !spec.groups?.length) {
    const detail = 'at least one of user or group must be specified';
    errors.push(invalidValue('spec.user', '', detail));
  }
  if (errors.length > 0) throw invalid(resource, '', errors);
}

/**
 * @param {any} spec
 * @returns {FieldError[]}
 */
function attributesErrors({ resourceAttributes = null, nonResourceAttributes = null }) {
  if (resourceAttributes && nonResourceAttributes) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalidValue('spec.nonResourceAttributes', nonResourceAttributes, detail)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, detail)];
}
