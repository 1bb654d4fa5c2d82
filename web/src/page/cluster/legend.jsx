import { VERDICTS, marksOf } from '../decision/verdicts.js';
import { legendOf } from './hues.js';

/** @import { Signal } from '@preact/signals' */
/** @import { HueBy } from './hues.js' */
/** @import { Session } from '../session.js' */

/** The colours of the map of failures. */
const STRANDED = [
  { colour: 'good', words: 'can be lost' },
  { colour: 'bad', words: 'its loss leaves pods pending' },
];

/** The choice of what pods' colours mean. @param {{ hueBy: Signal<HueBy> }} props */
export function ColourChoice({ hueBy }) {
  return (
    <label>
      Colour{' '}
      <select
        value={hueBy.value}
        onChange={({ currentTarget }) => {
          hueBy.value = /** @type {HueBy} */ (currentTarget.value);
        }}
      >
        <option value="workload">by workload</option>
        <option value="priority">by priority</option>
      </select>
    </label>
  );
}

/**
 * The legend: colours of pods, and of nodes for the pod that is evaluated.
 * @param {{ session: Pick<Session, 'cluster' | 'evaluation' | 'hueBy' | 'prospect'> }} props
 */
export function Legend({ session }) {
  const entries = legendOf(session.cluster.value, session.hueBy.value);
  const { marksThen, stranded } = session.prospect;
  const verdicts = new Set([...marksOf(session).values(), ...marksThen.value.values()]);
  return (
    <ul class="legend" aria-label="Colours">
      {entries.map(({ name, label, colour, count }) => (
        <li key={name} title={`${name || 'all others'}: ${count} pods`}>
          <span class="colour" style={{ background: `var(--workload-${colour})` }} />
          <span>{label}</span> <small>{count}</small>
        </li>
      ))}
      {VERDICTS.filter(({ verdict }) => verdicts.has(verdict)).map(({ verdict, colour, words }) => (
        <li key={verdict}>
          <span class="colour edge" style={{ borderColor: `var(--${colour})` }} />
          {words}
        </li>
      ))}
      {stranded.value &&
        STRANDED.map(({ colour, words }) => (
          <li key={words}>
            <span class="colour" style={{ background: `var(--${colour})` }} />
            {words}
          </li>
        ))}
    </ul>
  );
}
