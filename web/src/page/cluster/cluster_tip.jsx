import { wordsOf } from './cluster_words.js';

/** @import { ReadonlySignal } from '@preact/signals' */
/** @import { Box } from './cluster_layout.js' */
/** @import { ClusterState } from './cluster_state.js' */
/** @import { Pointed } from './cluster_cursor.js' */

/** Room that a tip needs below what it is about. */
const HEIGHT = 180;
const WIDTH = 300;

/**
 * What is known of what somebody points at, beside it.
 * @param {{ cluster: ReadonlySignal<ClusterState>, pointed: ReadonlySignal<Pointed | null>,
 *   at: Box | null, frame: { width: number, height: number } }} props `at`: where that is drawn in
 *   the frame; null: nowhere
 */
export function ClusterTip({ cluster, pointed, at, frame }) {
  const words = pointed.value && wordsOf(cluster.value, pointed.value);
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
 * The same in one sentence, for those who do not see it.
 * @param {{ cluster: ReadonlySignal<ClusterState>, pointed: ReadonlySignal<Pointed | null> }} props
 */
export function SpokenTip({ cluster, pointed }) {
  const words = pointed.value && wordsOf(cluster.value, pointed.value);
  const text = words && [words.title, ...words.facts.map((fact) => fact.join(' ').trim())];
  return (
    <p class="unseen" aria-live="polite">
      {text?.join(', ')}
    </p>
  );
}
