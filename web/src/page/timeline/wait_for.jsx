import { useSignal } from '@preact/signals';

import { parseDuration } from '../../../../js/src/kubernetes.js';

/** @import { Session } from '../session.js' */

const DURATIONS = ['1s', '10s', '1m', '5m'];
const OTHER = 'other';

/** Advances the clock by a duration that the user chooses. @param {{ session: Session }} props */
export function WaitFor({ session }) {
  const chosen = useSignal(DURATIONS[1]);
  const typed = useSignal('');
  const isOther = chosen.value === OTHER;
  const duration = durationOf(isOther ? typed.value : chosen.value);
  return (
    <form
      class="wait-for"
      onSubmit={(event) => {
        event.preventDefault();
        if (duration !== null) session.do({ do: 'wait', for: duration });
      }}
    >
      <button type="submit" disabled={duration === null}>
        Wait for
      </button>{' '}
      <select
        aria-label="How long"
        value={chosen}
        onChange={({ currentTarget }) => {
          chosen.value = currentTarget.value;
        }}
      >
        {DURATIONS.map((one) => (
          <option key={one}>{one}</option>
        ))}
        <option value={OTHER}>other…</option>
      </select>
      {isOther && (
        <input
          aria-label="Duration, such as 90s or 1h30m"
          placeholder="1h30m"
          size={6}
          value={typed}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      )}
    </form>
  );
}

/**
 * @param {string} text in Go's form
 * @returns {number | null} milliseconds, above 0; null if the text is no such duration
 */
function durationOf(text) {
  try {
    const duration = Math.floor(parseDuration(text.trim(), 'duration'));
    return duration > 0 ? duration : null;
  } catch {
    return null;
  }
}
