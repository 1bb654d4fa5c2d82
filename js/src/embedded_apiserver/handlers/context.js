/** What all handlers work with. */

/**
 * @import { Clock } from '../../types.js'
 * @import { ResourceRequest } from '../request_info.js'
 * @import { Storage } from '../storage.js'
 * @import { Store } from '../store.js'
 */

/**
 * @typedef {object} ServerContext
 * @property {Storage} storage
 * @property {Store} store
 * @property {Clock} clock
 * @property {() => number} random
 * @property {AbortSignal} signal comes when the server stops
 */

/**
 * @typedef {object} Exchange
 * @property {ServerContext} server
 * @property {ResourceRequest} info
 * @property {Request} request
 */

/** @typedef {(exchange: Exchange) => Response | Promise<Response>} Handler */

export {};
