/**
 * A process of the API server, which can be killed, and started again at the same address with what
 * etcd kept.
 */
import { createApiServer } from '../../../js/apiserver/index.js';
import { connectionRefused } from './flaky_body.js';

/**
 * @import { ApiServer, ApiServerOptions } from '../../../js/apiserver/api_server.js'
 * @import { Fetch } from '../../../js/src/client/api_client.js'
 */

/**
 * The resourceVersions after a restart: `later` than all before, so that no watch can resume from
 * an old one, or `earlier`, as after a restore of a backup. The content is as etcd kept it, or as
 * it was backed up last.
 * @typedef {'later' | 'earlier'} Versions
 */

const FIRST_VERSION = 10_000_000;
/** More than a process gives out. */
const VERSIONS = 100_000;

export class ApiServerProcess {
  #options;
  /** @type {ApiServer | undefined} */
  #running;
  /** @type {ApiServer} */
  #last;
  #kept = new Uint8Array();
  #backup = new Uint8Array();
  #earliest = FIRST_VERSION;
  #latest = FIRST_VERSION;
  /** @type {((server: ApiServer) => void)[]} */
  #onStart = [];

  /** @param {ApiServerOptions} [options] */
  constructor(options = {}) {
    this.#options = options;
    this.#last = createApiServer({ ...options, resourceVersion: FIRST_VERSION });
    this.#running = this.#last;
  }

  /** The running process, or the last one. */
  get server() {
    return this.#last;
  }

  /** Called before each request. @type {(request: Request) => void} */
  beforeServing = () => {};

  /** @type {Fetch} */
  fetch = async (request) => {
    if (!this.#running) throw connectionRefused();
    this.beforeServing(request);
    return this.#running.fetch(request);
  };

  /** @param {(server: ApiServer) => void} listener of this one and those to come */
  onStart(listener) {
    this.#onStart.push(listener);
    listener(this.#last);
  }

  /** Ends the process. The network breaks the connections. */
  kill() {
    this.#kept = this.#last.exportList();
    const { metadata } = JSON.parse(new TextDecoder().decode(this.#kept));
    this.#latest = Math.max(this.#latest, Number(metadata.resourceVersion));
    this.#running = undefined;
    this.#last.dispose();
  }

  backUp() {
    this.#backup = this.#last.exportList();
  }

  /** @param {Versions} versions @param {'kept' | 'restored'} [content] */
  start(versions, content = 'kept') {
    const isRestored = content === 'restored' && this.#backup.length > 0;
    const { items: objects } = JSON.parse(
      new TextDecoder().decode(isRestored ? this.#backup : this.#kept),
    );
    this.#earliest -= VERSIONS;
    const resourceVersion = versions === 'later' ? this.#latest : this.#earliest;
    // A List that is imported tells where versions go on from; objects by themselves do not.
    if (versions === 'later' && !isRestored) {
      this.#last = createApiServer({ ...this.#options, resourceVersion });
      this.#last.importList(this.#kept);
    } else {
      this.#last = createApiServer({ ...this.#options, resourceVersion, objects });
    }
    this.#running = this.#last;
    for (const listener of this.#onStart) listener(this.#last);
  }

  dispose() {
    this.#last.dispose();
  }
}
