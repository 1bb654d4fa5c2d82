import './live.css';

/** @import { LiveRow } from '../../live/live_rows.js' */
/** @import { LiveView } from './live_view.js' */
/** @import { Session } from '../session.js' */

const MOST = 300;

/**
 * What happens in a live cluster, the last first.
 * @param {{ session: Session, live: LiveView }} props
 */
export function LiveTimeline({ session, live }) {
  const rows = live.rows.value;
  const shown = rows.slice(-MOST).reverse();
  return (
    <>
      <h2>Timeline</h2>
      {shown.length === 0 && <p class="hint">Nothing has happened yet.</p>}
      <ol class="timeline" reversed>
        {shown.map((row, index) => (
          <li key={rows.length - index}>
            <Row row={row} session={session} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** @param {{ row: LiveRow, session: Session }} props */
function Row({ row, session }) {
  const { at, kind, pod, node, text, isWarning } = row;
  const isThere = pod !== undefined && session.cluster.value.pods.has(pod);
  return (
    <>
      <time class="when" dateTime={at}>
        {at.slice(11, 19)}
      </time>{' '}
      <span class={`kind ${isWarning ? 'warning' : ''}`}>{kind}</span>{' '}
      {isThere ? (
        <button type="button" onClick={() => session.selectPod(pod)}>
          {pod}
        </button>
      ) : (
        <b>{pod ?? node}</b>
      )}{' '}
      {text}
    </>
  );
}
