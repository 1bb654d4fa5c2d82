/**
 * A live cluster: informers follow it through its API server, and an engine evaluates pods against
 * it. The engine binds nothing; the cluster's own scheduler decides.
 */
import { StowageError, systemClock } from '../../../js/src/index.js';
import { ApiError, createInformers } from '../../../js/src/informer.js';
import { parseSingle } from '../../../js/src/manifests.js';
import { ClusterModel } from '../model/cluster_model.js';
import { ClusterWrites, placeOf } from '../world/cluster_writes.js';
import { KnownObjects } from '../world/known_objects.js';
import { ClusterClient } from './cluster_client.js';
import { LiveRows } from './live_rows.js';
import { statusOf } from './live_status.js';
import { ObservedObjects } from './observed_objects.js';

/**
 * @import { Clock, Engine, KubernetesObject } from '../../../js/src/index.js'
 * @import { Fetch, Informers } from '../../../js/src/informer.js'
 * @import { Update } from '../worker/opening.js'
 * @import { Moment } from '../world/attempts.js'
 * @import { ObjectReference } from '../world/cluster_writes.js'
 * @import { Action } from '../world/world.js'
 * @import { Permission } from './cluster_client.js'
 * @import { LiveRow } from './live_rows.js'
 * @import { LiveStatus } from './live_status.js'
 */

/**
 * `configuration`: a KubeSchedulerConfiguration in YAML or JSON; empty for kube-scheduler's
 * defaults.
 * @typedef {{ baseUrl: string, allowsChanges?: Permission, configuration?: string }} LiveOptions
 */

/**
 * The changes since the last call. `rows` are sorted by time.
 * @typedef {{ update: Update, rows: LiveRow[], status: LiveStatus }} News
 */

/**
 * The server's version, such as `v1.36.2`, and whether changes may be sent to it.
 * @typedef {{ version: string, allowsChanges: boolean }} Met
 */

/** Events of the cluster, which a scheduler does not watch. */
const EVENTS = [{ version: 'v1', resource: 'events' }];

/** The shortest time between two updates, in milliseconds. */
const PAUSE = 250;

/** The most rows that are kept between two updates. */
const MOST_ROWS = 3000;

/** The most objects of a kind that are listed for a choice. */
const MOST_LISTED = 500;

const NO_NETWORK = 'this page has run a plugin and can no longer connect; reload it first';

/** The error for actions that need a scheduler of this page. */
const NOT_HERE =
  'the cluster’s own scheduler decides; it cannot be stepped or configured from here';

const NO_CHANGES = Object.freeze({
  ...{ isWhole: false, nodes: [], pods: [], workloads: [], slices: [], claims: [] },
  ...{ goneNodes: [], gonePods: [], goneWorkloads: [], goneSlices: [], goneClaims: [] },
});

export class LiveCluster {
  #client;
  #writes;
  #scheduler;
  #log;
  /** Batches of watch lines that the scheduler has received. */
  #batches = 0;
  #clock;
  #onNews;
  #stop = new AbortController();
  #observed = new ObservedObjects();
  #model = new ClusterModel(this.#observed);
  #objects = KnownObjects.following(this.#observed);
  #rows;
  /** Rows that no update has delivered yet. @type {LiveRow[]} */
  #newRows = [];
  /** @type {Informers[]} */
  #informers = [];
  #following = Promise.resolve(/** @type {unknown} */ (undefined));
  #since;
  #hasNews = false;
  #isTelling = false;

