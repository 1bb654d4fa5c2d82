/**
 * The server's handling of the scheduler's requests about ResourceClaims, and its detection of
 * wrong writes.
 */
import { isDeepStrictEqual } from 'node:util';

import { allocationOf, EXTENDED, FINALIZER, ownerOf, reservationsOf } from './devices.js';
import { hold } from './invariants.js';
import { refused } from './world.js';

/** @typedef {import('../support/api_calls.js').ApiAnswer} ApiAnswer */
/** @typedef {import('./world.js').World} World */

/**
 * A request about a claim.
 *
 * @typedef {object} ClaimWrite
 * @property {string} verb  create, get, update, patch, delete
 * @property {string} subresource  status, or empty
 * @property {string} namespace
 * @property {string} name  empty: of the collection
 * @property {string} pod   namespace/name, for which it is made
 * @property {any} body
 */

const CLAIM = 'ResourceClaim';
const CLAIMS =
  /^\/apis\/resource\.k8s\.io\/v1\/namespaces\/([^/]+)\/resourceclaims(?:\/([^/]+)(\/status)?)?$/;

/**
 * @param {import('../support/api_calls.js').ApiCall} call
 * @returns {ClaimWrite | null} null: it is about something else
 */
export function claimWriteOf({ verb, path, body, pod = '' }) {
  const [, namespace, name = '', part = ''] = CLAIMS.exec(path) ?? [];
  if (!namespace) return null;
  const subresource = part.slice(1);
  return { verb, subresource, namespace, name, pod, body: body ? JSON.parse(body) : null };
}

/** @param {World} world @param {ClaimWrite} request @returns {ApiAnswer} */
export function answerClaim(world, request) {
  const { verb, namespace, name, body } = request;
  if (verb === 'create') return create(world, request);
  const stored = world.get(CLAIM, `${namespace}/${name}`);
  if (!stored) return refused(404, 'NotFound', `resourceclaims "${name}" not found`);
  if (verb === 'get') return { status: 200, body: stored };
  if (verb === 'delete') {
    removeClaim(world, stored);
    return { status: 200, body: {} };
  }
  if (verb === 'patch') return release(world, stored, body);
  return update(world, stored, request);
}

/** A finalizer delays the deletion. @param {World} world @param {any} claim */
export function removeClaim(world, claim) {
  const { metadata } = claim;
  if (!metadata.finalizers?.length) {
    return world.remove(CLAIM, `${metadata.namespace}/${metadata.name}`);
  }
  if (metadata.deletionTimestamp) return;
  const deletionTimestamp = '2026-02-02T03:00:00Z';
  world.put({ ...claim, metadata: { ...metadata, deletionTimestamp } });
}

/** @param {World} world @param {ClaimWrite} request @returns {ApiAnswer} */
function create(world, { namespace, pod, body }) {
  const { metadata, status } = body;
  const owner = ownerOf(body);
  const isSound =
    metadata.generateName && metadata.annotations?.[EXTENDED] === 'true' && !allocationOf(body);
  hold(Boolean(isSound && !status?.reservedFor), 'writes what it read', () => {
    return `${pod} creates ${JSON.stringify(body)}`;
  });
  hold(`${namespace}/${owner?.name}` === pod, 'writes what it read', () => {
    return `${pod} creates a claim for ${JSON.stringify(owner)}`;
  });
  const name = `${metadata.generateName}${world.resourceVersion}`;
  const uid = `u-${name}`;
  return { status: 201, body: world.put({ ...body, metadata: { ...metadata, name, uid } }) };
}

/** @param {World} world @param {any} stored @param {any} patch @returns {ApiAnswer} */
function release(world, stored, { metadata, status }) {
  if (metadata.uid !== stored.metadata.uid) return conflict(stored, 'UID in precondition');
  const gone = status.reservedFor.map((/** @type {any} */ { uid }) => uid);
  const reservedFor = reservationsOf(stored).filter(({ uid }) => !gone.includes(uid));
  if (reservedFor.length === reservationsOf(stored).length) return { status: 200, body: stored };
  return { status: 200, body: world.put({ ...stored, status: { ...stored.status, reservedFor } }) };
}

