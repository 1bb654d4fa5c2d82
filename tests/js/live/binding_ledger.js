/** Who bound which pod, and who wanted to, as the API server sees it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { keyOf } from './known_objects.js';

/**
 * @import { Store } from '../../../js/apiserver/store.js'
 * @import { Fetch } from '../../../js/src/client/api_client.js'
 */

/**
 * `by`: the client. `holder`: of the lease when the binding was stored; empty: none.
 * @typedef {{ at: number, pod: string, uid: string, node: string, by: string, holder: string }}
 *   Binding
 */

/** The Lease of those who bind. */
const LOCK = { namespace: 'kube-system', name: 'kube-scheduler' };

export class BindingLedger {
  #asking = new AsyncLocalStorage();
  #clock;
  #holder = () => '';
  /** @type {Binding[]} */
  bindings = [];
  /** Writes to pods by a client that did not lead at that time. @type {string[]} */
  usurped = [];

  /** @param {{ now(): number }} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /**
   * @param {string} identity of who asks
   * @param {Fetch} serve
   * @returns {Fetch}
   */
  of(identity, serve) {
    return (request) => {
      this.#check(identity, request);
      return this.#asking.run(identity, () => serve(request));
    };
  }

  /** @param {Store} store */
  follow(store) {
    this.#holder = () => store.get('leases', LOCK.namespace, LOCK.name)?.spec.holderIdentity ?? '';
    store.subscribe('pods', ({ object, previous }) => {
      if (!previous || previous.spec.nodeName || !object.spec.nodeName) return;
      const by = String(this.#asking.getStore());
      const holder = this.#holder();
      const pod = keyOf(object);
      const { nodeName: node } = object.spec;
      const uid = String(object.metadata.uid);
      this.bindings.push({ at: this.#clock.now(), pod, uid, node, by, holder });
    });
  }

  /** What was bound since that time. @param {number} time */
  since(time) {
    return this.bindings.filter(({ at }) => at >= time);
  }

  /** @returns {string[]} pods that were bound more than once */
  get boundTwice() {
    const counts = new Map();
    for (const { uid } of this.bindings) counts.set(uid, (counts.get(uid) ?? 0) + 1);
    const again = this.bindings.filter(({ uid }) => counts.get(uid) > 1);
    return again.map(({ pod, node }) => `${pod} to ${node}`);
  }

  /**
   * @param {string} identity
   * @param {Request} request
   */
  #check(identity, { method, url }) {
    const { pathname } = new URL(url);
    const holder = this.#holder();
    if (method === 'GET' || !pathname.includes('/pods/') || holder === identity) return;
    this.usurped.push(`${method} ${pathname} of ${identity}, and ${holder || 'no replica'} leads`);
  }
}
