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
import { withManagedFields } from '../managed_fields/field_manager.js';
import { entriesOfScaled, scaleEntries } from '../managed_fields/scale.js';
import { present } from '../object_meta.js';
import { APPLY_PATCH } from '../patch/patch.js';
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
  const read = info.verb === 'patch' ? await readPatch(exchange) : undefined;
  const isApply = read?.contentType === APPLY_PATCH;
  const tracked = isApply ? trackedObject(object, exchange) : object;
  const current = isApply ? withManagers(scaleOf(tracked), tracked) : scaleOf(object);
  const data = read
    ? patched(exchange, { ...read, current, type: SCALE })
    : await readBody(exchange);
  const { object: scale } = decodeObject(SCALE, data, info.query.get('fieldValidation'));
  checkName(info.name, scale);
  checkNamespace(info.namespace, scale);
  if (info.verb === 'update')
    checkPreconditions(info.resource, object, { uid: scale.metadata.uid });
  const resized = withReplicas(object, scale, exchange);
  const scaled = isApply ? withScaledManagers(resized, tracked, scale) : resized;
  const updated = server.store.update(info.resource.plural, scaled, {
    subresource: 'scale',
    fieldManager: isApply ? '' : fieldManagerOf(request, info.query),
    dryRun: isDryRun(info.query),
  });
  return jsonResponse(textOf(scaleOf(updated)));
}

/**
 * Returns the object with managers of its fields.
 * @param {KubernetesObject} object
 * @param {Exchange} exchange
 * @returns {KubernetesObject}
 */
function trackedObject(object, { server, info: { resource } }) {
  if (object.metadata.managedFields) return object;
  const [fieldManager, now] = ['before-first-apply', server.clock.now()];
  return withManagedFields({ live: null, object, resource, fieldManager, now });
}

/**
 * @param {ReturnType<typeof scaleOf>} scale
 * @param {KubernetesObject} object
 */
function withManagers(scale, { metadata: { managedFields } }) {
  const entries = scaleEntries(managedFields, SCALE.apiVersion);
  return { ...scale, metadata: present({ ...scale.metadata, managedFields: entries }) };
}

/**
 * @param {KubernetesObject} object
 * @param {KubernetesObject} tracked the object with its managers before
 * @param {KubernetesObject} scale
 */
function withScaledManagers(object, tracked, { metadata: { managedFields: written } }) {
  const { apiVersion = '' } = object;
  const managedFields = entriesOfScaled(tracked.metadata.managedFields, written, apiVersion);
  return { ...object, metadata: present({ ...object.metadata, managedFields }) };
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
