/**
 * What only kubectl requests. A server for other clients does not need the code of it.
 * Counterpart: pkg/printers, kube-openapi and the protobuf serializer of apimachinery, v1.36.
 */
import { serveOpenApi } from './openapi.js';
import { decodeProtobuf } from './schema/protobuf.js';
import { tableOf } from './tables.js';

/**
 * @typedef {object} ForKubectl
 * @property {typeof tableOf} tableOf
 * @property {typeof serveOpenApi} serveOpenApi
 * @property {typeof decodeProtobuf} decodeProtobuf
 */

/** @type {ForKubectl} */
export const FOR_KUBECTL = { tableOf, serveOpenApi, decodeProtobuf };
