/**
 * The API server's client, and informers that keep a sink in sync with a cluster.
 * @module stowage/informer
 */
export { ApiClient, createApiClient } from './client/api_client.js';
export { ApiError } from './kubernetes/api_error.js';
export { ConnectionError } from './client/connection_error.js';
export { urlOf } from './client/urls.js';
export { createInformers, Informers } from './informer/informers.js';
export { kindsWatchedWith, SCHEDULER_KINDS } from './kubernetes/watched_kinds.js';

/** @typedef {import('./client/api_client.js').RequestOptions} RequestOptions */
/** @typedef {import('./client/list_pages.js').ListPage} ListPage */
/** @typedef {import('./client/list_pages.js').Query} Query */
/** @typedef {import('./io/client_options.js').ApiClientOptions} ApiClientOptions */
/** @typedef {import('./io/plain_http.js').Fetch} Fetch */
/** @typedef {import('./informer/feed.js').Sink} Sink */
/** @typedef {import('./informer/informers.js').InformersOptions} InformersOptions */
/** @typedef {import('./kubernetes/watched_kinds.js').Kind} Kind */
/** @typedef {import('./informer/reflector_status.js').ReflectorStatus} ReflectorStatus */
