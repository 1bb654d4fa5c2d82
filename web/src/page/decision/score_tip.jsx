import { useSignalEffect } from '@preact/signals';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';

import { DecisionSide } from './decision_side.js';
import { useAnswer } from './use_answer.js';

/**
 * @import { Evaluation, ScoreNotes } from '../../../../js/src/index.js'
 * @import { Session } from '../session.js'
 * @import { ScoreName, Tip } from './use_tip.js'
 */

/** @typedef {{ session: Session, evaluation: Evaluation, tip: Tip }} Props */

/** Distance between a score and its tip, and around the tip, in pixels. */
const GAP = 4;

const TIP = 'score-tip';

/**
 * The formula of the score under the pointer. The pointer may move into the tip; Escape closes it.
 * @param {Props} props
 */
export function ScoreTip({ session, evaluation, tip }) {
  const shown = tip.shown.value;
  if (!shown) return null;
  const { name, anchor } = shown;
  return (
    <TipBox key={`${name.plugin}/${name.node}`} anchor={anchor} tip={tip}>
      <Formulas session={session} evaluation={evaluation} name={name} />
    </TipBox>
  );
}

/**
 * @param {{ anchor: HTMLElement, tip: Tip, children: import('preact').ComponentChildren }} props
 */
function TipBox({ anchor, tip, children }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const place = () => {
    if (!box.current) return;
    const { left, top, bottom } = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = box.current;
    const below = bottom + GAP;
    const isBelow = below + height <= window.innerHeight || top < height + GAP;
    box.current.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - width - GAP))}px`;
    box.current.style.top = `${isBelow ? below : top - height - GAP}px`;
  };
  useLayoutEffect(place);
  // Set when the box appears, not after it, so that screen readers announce it with the score.
  useLayoutEffect(() => {
    const seen = new ResizeObserver(place);
    if (box.current) seen.observe(box.current);
    document.addEventListener('scroll', place, { capture: true, passive: true });
    anchor.setAttribute('aria-describedby', TIP);
    return () => {
      seen.disconnect();
      document.removeEventListener('scroll', place, { capture: true });
      anchor.removeAttribute('aria-describedby');
    };
  }, [anchor]);
  return (
    <div
      ref={box}
      id={TIP}
      role="tooltip"
      class="tip score-tip"
      onPointerEnter={tip.stay}
      onPointerLeave={tip.leave}
    >
      {children}
    </div>
  );
}

/** The formula of the score that was clicked. @param {Props} props */
export function PinnedScore({ session, evaluation, tip }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const side = useContext(DecisionSide);
  const name = tip.pinned.value;
  useSignalEffect(() => {
    if (tip.pinned.value) box.current?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <section class="pinned" ref={box} aria-label={`Formula${side}`} aria-live="polite">
      {name && (
        <>
          <Formulas session={session} evaluation={evaluation} name={name} />
          <button
            type="button"
            onClick={() => {
              tip.pinned.value = null;
            }}
          >
            Close
          </button>
        </>
      )}
    </section>
  );
}

/**
 * @param {{ session: Session, evaluation: Evaluation, name: ScoreName }} props
 */
function Formulas({ session, evaluation, name }) {
  const answer = useAnswer(
    () => session.explainScore(name),
    [evaluation, name.plugin, name.node],
  ).value;
  const { plugin, node } = name;
  return (
    <>
      <b>
        {plugin} on {node}
      </b>
      {answer?.error && <p>{answer.error}</p>}
      {answer?.value && <Steps notes={answer.value} />}
    </>
  );
}

/** @param {{ notes: ScoreNotes }} props */
function Steps({ notes: { raw, normalized, weight, weighted } }) {
  const product = `${normalized.value} × weight ${weight} = ${weighted}`;
  const steps = {
    Raw: raw,
    Normalised: normalized,
    Weighted: { value: weighted, lines: [product] },
  };
  return (
    <dl class="formula">
      {Object.entries(steps).map(([step, { lines, value }]) => (
        <div key={step}>
          <dt>
            {step} {value}
          </dt>
          <dd>
            {lines.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
