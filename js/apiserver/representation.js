/** The forms of a response: whole objects, rows of a table, or metadata only. */
import { asServed } from './event_conversion.js';
import { notAcceptable } from './negotiation.js';
import { itemText, objectText } from './object_text.js';
import { zeroOf } from './schema/zero.js';
import { shapeOf } from './schema/types.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { ForKubectl } from './for_kubectl.js'
 * @import { View } from './negotiation.js'
 */

/** @typedef {{ kind: string, apiVersion: string, group: string }} ObjectType */

/**
 * All methods return JSON texts; those of a watch end with a line feed.
 * @typedef {object} Representation
 * @property {(object: KubernetesObject) => string} object
 * @property {(objects: KubernetesObject[], metadata: object) => string} list
 * @property {(type: string, object: KubernetesObject) => string} event
 * @property {(metadata: object) => string} bookmark
 * @property {(status: object) => string} error
 * @property {boolean} [isOfWholeObjects] whether all watchers get the same events
 */

/**
 * `now`: milliseconds since the epoch. `includeObject`: the part of its object that a table's row
 * contains, `Metadata` by default. `tableOf`: present if the view may be a table.
 * @typedef {object} RepresentationContext
 * @property {() => number} now
 * @property {string | null} [includeObject]
 * @property {ForKubectl['tableOf']} [tableOf]
 */

/**
 * @param {ObjectType} resource
 * @param {View} view
 * @param {RepresentationContext} context
 * @returns {Representation}
 */
export function representation(resource, view, context) {
  switch (view.kind) {
    case 'Table':
      return tables(resource, view.apiVersion, context);
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return partialMetadata(resource, view);
    default:
      return wholeObjects(resource);
  }
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

/**
 * @param {ObjectType} resource
 * @param {View} view
 * @returns {Representation}
 */
function partialMetadata(resource, { kind, apiVersion }) {
  const isOfLists = kind === 'PartialObjectMetadataList';
  const metadataText = (/** @type {{ metadata?: object }} */ { metadata }) =>
    JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion, metadata });
  const refused = (/** @type {string} */ what) =>
    notAcceptable(`you requested ${kind}, but the requested object is ${what}`);
  return {
    object(object) {
      if (isOfLists) throw refused(`not a list (${goType(resource)})`);
      return metadataText(object);
    },
    list(objects, metadata) {
      if (!isOfLists) throw refused(`a list (${goType(resource)}List)`);
      return listText(kind, apiVersion, metadata, objects.map(metadataText));
    },
    event: (type, object) => eventText(type, metadataText(object)),
    bookmark: (metadata) => eventText('BOOKMARK', metadataText({ metadata })),
    error: errorText,
  };
}

/**
 * The type's name in kube-apiserver's messages, which has one kind of events.
 * @param {ObjectType} type
 */
function goType({ group, kind }) {
  const [name] = group.split('.');
  return `*${['', 'events'].includes(name) ? 'core' : name}.${kind}`;
}

/**
 * @param {ObjectType} resource
 * @param {string} apiVersion of the tables
 * @param {RepresentationContext} context
 * @returns {Representation}
 */
function tables(resource, apiVersion, { now, includeObject, tableOf }) {
  if (!tableOf) throw new Error('a table was negotiated with a server that has none');
  const as = (/** @type {KubernetesObject} */ object) => asServed(resource, object);
  const table = (
    /** @type {KubernetesObject[]} */ objects,
    /** @type {object} */ metadata,
    noHeaders = false,
  ) =>
    JSON.stringify(
      tableOf(resource, objects.map(as), {
        apiVersion,
        metadata,
        now: now(),
        ...(includeObject && { includeObject }),
        noHeaders,
      }),
    );
  /** A watch sends the columns' definitions once. */
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
