/**
 * The two requests for one kind. Source: client-go/tools/cache/listwatch.go, and metav1.ListOptions
 * of apimachinery, v1.36.
 */
import { collectionPath } from '../kubernetes/watched_kinds.js';

/**
 * @import { ApiClient } from '../client/api_client.js'
 * @import { Kind } from '../kubernetes/watched_kinds.js'
 * @import { ListPage } from '../client/list_pages.js'
 */

/** ListWatch lists and watches one kind. An empty version means no version. */
export class ListWatch {
  #client;
  #path;
  #selectors;

  /**
   * @param {Pick<ApiClient, 'list' | 'watch'>} client
   * @param {Kind} kind
   */
  constructor(client, kind) {
    const { fieldSelector, labelSelector } = kind;
    this.#client = client;
    this.#path = collectionPath(kind);
    this.#selectors = {
      fieldSelector: fieldSelector || undefined,
      labelSelector: labelSelector || undefined,
    };
  }

  /**
   * @param {{ resourceVersion: string, limit: number }} options `limit: 0`: all in one page
   * @param {AbortSignal} signal
   * @returns {AsyncGenerator<ListPage, void, void>}
   */
  list({ resourceVersion, limit }, signal) {
    const query = { ...this.#selectors, resourceVersion: resourceVersion || undefined };
    return this.#client.list(this.#path, { limit, query, signal });
  }

  /**
   * @param {{ resourceVersion: string, timeoutSeconds: number, sendInitialEvents?: boolean }}
   *   options `sendInitialEvents`: all objects first, as of that version or newer
   * @param {AbortSignal} signal
   * @returns {AsyncGenerator<Uint8Array, void, void>} whole lines
   */
  watch({ resourceVersion, timeoutSeconds, sendInitialEvents = false }, signal) {
    const query = {
      allowWatchBookmarks: true,
      ...this.#selectors,
      resourceVersion: resourceVersion || undefined,
      ...(sendInitialEvents && {
        resourceVersionMatch: 'NotOlderThan',
        sendInitialEvents,
      }),
      timeoutSeconds,
    };
    return this.#client.watch(this.#path, query, signal);
  }
}
