import { useComputed } from '@preact/signals';
import { differencesOf, whyElsewhere } from './differences.js';
import { keyFiguresOf } from './key_figures.js';

/** @import { DifferentPod } from './differences.js' */
/** @import { KeyFigures } from './key_figures.js' */
/** @import { Session } from '../session.js' */

/** The most pods that are listed. */
const MOST = 200;

/** Key figures of both clusters, and the pods that differ. @param {{ session: Session }} props */
export function ComparisonTables({ session }) {
  const a = useComputed(() => keyFiguresOf(session.cluster.value));
  const b = useComputed(() => keyFiguresOf(session.comparing.cluster.value));
  return (
    <>
      <Figures a={a.value} b={b.value} />
      <Differences session={session} />
    </>
  );
}

/** @param {{ a: KeyFigures, b: KeyFigures }} props */
function Figures({ a, b }) {
  const shares = a.shares.flatMap(({ resource, ofAll, ofUsed }) => {
    const other = b.shares.find((share) => share.resource === resource);
    return [
      [`${resource} allocated`, percent(ofAll), percent(other?.ofAll)],
      [`${resource} on used nodes`, percent(ofUsed), percent(other?.ofUsed)],
    ];
  });
  const rows = [
    ['Pods placed', a.placed, b.placed],
    ['Pods pending', a.pending, b.pending],
    ['Nodes used', a.used, b.used],
    ['Nodes empty', a.empty, b.empty],
    ...shares,
  ];
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Key figures">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Key figure</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, left, right]) => (
            <tr key={name} class={left === right ? '' : 'differs'}>
              <th scope="row">{name}</th>
              <td>{left}</td>
              <td>{right}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** @param {{ session: Session }} props */
function Differences({ session }) {
  const found = useComputed(() =>
    differencesOf(session.cluster.value, session.comparing.cluster.value, MOST),
  );
  const { rows, differ, total } = found.value;
  return (
    <>
      <h3 class="differ">
        {differ} of {total} pods differ
      </h3>
      {rows.length > 0 && (
        <div class="table differences" tabIndex={0} role="region" aria-label="Pods that differ">
          <table>
            <thead>
              <tr>
                <th scope="col">Pod</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Difference key={row.pod} session={session} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {differ > rows.length && <p>and {differ - rows.length} more pods</p>}
    </>
  );
}

/** @param {{ session: Session, row: DifferentPod }} props */
function Difference({ session, row: { pod, a, b } }) {
  const isChosen = session.selectedPod.value?.pod === pod;
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            aria-pressed={isChosen}
            onClick={() => chooseLastAttempt(session, pod)}
          >
            {pod}
          </button>
        </th>
        <td>{placeText(a)}</td>
        <td>{placeText(b)}</td>
      </tr>
      {isChosen && <Why session={session} pod={pod} />}
    </>
  );
}

/** @param {{ session: Session, pod: string }} props */
function Why({ session, pod }) {
  const { evaluation, comparing } = session;
  const why =
    comparing.fault.value || whyElsewhere(pod, evaluation.value, comparing.evaluation.value);
  if (!why) return null;
  return (
    <tr class="why">
      <td colSpan={3}>{why}</td>
    </tr>
  );
}

/**
 * Explains a difference by the attempts that placed the pods, not by evaluations of the present.
 * @param {Session} session
 * @param {string} pod
 */
function chooseLastAttempt(session, pod) {
  const now = session.position.value;
  const last = session.rows.value.findLast(
    (row) => row.pod === pod && row.attempt !== undefined && row.position <= now,
  );
  void session.selectPod(pod, last?.attempt);
}

/** @param {string | null} node */
function placeText(node) {
  if (node === null) return 'not there';
  return node || 'pending';
}

/** @param {number} [share] */
function percent(share = 0) {
  return `${(100 * share).toFixed(1)}%`;
}
