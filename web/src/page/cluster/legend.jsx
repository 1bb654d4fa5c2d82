import { VERDICTS, verdictsOf } from '../decision/verdicts.js';
import { legendOf } from './hues.js';

/** @import { Signal } from '@preact/signals' */
/** @import { HueBy } from './hues.js' */
/** @import { Session } from '../session.js' */

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
 * @param {{ session: Pick<Session, 'cluster' | 'evaluation' | 'hueBy'> }} props
 */
export function Legend({ session }) {
  const entries = legendOf(session.cluster.value, session.hueBy.value);
  const verdicts = new Set(verdictsOf(session.evaluation.value).values());
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
    </ul>
  );
}
