import { useComputed, useSignal } from '@preact/signals';
import { KINDS, TimelineFilter, rememberedKinds } from './timeline_filter.jsx';
import { VirtualList } from './virtual_list.jsx';
import './timeline.css';

/** @import { TimelineRow } from '../../worker/timeline.js' */
/** @import { Session } from '../session.js' */

/** Height of a row, in pixels. */
export const ROW_HEIGHT = 24;

/** The timeline, the latest first. @param {{ session: Session }} props */
export function TimelineView({ session }) {
  const kinds = useSignal(rememberedKinds());
  const search = useSignal('');
  const isOnlySelected = useSignal(false);
  const rows = useComputed(() => {
    const pod = isOnlySelected.value ? session.selectedPod.value?.pod : undefined;
    const part = search.value.trim().toLowerCase();
    const isEvery = kinds.value.size === KINDS.length && pod === undefined && part === '';
    if (isEvery) return session.rows.value;
    return session.rows.value.filter(
      (row) =>
        kinds.value.has(row.kind) &&
        (pod === undefined || row.pod === pod) &&
        (part === '' || wordsOf(row).includes(part)),
    );
  });
  const all = rows.value;
  const position = session.position.value;
  // The list is in reverse order: rows after the present position are above the present row.
  const after = position < session.length.value ? all.length - countUntil(all, position) : 0;
  return (
    <>
      <TimelineFilter
        session={session}
        kinds={kinds}
        search={search}
        isOnlySelected={isOnlySelected}
        count={all.length}
      />
      <VirtualList
        label="Timeline, the last first"
        class="timeline"
        count={all.length}
        rowHeight={ROW_HEIGHT}
        first={after}
        row={(index) => {
          const row = all[all.length - 1 - index];
          return <Row row={row} position={position} session={session} />;
        }}
      />
    </>
  );
}

/** @param {{ row: TimelineRow, position: number, session: Session }} props */
function Row({ row, position, session }) {
  const { at, kind, pod, text, attempt } = row;
  const when = row.position > position ? 'future' : row.position === position ? 'present' : '';
  return (
    <div class={`row ${when}`} title={text} aria-current={when === 'present' && 'step'}>
      <button
        type="button"
        class="when"
        title={`Go to step ${row.position}`}
        onClick={() => session.goTo(row.position)}
      >
        {at.slice(11, 23)}
      </button>{' '}
      <span class={`kind ${kind} ${row.result ?? ''}`}>{kind}</span>{' '}
      {pod && (
        <button type="button" onClick={() => session.selectPod(pod, attempt)}>
          {pod}
        </button>
      )}{' '}
      <span class="text">{text}</span>
    </div>
  );
}

/** @param {TimelineRow} row */
function wordsOf({ pod = '', text, kind }) {
  return `${kind} ${pod} ${text}`.toLowerCase();
}

/**
 * The number of rows up to a position.
 * @param {TimelineRow[]} rows
 * @param {number} position
 */
function countUntil(rows, position) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].position <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
