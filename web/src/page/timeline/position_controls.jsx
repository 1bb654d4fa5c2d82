import { FIRST_POSITION } from '../session.js';

/** @import { Session } from '../session.js' */

/** Shows the position in the journal and moves to others. @param {{ session: Session }} props */
export function PositionControls({ session }) {
  const { position, length } = session;
  return (
    <>
      <Move session={session} to={FIRST_POSITION} sign="|◀" name="Go to the start" />
      <Step session={session} by={-1} sign="◀" name="Back a step" hint=" ([)" />
      <label class="position">
        Step {position} of {length}
        <input
          type="range"
          min={Math.min(FIRST_POSITION, length.value)}
          max={length}
          value={position}
          onChange={({ currentTarget }) => session.goTo(Number(currentTarget.value))}
        />
      </label>
      <Step session={session} by={1} sign="▶" name="Forward a step" hint=" (])" />
      <Move session={session} to={length.value} sign="▶|" name="Go to the end" />
      <Going session={session} />
      <Branch later={length.value - position.value} />
      <Futures session={session} />
    </>
  );
}

/**
 * A button to another step, if there is one.
 * @param {{ session: Session, to: number, sign: string, name: string }} props
 */
function Move({ session, to, sign, name }) {
  const { position, length } = session;
  const isThere = to <= length.value && to !== position.value;
  return (
    <button
      type="button"
      class="move"
      disabled={!isThere}
      aria-label={name}
      title={name}
      onClick={() => session.goTo(to)}
    >
      {sign}
    </button>
  );
}

/**
 * Moves one step forward or back. Clicks during a move add up.
 * @param {{ session: Session, by: 1 | -1, sign: string, name: string, hint: string }} props
 */
function Step({ session, by, sign, name, hint }) {
  const to = session.position.value + by;
  return (
    <button
      type="button"
      class="move"
      disabled={to < FIRST_POSITION || to > session.length.value}
      aria-label={name}
      title={`${name}${hint}`}
      onClick={() => (by < 0 ? session.back() : session.forward())}
    >
      {sign}
    </button>
  );
}

/** Progress of a move under way. @param {{ session: Session }} props */
function Going({ session }) {
  const going = session.going.value;
  if (!going) return null;
  const { at, to } = going;
  return (
    <p class="going">
      <label>
        Doing it again: step {at} of {to} <progress value={at} max={to} />
      </label>
      <button
        type="button"
        onClick={() => session.query((playground) => playground.going({ stop: true }))}
      >
        Cancel
      </button>
    </p>
  );
}

/** Explains the effect of actions at an earlier step. @param {{ later: number }} props */
function Branch({ later }) {
  const steps = later === 1 ? '1 later step' : `${later} later steps`;
  const words = `Any action here begins another future; you can return to ${steps}.`;
  return (
    <p class="branch" aria-live="polite">
      {later > 0 && words}
    </p>
  );
}

/** The futures that were left. @param {{ session: Session }} props */
function Futures({ session }) {
  const futures = session.futures.value;
  if (futures.length === 0) return null;
  return (
    <details class="futures">
      <summary>Futures that were left: {futures.length}</summary>
      <ul>
        {futures.map(({ id, at, steps, hash }) => (
          <li key={id}>
            Left at step {at}, {steps} steps, {hash.slice(0, 8) || 'nothing decided'}{' '}
            <button
              type="button"
              onClick={() => session.ask((playground) => playground.returnTo(id))}
            >
              Return to it
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
