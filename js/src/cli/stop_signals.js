const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM']);

/** What a shell says of a program that SIGINT ended. */
const INTERRUPTED = 130;

/**
 * A signal that comes with SIGINT or SIGTERM. The second of them ends the process at once.
 * @returns {{ signal: AbortSignal, release: () => void }} until `release` these do not end it
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
