/** @import { Session } from '../session.js' */

/**
 * The session for views of the other world: its cluster, its decisions, and the choice among them.
 * Everything else is shared with the first world.
 * @param {Session} session
 * @returns {Session}
 */
export function otherSide(session) {
  const { comparing } = session;
  const { cluster, evaluation, rows, selectedPod } = comparing;
  /** @type {Partial<Session>} */
  const own = {
    cluster,
    evaluation,
    rows,
    selectedPod,
    lookAt: (pod, attempt) => {
      comparing.choose(attempt);
      return session.look();
    },
    explainScore: (score) => session.query((playground) => playground.explainOtherScore(score)),
    explainPick: () => session.query((playground) => playground.explainOtherPick()),
    explainDevices: async () => session.query((playground) => playground.explainOtherDevices()),
  };
  return besides(session, own);
}

/**
 * The session with some of its parts replaced.
 * @template {object} Own
 * @param {Session} session
 * @param {Own} own
 * @returns {Session & Own}
 */
export function besides(session, own) {
  const replaced = new Proxy(session, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return /** @type {Session & Own} */ (replaced);
}
