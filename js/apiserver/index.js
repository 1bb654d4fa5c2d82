/**
 * A Kubernetes API server in memory: `Request` in, `Response` out.
 * @module stowage/embedded-apiserver
 */
export { createApiServer } from './api_server.js';
export { CONTROLLERS } from './controllers/controllers.js';
export { objectFaults, storedObject } from './object_faults.js';

/** @typedef {import('./api_server.js').ApiServer} ApiServer */
/** @typedef {import('./api_server.js').ApiServerOptions} ApiServerOptions */
/** @typedef {import('./object_faults.js').ObjectFault} ObjectFault */
