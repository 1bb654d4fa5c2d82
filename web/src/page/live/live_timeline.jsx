import '../timeline/timeline.css';
import { ROW_HEIGHT } from '../timeline/timeline_view.jsx';
import { VirtualList } from '../timeline/virtual_list.jsx';
import './live.css';

/** @import { LiveRow } from '../../live/live_rows.js' */
/** @import { LiveView } from './live_view.js' */
/** @import { Session } from '../session.js' */

/**
 * The timeline of a live cluster, the latest first.
 * @param {{ session: Session, live: LiveView }} props
 */
export function LiveTimeline({ session, live }) {
  const rows = live.rows.value;
  return (
    <>
      <div class="filter">
        <h2>Timeline</h2>
        {rows.length === 0 && <span class="hint">Nothing has happened yet.</span>}
      </div>
      <VirtualList
        label="Timeline, the last first"
        class="timeline"
        count={rows.length}
        rowHeight={ROW_HEIGHT}
        first={0}
        row={(index) => <Row row={rows[rows.length - 1 - index]} session={session} />}
      />
    </>
  );
}

/** @param {{ row: LiveRow, session: Session }} props */
function Row({ row, session }) {
  const { at, kind, pod, node, text, isWarning } = row;
  const isThere = pod !== undefined && session.cluster.value.pods.has(pod);
  return (
    <div class="row" title={text}>
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
      <span class="text">{text}</span>
    </div>
  );
}
