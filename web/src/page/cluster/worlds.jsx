import { useMemo } from 'preact/hooks';
import { otherSide } from '../decision/other_side.js';
import '../compare/comparison.css';

/** @import { ComponentChildren } from 'preact' */
/** @import { Session } from '../session.js' */

/**
 * Shows a view once, or side by side for two worlds that are compared.
 * @param {{ session: Session, children: (session: Session) => ComponentChildren }} props
 */
export function Worlds({ session, children }) {
  const other = useMemo(() => otherSide(session), [session]);
  const { isOn, title } = session.comparing;
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
