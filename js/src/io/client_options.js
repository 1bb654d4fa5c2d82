/** How a client reaches an API server: what a runtime, a kubeconfig or a caller provides. */

/**
 * @import { Clock } from './clock.js'
 * @import { Fetch } from './plain_http.js'
 */

/** @typedef {Headers | Record<string, string> | [string, string][]} HeadersLike */

/**
 * @typedef {object} ApiClientOptions
 * @property {string} baseUrl absolute, http or https; it may have a path of its own
 * @property {Fetch} [fetch] default: the host's
 * @property {(options: { refresh: boolean, refused?: HeadersLike }) => HeadersLike |
 *   Promise<HeadersLike>} [headers] credentials, asked for before each attempt; with `refresh`
 *   those that it gave before, `refused`, are no good any more
 * @property {string} [userAgent] default: the host's
 * @property {Clock} [clock] for the time before another attempt; default: the host's
 * @property {string} [namespace] the one that its user works in; default `default`
 * @property {() => void | Promise<void>} [close] ends the connections that `fetch` keeps
 */

export {};
