/** The recorded exchanges with a real API server v1.36, and the states in its watches. */
import { readFileSync } from 'node:fs';

/** @param {string} name @returns {any} */
export function exchange(name) {
  const file = new URL(`../recordings/apiserver-v1.36/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {string} watch @returns {{ type: string, object: any }[]} */
export function framesOf(watch) {
  return exchange(watch).frames.map((/** @type {any} */ { frame }) =>
    typeof frame === 'string' ? JSON.parse(frame) : frame,
  );
}

/**
 * Returns the state of an object before a version of it.
 * @param {string} watch
 * @param {string} name
 * @param {number} resourceVersion
 */
export function stateBefore(watch, name, resourceVersion) {
  const states = framesOf(watch)
    .map(({ object }) => object)
    .filter(({ metadata }) => metadata.name === name)
    .filter(({ metadata }) => Number(metadata.resourceVersion) < resourceVersion);
  const last = states.at(-1);
  if (!last) throw new Error(`no state of ${name} before ${resourceVersion}`);
  return last;
}

/**
 * Removes the parts of a body that differ between any two servers.
 * @param {any} body
 * @param {string[]} [more] fields of the metadata
 * @returns {any}
 */
export function comparable(body, more = []) {
  if (body?.items) {
    const { resourceVersion: _, continue: __, ...metadata } = body.metadata;
    const items = body.items.map((/** @type {any} */ item) => comparable(item, more));
    return { ...body, metadata, items };
  }
  if (!body?.metadata) return body;
  const dropped = ['managedFields', 'resourceVersion', ...more];
  const metadata = Object.fromEntries(
    Object.entries(body.metadata).filter(([name]) => !dropped.includes(name)),
  );
  return { ...body, metadata };
}
