const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM']);

/** The exit code that shells use for programs ended by SIGINT. */
const INTERRUPTED = 130;

/**
 * Returns a signal that aborts with SIGINT or SIGTERM. The second such signal ends the process at
 * once.
 * @returns {{ signal: AbortSignal, release: () => void }} until `release` the process survives the
 *   first signal
 */
export function untilStopped() {
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(INTERRUPTED);
    stop.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: stop.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
