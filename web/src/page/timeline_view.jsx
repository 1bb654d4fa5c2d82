/** @import { Session } from './session.js' */
/** @import { TimelineRow } from '../worker/timeline.js' */

const MOST = 300;

/** What happened, the last first. @param {{ session: Session }} props */
export function TimelineView({ session }) {
  const rows = session.rows.value;
  const shown = rows.slice(-MOST).reverse();
  const position = session.position.value;
  return (
    <>
      <h2>Timeline</h2>
      <ol class="timeline" reversed>
        {shown.map((row, index) => (
          <li key={rows.length - index} class={row.position > position ? 'future' : ''}>
            <Row row={row} session={session} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** @param {{ row: TimelineRow, session: Session }} props */
function Row({ row, session }) {
  const { at, kind, pod, text, attempt, position } = row;
  return (
    <>
      <button
        type="button"
        class="when"
        title="Go back to here"
        onClick={() => session.goTo(position)}
      >
        {at.slice(11, 23)}
      </button>{' '}
      <span class={`kind ${kind} ${row.result ?? ''}`}>{kind}</span>{' '}
      {pod && (
        <button type="button" onClick={() => session.selectPod(pod, attempt)}>
          {pod}
        </button>
      )}{' '}
      {text}
    </>
  );
}
