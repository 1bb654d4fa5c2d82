import { useMemo } from 'preact/hooks';
import { otherSide } from '../decision/other_side.js';
import { futureSide } from '../whatif/future_side.js';
import '../compare/comparison.css';

/** @import { ComponentChildren } from 'preact' */
/** @import { Session } from '../session.js' */

/**
 * Shows a view once, or side by side: for the present and a future, or for two worlds that are
 * compared.
 * @param {{ session: Session, children: (session: Session) => ComponentChildren }} props
 */
export function Worlds({ session, children }) {
  const other = useMemo(() => otherSide(session), [session]);
  const future = useMemo(() => futureSide(session), [session]);
  const { isOn, title } = session.comparing;
  if (session.prospect.cluster.value)
    return (
      <div class="worlds">
        <section class="world" aria-label="The present">
          <h3>Now</h3>
          {children(session)}
        </section>
        <section class="world" aria-label="The future">
          <h3>Then</h3>
          {children(future)}
        </section>
      </div>
    );
  return (
    <div class="worlds">
      <section class="world" aria-label={isOn.value ? 'Cluster A' : undefined}>
        {isOn.value && <h3>A: {session.comparing.firstTitle}</h3>}
        {children(session)}
      </section>
      {isOn.value && (
        <section class="world" aria-label="Cluster B">
          <h3 title={title.value}>B: {title}</h3>
          {children(other)}
        </section>
      )}
    </div>
  );
}
