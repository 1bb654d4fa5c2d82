/**
 * Assigns pod addresses: 10.244.0.1 to 10.247.255.254. A freed address is reused only after all
 * others.
 */

const FIRST = (10 << 24) + (244 << 16);
const COUNT = 1 << 18;

export class PodAddresses {
  /** @type {Map<string, string>} */
  #byPod = new Map();
  #used = new Set();
  #last = 0;

  /**
   * Returns the pod's address: its present one, or a free one.
   * @param {string} uid
   * @param {string | undefined} known
   * @returns {string}
   */
  assign(uid, known) {
    const mine = known ?? this.#byPod.get(uid) ?? this.#free();
    this.#byPod.set(uid, mine);
    this.#used.add(mine);
    return mine;
  }

  /** @param {string} uid */
  release(uid) {
    const mine = this.#byPod.get(uid);
    if (mine === undefined) return;
    this.#byPod.delete(uid);
    this.#used.delete(mine);
  }

  #free() {
    for (let tries = 0; tries < COUNT; tries += 1) {
      this.#last = (this.#last % (COUNT - 2)) + 1;
      const address = textOf(FIRST + this.#last);
      if (!this.#used.has(address)) return address;
    }
    throw new RangeError(`all ${COUNT - 2} addresses of pods are in use`);
  }
}

/** @param {number} address */
function textOf(address) {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}
