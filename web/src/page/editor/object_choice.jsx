import { signal, useSignalEffect } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/** @import { ListedKind } from '../../editor/editing.js' */
/** @import { ObjectReference } from '../../world/cluster_writes.js' */
/** @import { Session } from '../session.js' */
/** @import { Drafts } from './drafts.js' */

/** The kinds that are listed first. */
const FIRST = ['Pod', 'Node'];

/**
 * The choice of the object to edit: the one selected in the cluster, or any other.
 * @param {{ session: Session, drafts: Drafts }} props
 */
export function ObjectChoice({ session, drafts }) {
  const kinds = useMemo(() => signal(/** @type {ListedKind[]} */ ([])), []);
  useSignalEffect(() => {
    void [session.source.value, session.position.value, session.hash.value];
    void [session.live.value, drafts.outcome.value];
    listed(session).then(
      (all) => (kinds.value = all),
      ({ message }) => (drafts.outcome.value = message),
    );
  });
  useSignalEffect(() => {
    const pod = session.selectedPod.value?.pod;
    if (pod) drafts.reference.value = podReference(pod);
  });
  useSignalEffect(() => {
    const name = session.selectedNode.value;
    if (name) drafts.reference.value = { apiVersion: 'v1', kind: 'Node', name };
  });
  useSignalEffect(() => {
    if (!drafts.reference.value && kinds.value.length > 0)
      drafts.reference.value = firstOf(kinds.value[0]);
  });
  const chosen = drafts.reference.value;
  const all = chosen ? withObject(kinds.value, chosen) : kinds.value;
  const own = all.find((one) => chosen && nameOf(one) === nameOf(chosen));
  return (
    <div class="object-choice">
      <label>
        Kind{' '}
        <select
          value={chosen ? nameOf(chosen) : ''}
          onChange={({ currentTarget }) => {
            const kind = all.find((one) => nameOf(one) === currentTarget.value);
            if (kind) drafts.reference.value = firstOf(kind);
          }}
        >
          {all.map((one) => (
            <option key={nameOf(one)} value={nameOf(one)}>
              {one.kind}
            </option>
          ))}
        </select>
      </label>
      <label>
        Name{' '}
        <select
          value={chosen ? pathOf(chosen) : ''}
          onChange={({ currentTarget }) => {
            const object = own?.objects.find((one) => pathOf(one) === currentTarget.value);
            if (own && object) drafts.reference.value = referenceTo(own, object);
          }}
        >
          {own?.objects.map((one) => (
            <option key={pathOf(one)} value={pathOf(one)}>
              {pathOf(one)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** @param {Session} session */
async function listed(session) {
  const kinds = await session.query((playground) => playground.listObjects());
  const place = (/** @type {ListedKind} */ { kind }) => [...FIRST, kind].indexOf(kind);
  return kinds.sort((a, b) => place(a) - place(b) || (a.kind < b.kind ? -1 : 1));
}

/**
 * The kinds, with the chosen object added if the list lacks it, as it is new or beyond the limit.
 * @param {readonly ListedKind[]} kinds
 * @param {ObjectReference} chosen
 * @returns {readonly ListedKind[]}
 */
function withObject(kinds, { apiVersion = '', kind = '', namespace = '', name }) {
  const object = { namespace, name };
  const own = kinds.find((one) => nameOf(one) === nameOf({ apiVersion, kind }));
  if (!own) return [...kinds, { apiVersion, kind, objects: [object] }];
  if (own.objects.some((one) => pathOf(one) === pathOf(object))) return kinds;
  const more = { ...own, objects: [object, ...own.objects] };
  return kinds.map((one) => (one === own ? more : one));
}

/** @param {ListedKind} kind */
function firstOf(kind) {
  return referenceTo(kind, kind.objects[0]);
}

/**
 * @param {ListedKind} kind
 * @param {{ namespace: string, name: string }} object
 * @returns {ObjectReference}
 */
function referenceTo({ apiVersion, kind }, { namespace, name }) {
  return { apiVersion, kind, ...(namespace && { namespace }), name };
}

/** @param {string} pod @returns {ObjectReference} */
function podReference(pod) {
  const [namespace, name] = pod.split('/');
  return { apiVersion: 'v1', kind: 'Pod', namespace, name };
}

/** @param {{ apiVersion: string, kind: string }} type */
function nameOf({ apiVersion, kind }) {
  return `${apiVersion} ${kind}`;
}

/** @param {{ namespace?: string, name: string }} object */
function pathOf({ namespace, name }) {
  return namespace ? `${namespace}/${name}` : name;
}
