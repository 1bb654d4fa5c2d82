/** The server's handling of a volume or a claim that the scheduler updates as a whole. */
import { isDeepStrictEqual } from 'node:util';

import { hold } from './invariants.js';
import { annotationsOf, BOUND_BY_CONTROLLER, isSetAsideFor, SELECTED_NODE } from './volumes.js';
import { refused } from './world.js';

/** @typedef {import('../support/api_calls.js').ApiAnswer} ApiAnswer */
/** @typedef {import('../support/api_calls.js').ApiWrite} ApiWrite */
/** @typedef {import('./world.js').World} World */

const KINDS = /** @type {Record<string, string>} */ ({
  volume: 'PersistentVolume',
  claim: 'PersistentVolumeClaim',
});
/** The annotation that the scheduler may set. */
const ANNOTATIONS = /** @type {Record<string, string>} */ ({
  volume: BOUND_BY_CONTROLLER,
  claim: SELECTED_NODE,
});

/** @param {World} world @param {ApiWrite} request @returns {ApiAnswer} */
export function updateStorage(world, { kind, storage: key, body }) {
  const stored = world.get(KINDS[kind], key);
  if (!stored) return refused(404, 'NotFound', `${kind} "${key}" not found`);
  const { resourceVersion, uid } = body.metadata;
  hold(Boolean(resourceVersion), 'writes what it read', () => `${key} without a version`);
  if (uid !== stored.metadata.uid) return conflict(key, `UID in precondition: ${uid}`);
  if (resourceVersion !== stored.metadata.resourceVersion) {
    return conflict(key, 'the object has been modified');
  }
  checkUpdate(kind, stored, body);
  const { annotations } = body.metadata;
  const changed = {
    ...stored,
    metadata: { ...stored.metadata, ...(annotations && { annotations }) },
    spec: body.spec,
  };
  const isChange = !isDeepStrictEqual(plain(changed), plain(stored));
  return { status: 200, body: isChange ? world.put(changed) : stored };
}

/** @param {string} key @param {string} why */
function conflict(key, why) {
  return refused(409, 'Conflict', `Operation cannot be fulfilled on ${key}: ${why}`);
}

/** As it is sent. @param {any} object */
const plain = (object) => JSON.parse(JSON.stringify(object));

/**
 * A scheduler may only reserve unclaimed volumes, and must leave everything else unchanged.
 * @param {string} kind @param {any} stored  of the same version @param {any} body
 */
function checkUpdate(kind, stored, body) {
  const { name } = stored.metadata;
  const [is, must] = [body, stored].map((object) => {
    const { [ANNOTATIONS[kind]]: _, ...annotations } = annotationsOf(object);
    const { claimRef, ...spec } = object.spec;
    const others = kind === 'volume' ? spec : object.spec;
    return plain({ ...object, metadata: { ...object.metadata, annotations }, spec: others });
  });
  hold(isDeepStrictEqual(is, must), 'writes what it read', () => {
    return `${JSON.stringify(is)} instead of ${JSON.stringify(must)}`;
  });
  if (kind === 'claim' || !stored.spec.claimRef) return;
  const { claimRef } = body.spec;
  const isSame = claimRef && isSetAsideFor(stored, { metadata: claimRef });
  hold(Boolean(isSame), 'one claim per volume', () => {
    const [old, claim] = [stored.spec.claimRef, claimRef].map((one) => JSON.stringify(one));
    return `${name} is taken from ${old} for ${claim}`;
  });
}
