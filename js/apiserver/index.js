/**
 * A Kubernetes API server in memory: `Request` in, `Response` out.
 * @module stowage/embedded-apiserver
 */
export { createApiServer, createJsonApiServer } from './api_server.js';
export { controllerGroup } from './controllers/controller_context.js';
export { CONTROLLERS, controllersNamed } from './controllers/controllers.js';
export { startTaintEviction } from './controllers/nodelifecycle/taint_eviction.js';
export { startPodGarbageCollector } from './controllers/podgc/pod_gc.js';
export { featureGatesOf } from './feature_gates.js';
export { objectFaults, storedObject } from './object_faults.js';
export { appliedObject } from './patch/applied_object.js';
export { decode, DecodeError } from './schema/decode.js';
export { KUBERNETES_TYPES } from './schema/kubernetes_types.js';
export { ANY, Table } from './schema/types.js';
export { updateFaults } from './update_faults.js';

/** @typedef {import('./api_server.js').ApiServer} ApiServer */
/** @typedef {import('./api_server.js').ApiServerOptions} ApiServerOptions */
/** @typedef {import('./feature_gates.js').FeatureGates} FeatureGates */
/** @typedef {import('./object_faults.js').ObjectFault} ObjectFault */
/** @typedef {import('./controllers/controllers.js').ControllerName} ControllerName */
/** @typedef {import('./schema/types.js').Field} Field */
/** @typedef {import('./schema/types.js').Shape} Shape */
/** @typedef {import('./schema/types.js').Struct} Struct */
/** @typedef {import('./store.js').Store} Store */
