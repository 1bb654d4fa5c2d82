/** @import { Session } from '../session.js' */

/** Where one is in what was done, and to elsewhere in it. @param {{ session: Session }} props */
export function PositionControls({ session }) {
  const { position, length } = session;
  return (
    <>
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
      <Going session={session} />
      <Branch later={length.value - position.value} />
    </>
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

/** How far it is to where somebody goes. @param {{ session: Session }} props */
function Going({ session }) {
  const going = session.going.value;
  if (!going) return null;
  const { at, to } = going;
  return (
    <p class="going">
      <label>
        Doing it again: step {at} of {to} <progress value={at} max={to} />
      </label>
      <button type="button" onClick={() => session.stopGoing()}>
        Cancel
      </button>
    </p>
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
