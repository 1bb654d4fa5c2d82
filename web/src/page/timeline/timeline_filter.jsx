/** @import { Signal } from '@preact/signals' */
/** @import { Session } from '../session.js' */

export const KINDS = /** @type {const} */ ([
  ...['Action', 'Event', 'Decision', 'Call', 'BindingResult', 'QueueMove', 'Fault'],
]);

const STORED = 'stowage-timeline-hidden';

/** The kinds of rows that are shown, as stored in the browser. @returns {Set<string>} */
export function rememberedKinds() {
  try {
    const hidden = (localStorage.getItem(STORED) ?? '').split(' ');
    return new Set(KINDS.filter((kind) => !hidden.includes(kind)));
  } catch {
    // The browser does not store it.
    return new Set(KINDS);
  }
}

/** @param {Set<string>} shown */
function remember(shown) {
  try {
    localStorage.setItem(STORED, KINDS.filter((kind) => !shown.has(kind)).join(' '));
  } catch {
    // Likewise.
  }
}

/**
 * The filter of the timeline.
 * @param {{ session: Session, kinds: Signal<Set<string>>, search: Signal<string>, isOnlySelected:
 *   Signal<boolean>, count: number }} props `count`: the number of rows that match
 */
export function TimelineFilter({ session, kinds, search, isOnlySelected, count }) {
  const selected = session.selectedPod.value?.pod;
  /** @param {string} kind */
  const toggle = (kind) => {
    const next = new Set(kinds.value);
    if (!next.delete(kind)) next.add(kind);
    kinds.value = next;
    remember(next);
  };
  return (
    <div class="filter">
      <h2>Timeline</h2>
      {KINDS.map((kind) => (
        <label key={kind}>
          <input type="checkbox" checked={kinds.value.has(kind)} onChange={() => toggle(kind)} />
          {` ${kind}`}
        </label>
      ))}
      <label>
        <input
          type="checkbox"
          checked={isOnlySelected.value}
          disabled={!selected}
          onChange={() => {
            isOnlySelected.value = !isOnlySelected.value;
          }}
        />{' '}
        only {selected ?? 'the selected pod'}
      </label>
      <label>
        <span class="unseen">Search the timeline</span>
        <input
          type="search"
          placeholder="Search"
          value={search}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value;
          }}
        />
      </label>
      <span class="hint">{count.toLocaleString('en')} rows</span>
    </div>
  );
}
