/** @import { Affected, Effect, Outlook } from '../../whatif/outlook.js' */
/** @import { Session } from '../session.js' */
/** @import { Desk } from './desk.js' */

/** The most pods that are listed. */
const MOST = 200;

/** How one pod, and how several do it. @type {Record<Effect, [string, string]>} */
const WORDS = {
  waits: ['waits', 'wait'],
  moves: ['moves', 'move'],
  starts: ['starts', 'start'],
  ends: ['ends', 'end'],
};

/** What follows from the changes. @param {{ session: Session, desk: Desk }} props */
export function OutlookView({ session, desk }) {
  const outlook = desk.outlook.value;
  const isAsking = desk.isAsking.value;
  return (
    <>
      <p class="future-summary" role="status" aria-busy={isAsking}>
        {outlook && <b>{summaryOf(outlook)}</b>}
        {!outlook && isAsking && 'The scheduler is trying it.'}
      </p>
      {outlook && <Affecteds session={session} outlook={outlook} />}
      {outlook && outlook.undecided > 0 && (
        <p class="hint">
          {count(outlook.undecided, ['pod is', 'pods are'])} pending now: the scheduler has tried{' '}
          {outlook.undecided === 1 ? 'it' : 'them'} before the changes.
        </p>
      )}
    </>
  );
}

/** @param {Outlook} outlook */
function summaryOf({ pods }) {
  const effects = /** @type {Effect[]} */ (Object.keys(WORDS));
  const counts = effects.flatMap((effect) => {
    const number = pods.filter((pod) => pod.effect === effect).length;
    if (number === 0) return [];
    const [one, several] = WORDS[effect];
    return [count(number, [`pod ${one}`, `pods ${several}`])];
  });
  return counts.length > 0 ? `${counts.join(', ')}.` : 'Every pod stays where it is.';
}

/** @param {number} number @param {[string, string]} words */
function count(number, [one, several]) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : several}`;
}

/** @param {{ session: Session, outlook: Outlook }} props */
function Affecteds({ session, outlook: { pods } }) {
  if (pods.length === 0) return null;
  const shown = pods.slice(0, MOST);
  return (
    <>
      <div class="table differences" tabIndex={0} role="region" aria-label="Pods that are affected">
        <table>
          <thead>
            <tr>
              <th scope="col">Pod</th>
              <th scope="col">Now</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row key={one.pod} session={session} one={one} />
            ))}
          </tbody>
        </table>
      </div>
      {pods.length > shown.length && (
        <p>and {(pods.length - shown.length).toLocaleString('en')} more pods</p>
      )}
    </>
  );
}

/** @param {{ session: Session, one: Affected }} props */
function Row({ session, one: { pod, effect, from, to, message, preemptedBy } }) {
  const why = [preemptedBy && `preempted for ${preemptedBy}`, message].filter(Boolean).join('; ');
  const isPressed = session.selectedPod.value?.pod === pod;
  return (
    <>
      <tr class={effect}>
        <th scope="row">
          <button type="button" aria-pressed={isPressed} onClick={() => session.selectPod(pod)}>
            {pod}
          </button>
        </th>
        <td>{from ?? 'no node'}</td>
        <td>{to ?? (effect === 'ends' ? 'ends' : 'waits')}</td>
      </tr>
      {why && (
        <tr class="why">
          <td colSpan={3}>{why}</td>
        </tr>
      )}
    </>
  );
}
