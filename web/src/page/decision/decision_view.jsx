import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { DeviceView } from './device_view.jsx';
import { EventBlock } from './event_block.jsx';
import { FilterMatrix } from './filter_matrix.jsx';
import { countsText, outcomeHead, outcomeText, remarkText, unchosenText } from './outcome_text.js';
import { PodHistory } from './pod_history.jsx';
import { PreemptionView } from './preemption_view.jsx';
import { ScoreTable } from './score_table.jsx';
import { WhyNot } from './why_not.jsx';

/** @import { AttemptEvaluation } from '../../worker/attempt_evaluation.js' */
/** @import { Session } from '../session.js' */

/** Explains why a pod is where it is. @param {{ session: Session }} props */
export function DecisionView({ session }) {
  const selected = session.selectedPod.value;
  const evaluation = session.evaluation.value;
  const about = `${selected?.pod} ${selected?.attempt}`;
  // Until the new decision has arrived, the old one stays, so that the view renders once.
  const decision = useMemo(
    () => evaluation && <Decision key={about} session={session} evaluation={evaluation} />,
    [session, evaluation],
  );
  if (!selected)
    return (
      <p class="hint">
        {session.live.value ? 'Choose a pod.' : unchosenText(decisionsMade(session))}
      </p>
    );
  const { pod } = selected;
  return (
    <>
      <div class="decision-head">
        <h2>{pod}</h2>
        <PodHistory session={session} pod={pod} />
      </div>
      {session.reading.value ? (
        <p class="hint">Reading the decision about {session.reading.value.pod}.</p>
      ) : (
        (decision ?? (
          <p class="hint">{session.unreadable.value || `${pod} is not there any more.`}</p>
        ))
      )}
    </>
  );
}

/** The number of decisions up to now. @param {Session} session */
function decisionsMade({ rows, position }) {
  return rows.value.filter((row) => row.kind === 'Decision' && row.position <= position.value)
    .length;
}

/** @param {{ session: Session, evaluation: AttemptEvaluation }} props */
function Decision({ session, evaluation }) {
  return (
    <>
      <Outcome session={session} evaluation={evaluation} />
      <EventBlock session={session} evaluation={evaluation} />
      {!evaluation.isUnexplained && <Reasons session={session} evaluation={evaluation} />}
    </>
  );
}

/** The decision node by node. @param {{ session: Session, evaluation: AttemptEvaluation }} props */
function Reasons({ session, evaluation }) {
  const { preemption } = evaluation;
  const search = useSignal('');
  return (
    <>
      <WhyNot session={session} evaluation={evaluation} search={search} />
      <FilterMatrix session={session} evaluation={evaluation} search={search.value} />
      <DeviceView session={session} evaluation={evaluation} search={search.value} />
      <ScoreTable session={session} evaluation={evaluation} search={search.value} />
      {preemption && (
        <PreemptionView session={session} evaluation={evaluation} preemption={preemption} />
      )}
    </>
  );
}

/** @param {{ session: Session, evaluation: AttemptEvaluation }} props */
function Outcome({ session, evaluation }) {
  const { attempt } = session.selectedPod.value ?? {};
  const { node = '' } = session.cluster.value.pods.get(evaluation.pod) ?? {};
  const remark = remarkText(evaluation);
  return (
    <>
      <p class="outcome">
        {outcomeHead({ isAttempt: attempt !== undefined, node })}
        <strong>{outcomeText(evaluation)}</strong>
        {countsText(evaluation)}
      </p>
      {remark && <p class="remark">{remark}</p>}
    </>
  );
}
