/** The context of all handlers. */

/**
 * @import { PlainRequest, PlainResponse } from '../../src/io/plain_http.js'
 * @import { Clock } from '../../src/io/clock.js'
 * @import { ForKubectl } from '../for_kubectl.js'
 * @import { ResourceRequest } from '../request_info.js'
 * @import { Storage } from '../storage.js'
 * @import { Store } from '../store.js'
 * @import { Watches } from '../watches.js'
 */

/**
 * @typedef {object} ServerContext
 * @property {Storage} storage
 * @property {Store} store
 * @property {Clock} clock
 * @property {() => number} random
 * @property {Watches} watches the open ones
 * @property {string} gitVersion of `/version`
 * @property {ForKubectl} [forKubectl] absent in a server that kubectl cannot use
 */

/**
 * @typedef {object} Exchange
 * @property {ServerContext} server
 * @property {ResourceRequest} info
 * @property {PlainRequest} request
 */

/** @typedef {(exchange: Exchange) => PlainResponse | Promise<PlainResponse>} Handler */

export {};
