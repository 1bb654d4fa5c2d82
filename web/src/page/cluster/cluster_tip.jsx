import { wordsOf } from './cluster_words.js';

/** @import { ReadonlySignal } from '@preact/signals' */
/** @import { Box } from './cluster_layout.js' */
/** @import { Session } from '../session.js' */
/** @import { Pointed } from './cluster_cursor.js' */

/** @typedef {Pick<Session, 'cluster' | 'prospect'>} Told */

/** Height that a tip needs below its target. */
const HEIGHT = 180;
const WIDTH = 300;

/**
 * A tip with details of the node or pod under the pointer.
 * @param {{ session: Told, pointed: ReadonlySignal<Pointed | null>, at: Box | null, frame: { width:
 *   number, height: number } }} props `at`: its box in the frame; null if it is not drawn
 */
export function ClusterTip({ session, pointed, at, frame }) {
  const words = wordsAt(session, pointed);
  if (!words || !at || at.y + at.height < 0 || at.y > frame.height) return null;
  const isBelow = at.y + at.height + HEIGHT < frame.height || at.y < HEIGHT / 2;
  const left = Math.max(0, Math.min(at.x, frame.width - WIDTH));
  const vertical = isBelow
    ? { top: `${at.y + at.height + 6}px` }
    : { bottom: `${frame.height - at.y + 6}px` };
  return (
    <div class="tip" aria-hidden="true" style={{ left: `${left}px`, ...vertical }}>
      <b>{words.title}</b>
      <dl>
        {words.facts.map(([name, text], index) => (
          <div key={index}>
            {name && <dt>{name}</dt>}
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/**
 * The tip's content in one sentence, for screen readers.
 * @param {{ session: Told, pointed: ReadonlySignal<Pointed | null> }} props
 */
export function SpokenTip({ session, pointed }) {
  const words = wordsAt(session, pointed);
  const text = words && [words.title, ...words.facts.map((fact) => fact.join(' ').trim())];
  return (
    <p class="unseen" aria-live="polite">
      {text?.join(', ')}
    </p>
  );
}

/** @param {Told} session @param {ReadonlySignal<Pointed | null>} pointed */
function wordsAt({ cluster, prospect }, pointed) {
  return pointed.value && wordsOf(cluster.value, pointed.value, prospect.stranded.value);
}