/** @param {World} world @param {any} stored @param {ClaimWrite} request @returns {ApiAnswer} */
function update(world, stored, { subresource, body }) {
  const { resourceVersion, uid } = body.metadata;
  const { name } = stored.metadata;
  hold(Boolean(resourceVersion), 'writes what it read', () => `${name} without a version`);
  if (uid !== stored.metadata.uid) return conflict(stored, `UID in precondition: ${uid}`);
  if (resourceVersion !== stored.metadata.resourceVersion) {
    return conflict(stored, 'the object has been modified');
  }
  checkUpdate(stored, subresource, body);
  const { finalizers } = body.metadata;
  const changed =
    subresource === 'status'
      ? { ...stored, status: body.status ?? {} }
      : { ...stored, metadata: { ...stored.metadata, finalizers } };
  if (isDeepStrictEqual(plain(changed), plain(stored))) return { status: 200, body: stored };
  if (stored.metadata.deletionTimestamp && !changed.metadata.finalizers?.length) {
    world.remove(CLAIM, `${stored.metadata.namespace}/${name}`);
    return { status: 200, body: changed };
  }
  return { status: 200, body: world.put(changed) };
}

/** @param {any} stored @param {string} why */
function conflict({ metadata: { name } }, why) {
  return refused(409, 'Conflict', `Operation cannot be fulfilled on ${name}: ${why}`);
}

/** As it is sent. @param {any} object */
const plain = (object) => JSON.parse(JSON.stringify(object));

/** What the scheduler must not change. @param {any} claim @param {boolean} isStatus */
function fixedPart({ metadata, status, ...rest }, isStatus) {
  const { finalizers = [], ...others } = metadata;
  const { allocation: _, reservedFor: __, devices = [], ...more } = status ?? {};
  if (isStatus) return plain({ ...rest, metadata: { ...others, finalizers }, more });
  const kept = finalizers.filter((/** @type {string} */ one) => one !== FINALIZER);
  return plain({
    ...rest,
    metadata: { ...others, finalizers: kept },
    status: { ...more, devices },
  });
}

/** @param {any} allocation  or undefined */
function untimed(allocation) {
  const { allocationTimestamp: _, ...rest } = allocation ?? {};
  return plain(rest);
}

/**
 * A scheduler may set or remove its finalizer; and it may allocate a claim, reserve it for one more
 * pod, or take back an allocation.
 * @param {any} stored  of the same version @param {string} subresource @param {any} body
 */
function checkUpdate(stored, subresource, body) {
  const isStatus = subresource === 'status';
  const { name } = stored.metadata;
  const same = (/** @type {any} */ is, /** @type {any} */ must) =>
    hold(isDeepStrictEqual(is, must), 'writes what it read', () => {
      return `${name}: ${JSON.stringify(is)} instead of ${JSON.stringify(must)}`;
    });
  same(fixedPart(body, isStatus), fixedPart(stored, isStatus));
  if (!isStatus) {
    same(untimed(allocationOf(body)), untimed(allocationOf(stored)));
    return same(plain(reservationsOf(body)), plain(reservationsOf(stored)));
  }
  if (!allocationOf(body)) {
    return hold(reservationsOf(stored).length < 2, 'takes back what is its own', () => {
      return `${name} is reserved for ${JSON.stringify(reservationsOf(stored))}`;
    });
  }
  same(plain(body.status.devices ?? []), plain(stored.status?.devices ?? []));
  if (allocationOf(stored)) same(untimed(allocationOf(body)), untimed(allocationOf(stored)));
  const old = reservationsOf(stored);
  same(plain(reservationsOf(body).slice(0, old.length)), plain(old));
  const isOne = reservationsOf(body).length === old.length + 1;
  hold(isOne, 'writes what it read', () => `${name}: ${JSON.stringify(reservationsOf(body))}`);
}
