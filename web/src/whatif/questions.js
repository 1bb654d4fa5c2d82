/** Questions about the future of the open world, each answered on a fork of it. */
import { actionsFor } from './changes.js';
import { sweep } from './failures.js';
import { drainPlanOf } from './drains.js';
import { actionsOfWay, fixesOf } from './fixes.js';
import { outlookOf } from './outlook.js';
import { podGroupReport } from './pod_groups.js';
import { Present } from './present.js';

/**
 * @import { KubectlChange } from '../../../js/src/whatif.js'
 * @import { World } from '../world/world.js'
 * @import { TriedChange } from './changes.js'
 * @import { Domain, Findings } from './failures.js'
 * @import { Loaded } from './present.js'
 */

export { podsToEvict } from './drains.js';

/** Workloads and defaults of pods. */
const KINDS_BESIDES = ['deployments', 'daemonsets', 'jobs', 'limitranges', 'runtimeclasses'];

export class Questions {
  #world;
  /** @type {{ world: World, settings: object, present: Promise<Present> } | undefined} */
  #known;
  #looking = new AbortController();
  #sweeping = new AbortController();
  #fixing = new AbortController();

  /** @param {() => World} world returns the open world */
  constructor(world) {
    this.#world = world;
  }

  /**
   * @param {TriedChange[]} changes
   * @param {(loaded: Loaded) => unknown} [onLoaded]
   */
  async lookAhead(changes, onLoaded) {
    this.#looking.abort();
    this.#looking = new AbortController();
    const { signal } = this.#looking;
    const present = await this.#present(onLoaded);
    const objects = this.#workloads();
    return present.ask((base) =>
      outlookOf(base, changes, { objects, signal: AbortSignal.any([signal, base.signal]) }),
    );
  }

  /** @param {string[]} nodes */
  async planDrain(nodes) {
    const { signal } = this.#looking;
    const objects = this.#workloads();
    const present = await this.#present();
    return present.ask((base) =>
      drainPlanOf(base, nodes, { objects, signal: AbortSignal.any([signal, base.signal]) }),
    );
  }

  /** @param {TriedChange[]} changes */
  async actionsFor(changes) {
    const present = await this.#present();
    return present.ask((base) => actionsFor(base, changes, this.#world().server.store));
  }

  /**
   * @param {Domain} domain
   * @param {(found: Findings) => unknown} onFound
   * @param {(loaded: Loaded) => unknown} [onLoaded]
   */
  async sweep(domain, onFound, onLoaded) {
    this.#sweeping.abort();
    this.#sweeping = new AbortController();
    const { signal } = this.#sweeping;
    const present = await this.#present(onLoaded);
    await present.ask((base) =>
      sweep(base, domain, { onFound, signal: AbortSignal.any([signal, base.signal]) }),
    );
  }

  /**
   * @param {string} pod `namespace/name`
   * @param {(loaded: Loaded) => unknown} [onLoaded]
   */
  async fix(pod, onLoaded) {
    this.#fixing.abort();
    this.#fixing = new AbortController();
    const { signal } = this.#fixing;
    const present = await this.#present(onLoaded);
    const world = this.#world();
    return present.ask((base) =>
      fixesOf(base, pod, { world, signal: AbortSignal.any([signal, base.signal]) }),
    );
  }

  /**
   * @param {string} podGroup `namespace/name`
   * @param {(loaded: Loaded) => unknown} [onLoaded]
   */
  async podGroup(podGroup, onLoaded) {
    this.#fixing.abort();
    this.#fixing = new AbortController();
    const { signal } = this.#fixing;
    const present = await this.#present(onLoaded);
    return present.ask((base) =>
      podGroupReport(base, podGroup, AbortSignal.any([signal, base.signal])),
    );
  }

  /** @param {KubectlChange[]} changes */
  actionsOfWay(changes) {
    return actionsOfWay(changes, this.#world());
  }

  stopSweep() {
    this.#sweeping.abort();
  }

  async dispose() {
    this.#looking.abort();
    this.#sweeping.abort();
    this.#fixing.abort();
    await (await this.#known?.present)?.dispose();
    this.#known = undefined;
  }

  /** The objects from which pods are made, and which a scheduler does not keep. */
  #workloads() {
    const { store } = this.#world().server;
    return KINDS_BESIDES.flatMap((resource) => store.list(resource));
  }

  /** @param {(loaded: Loaded) => unknown} [onLoaded] */
  async #present(onLoaded) {
    const world = this.#world();
    const known = this.#known;
    if (known?.world === world && known.settings === world.settings) return known.present;
    const present = Present.of(world, onLoaded);
    this.#known = { world, settings: world.settings, present };
    present.catch(() => {
      if (this.#known?.present === present) this.#known = undefined;
    });
    await known?.present.then((one) => one.dispose()).catch(() => {});
    return present;
  }
}
