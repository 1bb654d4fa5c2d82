/** The panel's state of ways to give a pending pod a node. */
import { Answers } from './answers.js';

/**
 * @import { Fixes, Way } from '../../whatif/fixes.js'
 * @import { Loaded } from '../../whatif/present.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 * @import { Ask } from './answers.js'
 */

/** @type {Ask<Fixes>} */
function askHow(session, pod, onLoaded) {
  if (pod === '' || !session.cluster.peek().pods.has(pod)) return null;
  return session.query((playground) => playground.fix(pod, onLoaded));
}

/** @extends {Answers<Fixes>} */
export class FixDesk extends Answers {
  #session;

  /**
   * @param {Session} session
   * @param {(loaded: Loaded) => void} onLoaded
   */
  constructor(session, onLoaded) {
    super(session, askHow, onLoaded);
    this.#session = session;
  }

  /** Makes the changes of a way, each as a step that can be undone. @param {Way} way */
  async make({ changes }) {
    try {
      const actions = await this.#session.query((playground) => playground.actionsOfWay(changes));
      await this.#session.do(...actions);
    } catch (error) {
      this.fault.value = /** @type {PlainError} */ (error);
    }
  }
}
