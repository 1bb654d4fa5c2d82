import './tools.css';
import { forgetWork, isTooLarge, openWork, returnToWork, works } from './kept_work.js';

/** @import { Session } from '../session.js' */

/**
 * The list of stored work, from which the user can continue.
 * @param {{ session: Session }} props
 */
export function KeptWork({ session }) {
  const kept = works.value.filter(({ id }) => id !== openWork.value);
  if (session.live.value) return null;
  return (
    <>
      {isTooLarge.value && (
        <p class="banner">
          This work is too large for the browser to keep: it is lost when you leave.
        </p>
      )}
      {kept.length > 0 && (
        <details class="kept-work">
          <summary>Your earlier work is kept: {kept.length}</summary>
          <ul>
            {kept.map((work) => (
              <li key={work.id}>
                {work.title}: {work.steps} {work.steps === 1 ? 'step' : 'steps'},{' '}
                {work.at.slice(0, 16).replace('T', ' ')}{' '}
                <button type="button" onClick={() => returnToWork(session, work)}>
                  Return to it
                </button>{' '}
                <button type="button" onClick={() => forgetWork(work)}>
                  Forget it
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
