/** The options of an API client: a runtime, a kubeconfig or a caller provides them. */

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
 *   Promise<HeadersLike>} [headers] credentials, requested before each attempt; with `refresh` the
 *   server has rejected the previous ones, `refused`
 * @property {string} [userAgent] default: the host's
 * @property {Clock} [clock] for the delay before another attempt; default: the host's
 * @property {string} [namespace] the user's namespace; default `default`
 * @property {() => void | Promise<void>} [close] ends the connections that `fetch` keeps
 */

export {};
