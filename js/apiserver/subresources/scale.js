/**
 * The scale of workloads: the desired and the present number of replicas. Counterpart:
 * pkg/registry/apps/deployment/storage and its like, v1.36.
 */
import { invalidValue } from '../../src/kubernetes/field_errors.js';
import { fieldManagerOf, isDryRun } from '../handlers/options.js';
import { objectOf, representationFor } from '../handlers/read.js';
import { patched, readPatch } from '../handlers/patch.js';
import { labelSelectorText } from '../../src/kubernetes/label_selector.js';
import { checkName, checkNamespace } from '../handlers/write.js';
import { present } from '../object_meta.js';
import { checkPreconditions } from '../preconditions.js';
import { decodeObject, readBody } from '../request_body.js';
import { jsonResponse } from '../responses.js';
import { OBJECT_MODIFIED, conflict, invalid } from '../../src/kubernetes/status_errors.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Exchange } from '../handlers/context.js'
 */

const SCALE = { apiVersion: 'autoscaling/v1', group: 'autoscaling', kind: 'Scale' };

/** @param {Exchange} exchange */
export async function serveScale(exchange) {
  const { server, info, request } = exchange;
  const object = objectOf(exchange);
  const { object: textOf } = representationFor(exchange, SCALE);
  if (info.verb === 'get') return jsonResponse(textOf(scaleOf(object)));
  const data =
    info.verb === 'patch'
      ? patched(exchange, { ...(await readPatch(exchange)), current: scaleOf(object), type: SCALE })
      : await readBody(exchange);
  const { object: scale } = decodeObject(SCALE, data, info.query.get('fieldValidation'));
  checkName(info.name, scale);
  checkNamespace(info.namespace, scale);
  if (info.verb === 'update')
    checkPreconditions(info.resource, object, { uid: scale.metadata.uid });
  const scaled = withReplicas(object, scale, exchange);
  const updated = server.store.update(info.resource.plural, scaled, {
    subresource: 'scale',
    fieldManager: fieldManagerOf(request, info.query),
    dryRun: isDryRun(info.query),
  });
  return jsonResponse(textOf(scaleOf(updated)));
}

/** @param {KubernetesObject} object */
function scaleOf({ kind, metadata, spec, status }) {
  const isPlain = kind === 'ReplicationController';
  const selector = isPlain ? { matchLabels: spec.selector } : spec.selector;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    kind: SCALE.kind,
    apiVersion: SCALE.apiVersion,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: present({ replicas: spec.replicas || undefined }),
    status: present({
      replicas: status?.replicas ?? 0,
      selector: labelSelectorText(selector) || undefined,
    }),
  };
}

/**
 * @param {KubernetesObject} object
 * @param {KubernetesObject} scale
 * @param {Exchange} exchange
 */
function withReplicas(object, { metadata, spec }, { info: { resource, name } }) {
  const { resourceVersion } = metadata ?? {};
  if (resourceVersion && resourceVersion !== object.metadata.resourceVersion) {
    throw conflict(resource, name, OBJECT_MODIFIED);
  }
  const replicas = spec?.replicas ?? 0;
  if (replicas < 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  return { ...object, spec: { ...object.spec, replicas } };
}
