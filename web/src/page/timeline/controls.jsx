import { ShortcutHelp } from '../shortcut_help.jsx';
import { SPEEDS } from '../playback.js';
import { plainText } from '../prose.js';
import { PositionControls } from './position_controls.jsx';
import { clockText, durationText } from './time_text.js';
import { WaitFor } from './wait_for.jsx';
import './controls.css';

/** @import { Session } from '../session.js' */

/** Play, pause, one cycle, wait, and the present time. @param {{ session: Session }} props */
export function Controls({ session }) {
  return (
    <div class="controls" role="toolbar" aria-label="Time">
      <Next session={session} />
      <Play session={session} />
      <button
        type="button"
        class={nextOf(session) === 'cycle' ? 'primary' : ''}
        disabled={session.isIdle.value}
        title="One scheduling cycle (s)"
        onClick={() => session.step()}
      >
        Cycle
      </button>
      <Wait session={session} />
      <WaitFor session={session} />
      <Speed session={session} />
      <PositionControls session={session} />
      <ShortcutHelp session={session} />
      <output aria-label="Cluster time">{clockText(session.playback.time.value)}</output>
      <output class="hash" aria-label="Hash of all decisions" data-hash={session.hash}>
        {session.hash.value.slice(0, 8)}
      </output>
    </div>
  );
}

/**
 * The part that comes next, whose button is highlighted.
 * @param {Session} session
 * @returns {'cycle' | 'chapter' | 'time' | null}
 */
function nextOf({ isIdle, isHeld, isAtEnd, expected, passing }) {
  if (passing.value !== null) return 'chapter';
  if (!isIdle.value && (!isHeld.value || isAtEnd.value)) return 'cycle';
  if (!isAtEnd.value) return 'chapter';
  return expected.value === null ? null : 'time';
}

/** Plays the next chapter of the scenario. @param {{ session: Session }} props */
function Next({ session }) {
  const { isAtEnd, notes, chapter } = session;
  const note = plainText(notes.value[chapter.value] ?? '');
  return (
    <button
      type="button"
      class={nextOf(session) === 'chapter' ? 'next primary' : 'next'}
      disabled={isAtEnd.value}
      title={isAtEnd.value ? 'The scenario has ended' : `${note} (n)`.trim()}
      onClick={() => session.next()}
    >
      {isAtEnd.value || note === '' ? 'Next' : `Next: ${note}`}
    </button>
  );
}

/** @param {{ session: Session }} props */
function Play({ session }) {
  const { isPlaying, canPlay } = session.playback;
  if (isPlaying.value)
    return (
      <button type="button" title="Pause (Space)" onClick={() => session.playback.pause()}>
        Pause
      </button>
    );
  return (
    <button
      type="button"
      disabled={!canPlay.value}
      title="Run cycles, steps and time until nothing is due (Space)"
      onClick={() => session.playback.play()}
    >
      Play
    </button>
  );
}

/** Advances to the next deadline. @param {{ session: Session }} props */
function Wait({ session }) {
  const { nextDeadline, playback } = session;
  const left = nextDeadline.value === null ? null : nextDeadline.value - playback.time.value;
  return (
    <button
      type="button"
      class={nextOf(session) === 'time' ? 'primary' : ''}
      disabled={left === null}
      title="Wait until the next deadline (j)"
      onClick={() => session.wait()}
    >
      {left === null ? 'Nothing is due' : `Wait ${durationText(Math.max(0, left))}`}
    </button>
  );
}

/** The choice of the speed. @param {{ session: Session }} props */
function Speed({ session }) {
  const { speed } = session.playback;
  return (
    <label title="Speed of Play: how fast time passes, and how many cycles run per second">
      Speed{' '}
      <select
        value={speed.value.name}
        onChange={({ currentTarget }) => {
          speed.value = SPEEDS[currentTarget.selectedIndex];
        }}
      >
        {SPEEDS.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
