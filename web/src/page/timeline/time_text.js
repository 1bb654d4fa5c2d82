/** Times as text. */

/** @param {number} time milliseconds since the epoch */
export function clockText(time) {
  return new Date(time).toISOString().slice(11, 23);
}

/** @param {number} duration milliseconds */
export function durationText(duration) {
  if (duration < 1000) return `${Math.round(duration)} ms`;
  const seconds = duration / 1000;
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds - minutes * 60);
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
