/** Lines of watches. All watches share the line of an event. */

/** @import { KubernetesObject } from '../src/kubernetes/types.js' */
/** @import { Representation } from './representation.js' */
/** @import { Resource } from '../src/kubernetes/kinds.js' */

const ENCODER = new TextEncoder();

/** A line in the queues of its readers. Its bytes never change. */
export class EventLine {
  /** @type {Uint8Array | undefined} */
  #bytes;

  /** @param {string} text with its line feed */
  constructor(text) {
    this.text = text;
  }

  get bytes() {
    return (this.#bytes ??= ENCODER.encode(this.text));
  }
}

/**
 * @type {{ resource: Resource, type: string, object: KubernetesObject, line: EventLine } | null}
 */
let latest = null;

/**
 * Returns the line of an event. All watches of whole objects share it: they receive an event one
 * after the other, so only the latest line is kept.
 * @param {Resource} resource
 * @param {Representation} representation
 * @param {{ type: string, object: KubernetesObject }} event
 */
export function eventLine(resource, representation, { type, object }) {
  if (!representation.isOfWholeObjects) return new EventLine(representation.event(type, object));
  const isKnown = latest?.resource === resource && latest.type === type && latest.object === object;
  if (latest && isKnown) return latest.line;
  const line = new EventLine(representation.event(type, object));
  latest = { resource, type, object, line };
  return line;
}