  /**
   * Asks the server for its version and follows it from then on.
   * @param {{ engine: Engine, options: LiveOptions, onNews: (news: News) => unknown, fetch?: Fetch,
   *   clock?: Clock }} parts the next update waits until `onNews` has resolved; `clock` defaults to
   *   the host's
   * @returns {Promise<LiveCluster>}
   * @throws {StowageError} if there is no API server, or the configuration is invalid
   */
  static async connect({ engine, options, onNews, fetch, clock = systemClock() }) {
    const { baseUrl, allowsChanges = false, configuration = '' } = options;
    if (!fetch && typeof globalThis.fetch !== 'function')
      throw new StowageError('NoNetwork', NO_NETWORK);
    const client = new ClusterClient({ baseUrl, allowsChanges, ...(fetch && { fetch }) });
    const met = {
      version: await versionOf(client, baseUrl),
      allowsChanges: await client.mayChange(),
    };
    const settings = configuration.trim() && { configuration: parseSingle(configuration) };
    const own = /** @type {const} */ ({ api: 'host', keepObjects: false, clock });
    const scheduler = engine.createScheduler({ ...settings, ...own });
    const written = settings ? JSON.stringify(settings.configuration) : '';
    const log = [JSON.stringify({ configuration: written, featureGates: {} })];
    return new LiveCluster({ client, scheduler, clock, onNews, met, log });
  }

  /**
   * Use `connect`.
   * @param {{ client: ClusterClient, scheduler: ReturnType<Engine['createScheduler']>, clock:
   *   Clock, onNews: (news: News) => unknown, met: Met, log: readonly string[] }} parts `log`: its
   *   header
   */
  constructor({ client, scheduler, clock, onNews, met, log }) {
    this.#client = client;
    this.#writes = new ClusterWrites({ client });
    this.#scheduler = scheduler;
    this.#clock = clock;
    this.#onNews = onNews;
    this.#since = clock.now();
    const onRow = (/** @type {LiveRow} */ row) => {
      this.#newRows.push(row);
      this.#changed();
    };
    this.#rows = new LiveRows(this.#observed, { now: () => clock.now(), onRow });
    this.met = met;
    this.#log = log;
    this.#follow();
  }

