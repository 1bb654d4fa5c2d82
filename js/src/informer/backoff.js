/**
 * Computes a reflector's delay after a failure. Source: client-go/tools/cache/reflector.go
 * (NewReflectorWithOptions) and apimachinery/pkg/util/wait/backoff.go, v1.36.
 */

const INITIAL_MS = 800;
const MAX_MS = 30_000;
const FACTOR = 2;
const JITTER = 1;
/** After this time without a failure the server counts as healthy again. */
const RESET_MS = 2 * 60_000;

/** Backoff doubles with each failure, up to 30 seconds, and adds up to as much again at random. */
export class Backoff {
  #clock;
  #random;
  #next = INITIAL_MS;
  #lastAt = -Infinity;

  /** @param {{ clock: { now(): number }, random: () => number }} parts */
  constructor({ clock, random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the delay after one more failure: milliseconds. */
  next() {
    const now = this.#clock.now();
    if (now - this.#lastAt > RESET_MS) this.#next = INITIAL_MS;
    this.#lastAt = now;
    const base = this.#next;
    this.#next = Math.min(MAX_MS, base * FACTOR);
    return base + this.#random() * JITTER * base;
  }
}
