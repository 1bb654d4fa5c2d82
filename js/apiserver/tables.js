/**
 * Objects as rows of tables, which `kubectl get` requests and prints.
 * Counterpart: apiserver/pkg/endpoints/handlers/response.go and pkg/printers, v1.36.
 */
import { own } from '../src/kubernetes/values.js';
import { badRequest } from '../src/kubernetes/status_errors.js';
import { CLUSTER_PRINTERS } from './tables/cluster.js';
import { age, nameOf } from './tables/cells.js';
import { AGE, NAME } from './tables/columns.js';
import { EVENT_PRINTERS } from './tables/event.js';
import { NODE_PRINTERS } from './tables/node.js';
import { POD_PRINTERS } from './tables/pod.js';
import { SERVICE_PRINTERS } from './tables/service.js';
import { STORAGE_PRINTERS } from './tables/storage.js';
import { WORKLOAD_PRINTERS } from './tables/workloads.js';

/** @import { KubernetesObject } from '../src/kubernetes/types.js' */
/** @import { Printer } from './tables/columns.js' */

/** @type {Record<string, Printer>} */
const PRINTERS = Object.freeze({
  ...CLUSTER_PRINTERS,
  ...EVENT_PRINTERS,
  ...NODE_PRINTERS,
  ...POD_PRINTERS,
  ...SERVICE_PRINTERS,
  ...STORAGE_PRINTERS,
  ...WORKLOAD_PRINTERS,
});

/**
 * Kinds that are only stored here. kube-apiserver prints more columns of some of them.
 * @type {Printer}
 */
const DEFAULT_PRINTER = {
  columns: [NAME, AGE],
  cells: (object, now) => [nameOf(object), age(object, now)],
};

/**
 * The parts of its object that a row may contain.
 * @type {Record<string, (object: any, apiVersion: string) => object | null>}
 */
const INCLUDED = {
  None: () => null,
  Metadata: ({ metadata }, apiVersion) => ({ kind: 'PartialObjectMetadata', apiVersion, metadata }),
  Object: (object) => object,
};

/**
 * @typedef {object} TableOptions
 * @property {string} [apiVersion] `meta.k8s.io/v1` (default) or `meta.k8s.io/v1beta1`
 * @property {number} now milliseconds since the epoch, for ages
 * @property {string} [includeObject] `None`, `Metadata` (default) or `Object`
 * @property {object} [metadata] of the list, or of the one object: its resourceVersion
 * @property {boolean} [noHeaders] as in the second and later events of a watch
 */

/**
 * @param {{ kind: string }} resource
 * @param {readonly KubernetesObject[]} objects
 * @param {TableOptions} options
 * @returns {any} a Table; throws an ApiError for an unknown `includeObject`
 */
export function tableOf(resource, objects, options) {
  const { now, includeObject, metadata = {}, noHeaders, apiVersion = 'meta.k8s.io/v1' } = options;
  const included = own(INCLUDED, includeObject || 'Metadata');
  if (!included) {
    throw badRequest(`unrecognized includeObject value: ${JSON.stringify(includeObject)}`);
  }
  const { columns, cells, conditions } = own(PRINTERS, resource.kind) ?? DEFAULT_PRINTER;
  return {
    kind: 'Table',
    apiVersion,
    metadata,
    columnDefinitions: noHeaders ? null : columns,
    rows: objects.map((object) => {
      const found = conditions?.(object) ?? [];
      return {
        cells: cells(object, now),
        ...(found.length > 0 && { conditions: found }),
        object: included(object, apiVersion),
      };
    }),
  };
}
