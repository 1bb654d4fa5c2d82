/**
 * The interface of informers that a live scheduler needs; `createInformers` of `stowage/informer`
 * implements it.
 */

/**
 * @import { ApiClient } from '../client/api_client.js'
 * @import { Clock } from '../engine/types.js'
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { Kind } from '../kubernetes/watched_kinds.js'
 */

/**
 * @typedef {object} InformersSetup
 * @property {Pick<ApiClient, 'list' | 'watch'>} client
 * @property {Scheduler} sink
 * @property {readonly Kind[]} [kinds]
 * @property {AbortSignal} signal ends the informers
 * @property {Clock} [clock]
 * @property {() => number} random
 * @property {(error: unknown, resource: string) => void} onError
 * @property {(status: InformerStatus) => void} onStatus
 */

/**
 * @typedef {object} InformerStatus
 * @property {string} resource
 * @property {string} state
 * @property {string} [resourceVersion]
 * @property {number} relists
 */

/**
 * @typedef {object} Informers
 * @property {() => Promise<void>} run
 * @property {() => Promise<void>} synced
 * @property {() => InformerStatus[]} status
 */

/** @typedef {(setup: InformersSetup) => Informers} CreateInformers */

export {};
