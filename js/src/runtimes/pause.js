/**
 * Timers wait for a millisecond or more, in pages for four.
 * @type {((callback: () => void) => unknown)[]}
 */
const ways = [globalThis.setImmediate ?? posted, posted, timed];

/**
 * Lets everything else that waits in this thread have its turn.
 * @returns {Promise<void>}
 */
export function pause() {
  return new Promise((resolve) => {
    for (;;) {
      const [way] = ways;
      try {
        return void way(resolve);
      } catch (cause) {
        // Where there is none; in Next's edge runtime there are stand-ins that throw.
        if (ways.length === 1) throw cause;
        ways.shift();
      }
    }
  });
}

/** @param {() => void} callback */
function posted(callback) {
  // One each: in some runtimes what belongs to one request cannot wake another.
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
