/** Makes the changes that answers of stowage/whatif offer, as kubectl would. */
import assert from 'node:assert/strict';
import { applyStrategicMergePatch } from '../../../js/apiserver/patch/strategic_merge_patch.js';
import { shapeOf } from '../../../js/apiserver/schema/types.js';

const keyOf = (/** @type {any} */ { kind, metadata: { namespace, name } }) =>
  `${kind}/${namespace ?? ''}/${name}`;

/**
 * Returns the objects after the changes of an offer.
 * @param {any[]} objects
 * @param {{ changes: any[] }} offer
 */
export function changed(objects, { changes }) {
  const byKey = new Map(objects.map((object) => [keyOf(object), structuredClone(object)]));
  for (const { action, target, patch, object } of changes) {
    if (action === 'create') byKey.set(keyOf(object), object);
    else {
      const key = keyOf({ kind: target.kind, metadata: target });
      const before = byKey.get(key);
      assert.ok(before, `${action} of ${key}, which does not exist`);
      const shape = shapeOf(before.apiVersion, before.kind);
      if (action === 'delete') byKey.delete(key);
      else byKey.set(key, applyStrategicMergePatch(before, patch, shape));
    }
  }
  return released([...byKey.values()]);
}

/**
 * Returns the objects after the controller of ResourceClaims has released those of pods that are
 * gone.
 * @param {any[]} objects
 */
export function released(objects) {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  return objects.map((object) => {
    const users = object.kind === 'ResourceClaim' ? (object.status?.reservedFor ?? []) : [];
    const isFreed = users.length > 0 && users.every((/** @type {any} */ { uid }) => !uids.has(uid));
    return isFreed ? { ...object, status: {} } : object;
  });
}
