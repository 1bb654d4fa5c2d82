import { withCondition } from '../../../src/kubernetes/conditions.js';
import { RESOURCES } from '../../../src/kubernetes/kinds.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** The finalizer in a namespace's spec that waits for the deletion of its contents. */
const FINALIZER = 'kubernetes';

/** All namespaced resources, each once: events have two names. */
const NAMESPACED = [
  ...new Set(RESOURCES.filter(({ namespaced }) => namespaced).map(({ plural }) => plural)),
];

/**
 * Empties a namespace that is being deleted, and removes it when nothing is left in it.
 * Counterpart: pkg/controller/namespace, v1.36.
 * @param {ControllerContext} context
 */
export function startNamespaceController(context) {
  const namespaces = context.indexer('namespaces');
  const reconciler = context.reconciler((name) => {
    const namespace = namespaces.get(name);
    if (namespace?.metadata.deletionTimestamp) empty(context, namespace);
  });
  context.onChange('namespaces', (after) => {
    if (after?.metadata.deletionTimestamp) reconciler.enqueue(after.metadata.name);
  });
  for (const resource of NAMESPACED) {
    context.subscribe(resource, ({ type, object }) => {
      if (type !== 'DELETED') return;
      const { namespace } = object.metadata;
      if (namespaces.get(namespace)?.metadata.deletionTimestamp) reconciler.enqueue(namespace);
    });
  }
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} namespace
 */
function empty(context, namespace) {
  const { finalizers = [] } = namespace.spec ?? {};
  if (!finalizers.includes(FINALIZER)) return;
  const { name } = namespace.metadata;
  const { store } = context;
  for (const resource of NAMESPACED)
    for (const object of store.list(resource, { namespace: name }))
      if (!object.metadata.deletionTimestamp)
        context.delete(resource, object, { propagationPolicy: 'Background' });
  const left = NAMESPACED.map((resource) => ({
    resource,
    objects: store.list(resource, { namespace: name }),
  })).filter(({ objects }) => objects.length > 0);
  if (left.length > 0) return reportRemaining(context, namespace, left);
  const spec = {
    ...namespace.spec,
    finalizers: finalizers.filter((/** @type {string} */ one) => one !== FINALIZER),
  };
  store.update('namespaces', { ...namespace, spec }, { subresource: 'finalize' });
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} namespace
 * @param {{ resource: string, objects: KubernetesObject[] }[]} left
 */
function reportRemaining(context, namespace, left) {
  const remaining = left.map(
    ({ resource, objects }) => `${resource}. has ${objects.length} resource instances`,
  );
  const finalizers = new Map();
  for (const { metadata } of left.flatMap(({ objects }) => objects))
    for (const one of metadata.finalizers ?? [])
      finalizers.set(one, (finalizers.get(one) ?? 0) + 1);
  const waiting = [...finalizers].map(([one, count]) => `${one} in ${count} resource instances`);
  let { conditions } = namespace.status ?? {};
  const said = [
    {
      type: 'NamespaceContentRemaining',
      ...(remaining.length > 0
        ? yes('SomeResourcesRemain', `Some resources are remaining: ${remaining.join(', ')}`)
        : no('ContentRemoved', 'All content successfully removed')),
    },
    {
      type: 'NamespaceFinalizersRemaining',
      ...(waiting.length > 0
        ? yes(
            'SomeFinalizersRemain',
            `Some content in the namespace has finalizers remaining: ${waiting.join(', ')}`,
          )
        : no('ContentHasNoFinalizers', 'All content-preserving finalizers finished')),
    },
  ];
  for (const condition of said) {
    const known = conditions?.find((/** @type {any} */ { type }) => type === condition.type);
    const isSame = known?.status === condition.status;
    const lastTransitionTime = isSame ? known.lastTransitionTime : context.timestamp;
    conditions = withCondition(conditions, { ...condition, lastTransitionTime });
  }
  context.updateStatus('namespaces', namespace, { ...namespace.status, conditions });
}

/**
 * @param {string} reason
 * @param {string} message
 */
function yes(reason, message) {
  return { status: 'True', reason, message };
}

/**
 * @param {string} reason
 * @param {string} message
 */
function no(reason, message) {
  return { status: 'False', reason, message };
}
