/** The forms in which objects are answered: as they are, as rows of a table, or their metadata. */
import { asServed } from './event_conversion.js';
import { itemText, objectText } from './object_text.js';
import { zeroOf } from './schema/zero.js';
import { shapeOf } from './schema/types.js';
import { tableOf } from './tables.js';

/**
 * @import { KubernetesObject } from '../types.js'
 * @import { View } from './negotiation.js'
 */

/** @typedef {{ kind: string, apiVersion: string, group: string }} ObjectType */

/**
 * All of it answers JSON texts; those of a watch end with a line feed.
 * @typedef {object} Representation
 * @property {(object: KubernetesObject) => string} object
 * @property {(objects: KubernetesObject[], metadata: object) => string} list
 * @property {(type: string, object: KubernetesObject) => string} event
 * @property {(metadata: object) => string} bookmark
 * @property {(status: object) => string} error
 * @property {boolean} [isOfWholeObjects] whether events are the same for all who watch
 */

/**
 * `now`: milliseconds since the epoch. `includeObject`: what rows of a table hold of their objects,
 * `Metadata` by default.
 * @typedef {{ now: () => number, includeObject?: string | null }} RepresentationContext
 */

/**
 * @param {ObjectType} resource
 * @param {View} view
 * @param {RepresentationContext} context
 * @returns {Representation}
 */
export function representation(resource, view, context) {
  if (view === 'Table') return tables(resource, context);
  return view === 'PartialObjectMetadata' ? partialMetadata : wholeObjects(resource);
}

/**
 * @param {ObjectType} resource
 * @returns {Representation}
 */
function wholeObjects(resource) {
  const { kind, apiVersion } = resource;
  const as = (/** @type {KubernetesObject} */ object) => asServed(resource, object);
  return {
    object: (object) => objectText(as(object)),
    list: (objects, metadata) =>
      listText(
        `${kind}List`,
        apiVersion,
        metadata,
        objects.map((object) => itemText(as(object))),
      ),
    event: (type, object) => eventText(type, objectText(as(object))),
    bookmark: (metadata) => {
      const empty = { kind, apiVersion, ...zeroOf(shapeOf(apiVersion, kind)) };
      return eventText('BOOKMARK', JSON.stringify({ ...empty, metadata }));
    },
    error: errorText,
    isOfWholeObjects: true,
  };
}

/** @type {Representation} */
const partialMetadata = {
  object: (object) => JSON.stringify(metadataOf(object)),
  list: (objects, metadata) => {
    const items = objects.map((object) => JSON.stringify({ metadata: object.metadata }));
    return listText('PartialObjectMetadataList', 'meta.k8s.io/v1', metadata, items);
  },
  event: (type, object) => eventText(type, JSON.stringify(metadataOf(object))),
  bookmark: (metadata) => eventText('BOOKMARK', JSON.stringify(metadataOf({ metadata }))),
  error: errorText,
};

/**
 * @param {ObjectType} resource
 * @param {RepresentationContext} context
 * @returns {Representation}
 */
function tables(resource, { now, includeObject }) {
  const as = (/** @type {KubernetesObject} */ object) => asServed(resource, object);
  const table = (
    /** @type {KubernetesObject[]} */ objects,
    /** @type {object} */ metadata,
    noHeaders = false,
  ) =>
    JSON.stringify(
      tableOf(resource, objects.map(as), {
        metadata,
        now: now(),
        ...(includeObject && { includeObject }),
        noHeaders,
      }),
    );
  /** A watch says once what the columns are. */
  let hasHeaders = false;
  const metadataOfOne = (/** @type {KubernetesObject} */ { metadata }) => ({
    resourceVersion: metadata.resourceVersion,
  });
  return {
    object: (object) => table([object], metadataOfOne(object)),
    list: table,
    event: (type, object) => {
      const text = eventText(type, table([object], metadataOfOne(object), hasHeaders));
      hasHeaders = true;
      return text;
    },
    bookmark: (metadata) => eventText('BOOKMARK', table([], metadata, true)),
    error: errorText,
  };
}

/** @param {KubernetesObject} object */
function metadataOf({ metadata }) {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

/**
 * @param {string} kind
 * @param {string} apiVersion
 * @param {object} metadata
 * @param {string[]} items
 */
function listText(kind, apiVersion, metadata, items) {
  const head = JSON.stringify({ kind, apiVersion, metadata });
  return `${head.slice(0, -1)},"items":[${items.join(',')}]}`;
}

/**
 * @param {string} type
 * @param {string} object
 */
function eventText(type, object) {
  return `{"type":"${type}","object":${object}}\n`;
}

/** @param {object} status */
function errorText(status) {
  return eventText('ERROR', JSON.stringify(status));
}
