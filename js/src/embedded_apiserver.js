/**
 * A Kubernetes API server in memory: `Request` in, `Response` out.
 * @module stowage/embedded-apiserver
 */
export { createApiServer } from './embedded_apiserver/api_server.js';
export { CONTROLLERS } from './embedded_apiserver/controllers/controllers.js';

/** @typedef {import('./embedded_apiserver/api_server.js').ApiServer} ApiServer */
/** @typedef {import('./embedded_apiserver/api_server.js').ApiServerOptions} ApiServerOptions */
