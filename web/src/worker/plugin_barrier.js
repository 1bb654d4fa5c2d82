/** The conditions under which plugins do not run, even with the user's consent. */

const IN_A_FRAME =
  'plugins do not run in a frame of another page: open the playground in its own page';
const BESIDE_AN_API =
  'plugins do not run here, because the address of this page also serves the API of a cluster: ' +
  'open the playground at another address';
const WHILE_LIVE =
  'plugins do not run while the page follows a live cluster: disconnect, and open this again';

export class PluginBarrier {
  #isFramed;
  #origin;
  #fetch;
  /** @type {Promise<boolean> | undefined} */
  #servesApi;

  /**
   * @param {{ isFramed: boolean, origin?: string, fetch?: (url: URL) => Promise<Response> }} page
   *   `isFramed`: whether the page is in a frame
   */
  constructor({ isFramed, origin = self.origin, fetch = (url) => globalThis.fetch(url) }) {
    this.#isFramed = isFramed;
    this.#origin = origin;
    this.#fetch = fetch;
  }

  /**
   * @param {boolean} isLive whether a live cluster is followed
   * @returns {Promise<string>} why plugins may not run; empty if they may
   */
  async reason(isLive) {
    if (this.#isFramed) return IN_A_FRAME;
    // Asked once: the first plugin removes the network.
    this.#servesApi ??= this.#asked();
    if (await this.#servesApi) return BESIDE_AN_API;
    return isLive ? WHILE_LIVE : '';
  }

  /** Whether an API server answers at the page's own address; a refusal counts as an answer. */
  async #asked() {
    try {
      const answer = await this.#fetch(new URL('/version', this.#origin));
      const { gitVersion, kind } = await answer.json();
      return typeof gitVersion === 'string' || kind === 'Status';
    } catch {
      return false;
    }
  }
}
