import { ShortcutHelp } from '../shortcut_help.jsx';
import { clockText, durationText } from './time_text.js';
import './controls.css';

/** @import { Session } from '../session.js' */

const SPEEDS = [1, 4, 20, Infinity];

/** Play, pause, step, jump, and where one is in time. @param {{ session: Session }} props */
export function Controls({ session }) {
  const { isPlaying, isIdle, canPlay, nextDeadline, isAtEnd, position, length, now } = session;
  const wait = nextDeadline.value === null ? null : nextDeadline.value - now.value;
  return (
    <div class="controls" role="toolbar" aria-label="Time">
      <button
        type="button"
        disabled={isAtEnd.value}
        title="What the scenario has next (n)"
        onClick={() => session.next()}
      >
        Next
      </button>
      {isPlaying.value ? (
        <button type="button" title="Space" onClick={() => session.pause()}>
          Pause
        </button>
      ) : (
        <button
          type="button"
          disabled={!canPlay.value}
          title="Cycles until there is nothing to decide (Space)"
          onClick={() => session.play()}
        >
          Play
        </button>
      )}
      <button
        type="button"
        disabled={isIdle.value}
        title="One cycle (s)"
        onClick={() => session.step()}
      >
        Step
      </button>
      <button
        type="button"
        disabled={wait === null}
        title="To the next deadline (j)"
        onClick={() => session.jump()}
      >
        {wait === null ? 'Nothing is due' : `Wait ${durationText(wait)}`}
      </button>
      <Speed session={session} />
      <Move session={session} to={0} sign="|◀" name="Go to the start" />
      <Move session={session} to={position.value - 1} sign="◀" name="Back a step" hint=" ([)" />
      <label class="position">
        Step {position} of {length}
        <input
          type="range"
          min={0}
          max={length}
          value={position}
          onChange={({ currentTarget }) => session.goTo(Number(currentTarget.value))}
        />
      </label>
      <Move session={session} to={position.value + 1} sign="▶" name="Forward a step" hint=" (])" />
      <Move session={session} to={length.value} sign="▶|" name="Go to the end" />
      <ShortcutHelp session={session} />
      <output aria-label="The time in this cluster">{clockText(now.value)}</output>
      <output class="hash" aria-label="Hash of all decisions" data-hash={session.hash}>
        {session.hash.value.slice(0, 8)}
      </output>
      <Branch later={length.value - position.value} />
    </div>
  );
}

/** How fast cycles are played. @param {{ session: Session }} props */
function Speed({ session }) {
  return (
    <label>
      Speed{' '}
      <select
        value={session.speed.value}
        onChange={({ currentTarget }) => {
          session.speed.value = Number(currentTarget.value);
        }}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed}>
            {speed === Infinity ? 'as fast as it goes' : `${speed} a second`}
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * To another step, if there is one.
 * @param {{ session: Session, to: number, sign: string, name: string, hint?: string }} props
 */
function Move({ session, to, sign, name, hint = '' }) {
  const { position, length } = session;
  const isThere = to >= 0 && to <= length.value && to !== position.value;
  return (
    <button
      type="button"
      class="move"
      disabled={!isThere}
      aria-label={name}
      title={`${name}${hint}`}
      onClick={() => session.goTo(to)}
    >
      {sign}
    </button>
  );
}

/** What it means to stand in the past. @param {{ later: number }} props */
function Branch({ later }) {
  const steps = later === 1 ? '1 later step' : `${later} later steps`;
  const words = `Doing something here begins another future; ${steps} would be forgotten.`;
  return (
    <p class="branch" aria-live="polite">
      {later > 0 && words}
    </p>
  );
}
