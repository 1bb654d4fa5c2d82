import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { EventBlock } from './event_block.jsx';
import { FilterMatrix } from './filter_matrix.jsx';
import { PodHistory } from './pod_history.jsx';
import { PreemptionView } from './preemption_view.jsx';
import { ScoreTable } from './score_table.jsx';
import { WhyNot } from './why_not.jsx';

/** @import { Evaluation } from '../../../../js/src/types.js' */
/** @import { Session } from '../session.js' */

/** Why a pod is where it is. @param {{ session: Session }} props */
export function DecisionView({ session }) {
  const selected = session.selectedPod.value;
  const evaluation = session.evaluation.value;
  const about = `${selected?.pod} ${selected?.attempt}`;
  // Whoever chooses another pod sees the old decision until there is the new one: it is made once.
  const decision = useMemo(
    () => evaluation && <Decision key={about} session={session} evaluation={evaluation} />,
    [session, evaluation],
  );
  if (!selected)
    return (
      <p class="hint">
        {session.live.value
          ? 'Choose a pod.'
          : 'Nothing is decided yet: press Play, or choose a pod.'}
      </p>
    );
  const { pod } = selected;
  return (
    <>
      <div class="decision-head">
        <h2>{pod}</h2>
        <PodHistory session={session} pod={pod} />
      </div>
      {decision ?? <p class="hint">{pod} is not there any more.</p>}
    </>
  );
}

/** @param {{ session: Session, evaluation: Evaluation }} props */
function Decision({ session, evaluation }) {
  const { preemption } = evaluation;
  const search = useSignal('');
  return (
    <>
      <Outcome session={session} evaluation={evaluation} />
      <EventBlock evaluation={evaluation} />
      <WhyNot session={session} evaluation={evaluation} search={search} />
      <FilterMatrix session={session} evaluation={evaluation} search={search.value} />
      <ScoreTable session={session} evaluation={evaluation} search={search.value} />
      {preemption && (
        <PreemptionView session={session} evaluation={evaluation} preemption={preemption} />
      )}
    </>
  );
}

/** @param {{ session: Session, evaluation: Evaluation }} props */
function Outcome({ session, evaluation }) {
  const { node, plugin, numAllNodes, evaluatedNodes, feasibleNodes } = evaluation;
  const isNow = session.selectedPod.value?.attempt === undefined;
  return (
    <p class="outcome">
      {isNow ? 'What the next cycle would do: ' : 'This attempt: '}
      <strong>{node ? `node ${node}` : plugin ? `held back by ${plugin}` : 'no node'}</strong>
      {evaluatedNodes !== undefined &&
        `; ${evaluatedNodes} of ${numAllNodes} nodes looked at, ${feasibleNodes} fit`}
    </p>
  );
}
