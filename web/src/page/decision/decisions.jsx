import { useMemo } from 'preact/hooks';
import { DecisionSide } from './decision_side.js';
import { DecisionView } from './decision_view.jsx';
import { whyElsewhere } from '../compare/differences.js';
import { otherSide } from './other_side.js';

/** @import { ComponentChildren } from 'preact' */
/** @import { Session } from '../session.js' */

/** The decision about the selected pod; both decisions while two worlds are compared. */
/** @param {{ session: Session }} props */
export function Decisions({ session }) {
  return (
    <>
      {!session.live.value && <Follow session={session} />}
      <Sides session={session} />
    </>
  );
}

/** @param {{ session: Session }} props */
function Follow({ session }) {
  return (
    <label class="follow">
      <input
        type="checkbox"
        checked={session.isFollowing.value}
        onChange={({ currentTarget }) => session.follow(currentTarget.checked)}
      />{' '}
      Follow the latest decision
    </label>
  );
}

/** @param {{ session: Session }} props */
function Sides({ session }) {
  const other = useMemo(() => otherSide(session), [session]);
  const { isOn, title } = session.comparing;
  if (!isOn.value || !session.selectedPod.value) return <DecisionView session={session} />;
  const { pod } = session.selectedPod.value;
  const { fault } = session.comparing;
  const why = whyElsewhere(pod, session.evaluation.value, other.evaluation.value);
  return (
    <>
      {why && !fault.value && (
        <p>
          <b>A and B differ</b>: {why}
        </p>
      )}
      <Side name="A" title={session.comparing.firstTitle.value}>
        <DecisionView session={session} />
      </Side>
      <Side name="B" title={title.value}>
        {other.evaluation.value ? (
          <DecisionView session={other} />
        ) : (
          <p class="hint">{fault.value || 'There is no such pod.'}</p>
        )}
      </Side>
    </>
  );
}

/** @param {{ name: string, title: string, children: ComponentChildren }} props */
function Side({ name, title, children }) {
  return (
    <details class="decision-side" open>
      <summary>
        <b>{name}</b>: {title}
      </summary>
      <DecisionSide.Provider value={` in ${name}`}>{children}</DecisionSide.Provider>
    </details>
  );
}
