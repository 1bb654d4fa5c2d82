/**
 * The ways to yield, the fastest first: timers wait for a millisecond or more, in pages for four.
 * @type {((callback: () => void) => unknown)[]}
 */
const ways = [globalThis.setImmediate ?? posted, posted, timed];

/**
 * Yields to other tasks of this thread.
 * @returns {Promise<void>}
 */
export function pause() {
  return new Promise((resolve) => {
    for (;;) {
      const [way] = ways;
      try {
        return void way(resolve);
      } catch (cause) {
        // A way that is missing or throws is dropped: Next's edge runtime has stubs that throw.
        if (ways.length === 1) throw cause;
        ways.shift();
      }
    }
  });
}

/** @param {() => void} callback */
function posted(callback) {
  // One channel per call: in some runtimes one request cannot wake another.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
}

/** @param {() => void} callback */
function timed(callback) {
  setTimeout(callback, 0);
}