  /** The cluster's present state, for questions about it. @returns {Moment} */
  get moment() {
    return { scheduler: this.#scheduler, log: this.#log, line: this.#batches };
  }

  /** The cluster's objects, of the kinds that the scheduler reads. @returns {KnownObjects} */
  get objects() {
    return this.#objects;
  }

  /**
   * Changes the cluster. The effects arrive as updates, as every other change.
   * @param {Action} action
   * @returns {Promise<Update>} with the errors of what was refused
   */
  async do(action) {
    /** @type {string[]} */
    const errors = [];
    for (const write of this.#writesOf(action))
      await write().catch((error) => errors.push(error.message));
    return { ...this.#update(), errors };
  }

  /**
   * @param {ObjectReference} reference
   * @returns {Promise<KubernetesObject | undefined>} undefined: there is none
   * @throws {StowageError}
   */
  async object(reference) {
    try {
      return await this.#client.json(placeOf(reference, reference).path);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * The first objects of a kind, in all namespaces.
   * @param {{ apiVersion: string, plural: string }} resource
   * @returns {Promise<KubernetesObject[]>} empty if there are none, or if the server refuses to
   *   list them
   */
  async list({ apiVersion, plural }) {
    const base = apiVersion.includes('/') ? '/apis' : '/api';
    const query = { limit: MOST_LISTED };
    try {
      return (await this.#client.json(`${base}/${apiVersion}/${plural}`, { query })).items;
    } catch (error) {
      if (error instanceof ApiError) return [];
      throw error;
    }
  }

  /**
   * @param {string} fieldSelector of the node's pods
   * @returns {Promise<[KubernetesObject[], KubernetesObject[]]>} the pods, and all DaemonSets of
   *   the cluster
   * @throws {StowageError}
   */
  async readForDrain(fieldSelector) {
    return [
      (await this.#client.json('/api/v1/pods', { query: { fieldSelector } })).items,
      (await this.#client.json('/apis/apps/v1/daemonsets')).items,
    ];
  }

  /** Stops following the cluster. */
  async dispose() {
    this.#stop.abort();
    await this.#following;
    this.#model.dispose();
    this.#scheduler.dispose();
  }

  /**
   * @param {Action} action
   * @returns {(() => Promise<void>)[]}
   * @throws {StowageError} if the action is not one on a cluster's objects
   */
  #writesOf(action) {
    switch (action.do) {
      case 'apply':
        return action.objects.map((object) => () => this.#writes.apply(object));
      case 'delete':
        return action.objects.map((reference) => () => this.#writes.delete(reference));
      case 'evict':
        return action.pods.map((pod) => () => this.#writes.evict(pod));
      case 'patch': {
        const { object, patch, subresource } = action;
        return [() => this.#writes.patch(object, patch, subresource)];
      }
      default:
        throw new StowageError('LiveCluster', NOT_HERE);
    }
  }

  #follow() {
    const parts = {
      client: this.#client,
      clock: this.#clock,
      signal: this.#stop.signal,
      onStatus: () => this.#changed(),
      onError: (/** @type {unknown} */ error) => this.#complained(error),
    };
    const observe = (/** @type {Uint8Array} */ lines, /** @type {string} */ source) => {
      this.#observed.take(lines, source);
      this.#changed();
    };
    const cluster = createInformers({
      ...parts,
      sink: {
        apply: (lines, settings) => {
          const taken = this.#scheduler.apply(lines, settings);
          this.#batches += 1;
          observe(lines, settings.source);
          return taken;
        },
      },
    });
    const sink = { apply: (/** @type {any} */ lines) => observe(lines, 'events') };
    const events = createInformers({ ...parts, kinds: EVENTS, sink });
    this.#informers = [cluster, events];
    this.#following = Promise.all(
      this.#informers.map((informers) => informers.run().catch((cause) => this.#failed(cause))),
    );
  }

  /** Objects that the scheduler cannot read become rows; connection errors appear in the status. */
  #complained(/** @type {unknown} */ error) {
    if (error instanceof Error && error.name === 'InputError') this.#rows.fault(error.message);
  }

  /** @param {unknown} cause */
  #failed(cause) {
    if (!this.#stop.signal.aborted) this.#rows.fault(`not followed any more: ${cause}`);
  }

  #changed() {
    this.#hasNews = true;
    // If an update cannot be delivered, its receiver has gone.
    if (!this.#isTelling) this.#tell().catch(() => {});
  }

  /** Delivers updates one at a time, each after its receiver has taken the one before. */
  async #tell() {
    this.#isTelling = true;
    try {
      while (this.#hasNews) {
        await this.#clock.sleep(this.#clock.now() + PAUSE, this.#stop.signal);
        this.#hasNews = false;
        await this.#onNews(this.#news());
      }
    } finally {
      this.#isTelling = false;
    }
  }

  /** @returns {News} */
  #news() {
    const rows = this.#newRows.slice(-MOST_ROWS).sort((a, b) => (a.at < b.at ? -1 : 1));
    this.#newRows = [];
    const all = this.#informers.flatMap((informers) => informers.status());
    return {
      update: { ...this.#update(), cluster: this.#model.take() },
      rows,
      status: statusOf(all, this.#since),
    };
  }

  /**
   * An update without a journal. Its changes of the cluster are empty here: `#news` adds them.
   * @returns {Update}
   */
  #update() {
    return {
      cluster: NO_CHANGES,
      now: this.#clock.now(),
      nextDeadline: null,
      expected: null,
      passing: null,
      isIdle: true,
      isHeld: false,
      position: 0,
      length: 0,
      chapter: 0,
      rowsFrom: 0,
      rows: [],
      hash: '',
      futures: [],
      plugins: [],
    };
  }
}

/**
 * @param {ClusterClient} client
 * @param {string} baseUrl
 * @returns {Promise<string>} such as `v1.36.2`
 * @throws {StowageError}
 */
async function versionOf(client, baseUrl) {
  const answer = await client.json('/version');
  if (typeof answer?.gitVersion === 'string') return answer.gitVersion;
  throw new StowageError('NotKubernetes', `${baseUrl} is not a Kubernetes API server`);
}
