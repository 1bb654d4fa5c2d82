/** The state of the What-if panel: the changes to try, their future, failures and fixes. */
import { batch, effect, signal } from '@preact/signals';
import { proxy } from 'comlink';

import { futureOf, marksNow, marksThen } from './future_cluster.js';
import { Failures } from './failures.js';
import { Answers } from './answers.js';
import { FixDesk } from './fixes.js';

/**
 * @import { TriedChange } from '../../whatif/changes.js'
 * @import { DrainPlan } from '../../whatif/drains.js'
 * @import { Outlook } from '../../whatif/outlook.js'
 * @import { Loaded } from '../../whatif/present.js'
 * @import { PodGroupReport } from '../../whatif/pod_groups.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 * @import { Ask } from './answers.js'
 */

/** @typedef {'changes' | 'failures' | 'fix' | 'podGroup'} Mode */

/** @type {Ask<PodGroupReport>} */
function askAboutGroup(session, podGroup, onLoaded) {
  return session.query((playground) => playground.podGroup(podGroup, onLoaded));
}

/** One for each session. @type {WeakMap<Session, Desk>} */
const desks = new WeakMap();

/** The panel's state, which stays while another panel is open. @param {Session} session */
export function deskOf(session) {
  const desk = desks.get(session) ?? new Desk(session);
  desks.set(session, desk);
  return desk;
}

export class Desk {
  #session;
  /** The number of the latest question. */
  #latest = 0;

  mode = signal(/** @type {Mode} */ ('changes'));
  changes = signal(/** @type {readonly TriedChange[]} */ ([]));
  outlook = signal(/** @type {Outlook | null} */ (null));
  /** How the drains among the changes would go. */
  drain = signal(/** @type {DrainPlan | null} */ (null));
  /** The objects read, while the cluster is read for the first question. */
  loaded = signal(/** @type {Loaded | null} */ (null));
  isAsking = signal(false);
  fault = signal(/** @type {PlainError | null} */ (null));

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.failures = new Failures(session, (loaded) => this.#read(loaded));
    this.fix = new FixDesk(session, (loaded) => this.#read(loaded));
    this.podGroup = new Answers(session, askAboutGroup, (loaded) => this.#read(loaded));
    let { value: opened } = session.opened;
    effect(() => {
      if (session.opened.value === opened) return;
      opened = session.opened.value;
      this.#forget();
    });
  }

  /**
   * Shows the future as long as the panel is open, and asks again whenever the cluster changes.
   * @returns {() => void} ends it
   */
  enter() {
    const { prospect, cluster, isBusy, playback } = this.#session;
    /** @type {unknown[]} */
    let asked = [];
    const ends = [
      effect(() => {
        const { value: changes } = this.changes;
        const { value: present } = cluster;
        if (this.mode.value !== 'changes' || changes.length === 0) {
          asked = [];
          this.#latest += 1;
          batch(() => this.#show(null));
        } else if (!isBusy.value && !playback.isPlaying.value) {
          if (asked[0] !== changes || asked[1] !== present) void this.#ask(changes);
          asked = [changes, present];
        }
      }),
      effect(() => {
        const pod = prospect.pod.value;
        if (pod === '') return;
        this.fix.about.value = pod;
        this.mode.value = 'fix';
        prospect.pod.value = '';
      }),
      effect(() => {
        const podGroup = prospect.podGroup.value;
        if (podGroup === '') return;
        this.podGroup.about.value = podGroup;
        this.mode.value = 'podGroup';
        prospect.podGroup.value = '';
      }),
      effect(() => {
        prospect.stranded.value = this.mode.value === 'failures' ? this.failures.map.value : null;
      }),
    ];
    return () => {
      for (const end of ends) end();
      prospect.cluster.value = null;
      prospect.stranded.value = null;
    };
  }

  /** @param {TriedChange} change */
  add(change) {
    const same = JSON.stringify(change);
    const others = this.changes.value.filter((one) => JSON.stringify(one) !== same);
    this.changes.value = [...others.filter((one) => !isReplaced(one, change)), change];
    this.mode.value = 'changes';
  }

  /** @param {TriedChange} change */
  remove(change) {
    this.changes.value = this.changes.value.filter((one) => one !== change);
  }

  clear() {
    this.changes.value = [];
  }

  /** Makes the changes in the world, each as a step that can be undone. */
  async make() {
    const changes = [...this.changes.value];
    this.clear();
    try {
      const actions = await this.#session.query((playground) => playground.actionsFor(changes));
      await this.#session.do(...actions);
    } catch {
      // Trying them again shows the error.
      this.changes.value = changes;
    }
  }

  /** @param {readonly TriedChange[]} changes */
  async #ask(changes) {
    const question = (this.#latest += 1);
    const isLatest = () => this.#latest === question;
    const onLoaded = proxy((/** @type {Loaded} */ loaded) => this.#read(loaded));
    this.isAsking.value = true;
    try {
      const outlook = await this.#session.query((playground) =>
        playground.lookAhead([...changes], onLoaded),
      );
      if (!isLatest()) return;
      batch(() => this.#show(outlook));
      const drained = changes.flatMap((one) => (one.type === 'drain' ? one.node : []));
      if (drained.length === 0) return;
      const plan = await this.#session.query((playground) => playground.planDrain(drained));
      if (isLatest()) this.drain.value = plan;
    } catch (error) {
      const fault = /** @type {PlainError} */ (error);
      // The cluster has changed meanwhile, and another question follows.
      if (fault.name === 'AbortError') return;
      if (isLatest()) batch(() => this.#show(null, fault));
    }
  }

  /** @param {Loaded} loaded */
  #read(loaded) {
    this.loaded.value = loaded.done < loaded.total ? loaded : null;
  }

  /**
   * @param {Outlook | null} outlook
   * @param {PlainError | null} [fault]
   */
  #show(outlook, fault = null) {
    const { prospect, cluster } = this.#session;
    this.outlook.value = outlook;
    this.drain.value = null;
    this.fault.value = fault;
    this.isAsking.value = false;
    prospect.marks.value = outlook ? marksNow(outlook) : new Map();
    prospect.marksThen.value = outlook ? marksThen(outlook) : new Map();
    prospect.cluster.value = outlook && futureOf(cluster.peek(), outlook);
  }

  #forget() {
    batch(() => {
      this.changes.value = [];
      this.mode.value = 'changes';
      this.failures.forget();
      this.fix.forget();
      this.podGroup.forget();
      this.#show(null);
    });
  }
}

/**
 * Whether a change is about the same as a later one.
 * @param {TriedChange} one
 * @param {TriedChange} later
 */
function isReplaced(one, later) {
  if (one.type === 'scale' && later.type === 'scale')
    return ['kind', 'namespace', 'name'].every(
      (field) => Reflect.get(one, field) === Reflect.get(later, field),
    );
  if (one.type === 'addNodes' && later.type === 'addNodes') return one.like === later.like;
  return 'node' in one && 'node' in later && one.node === later.node;
}
