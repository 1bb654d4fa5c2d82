import { clockText, durationText } from './time_text.js';

/** @import { Session } from './session.js' */

const SPEEDS = [1, 4, 20, Infinity];

/** Play, pause, step, jump, and where one is in time. @param {{ session: Session }} props */
export function Controls({ session }) {
  const { isPlaying, isIdle, nextDeadline, isAtEnd, position, length, now } = session;
  const wait = nextDeadline.value === null ? null : nextDeadline.value - now.value;
  return (
    <div class="controls" role="toolbar" aria-label="Time">
      <button type="button" disabled={isAtEnd.value} onClick={() => session.next()}>
        Next
      </button>
      {isPlaying.value ? (
        <button type="button" onClick={() => session.pause()}>
          Pause
        </button>
      ) : (
        <button type="button" disabled={isIdle.value} onClick={() => session.play()}>
          Play
        </button>
      )}
      <button type="button" disabled={isIdle.value} onClick={() => session.step()}>
        Step
      </button>
      <button type="button" disabled={wait === null} onClick={() => session.jump()}>
        {wait === null ? 'Nothing is due' : `Wait ${durationText(wait)}`}
      </button>
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
      <output aria-label="The time in this cluster">{clockText(now.value)}</output>
      <output class="hash" aria-label="Hash of all decisions" data-hash={session.hash}>
        {session.hash.value.slice(0, 8)}
      </output>
    </div>
  );
}
