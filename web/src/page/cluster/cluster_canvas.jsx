import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { layoutOf } from './cluster_layout.js';
import { paint } from './cluster_painter.js';
import { boxOf, pointing } from './cluster_pointing.js';
import { ClusterTip, SpokenTip } from './cluster_tip.jsx';
import { huesOf } from './hues.js';
import { paletteOf } from './palette.js';
import { useScheme, useSize } from './surroundings.js';
import { marksOf } from '../decision/verdicts.js';
import './cluster.css';

/** @import { ReadonlySignal, Signal } from '@preact/signals' */
/** @import { Pointed } from './cluster_cursor.js' */
/** @import { Detail, Layout } from './cluster_layout.js' */
/** @import { Found } from './cluster_search.js' */
/** @import { HueBy } from './hues.js' */
/** @import { Session } from '../session.js' */

/**
 * The part of a session that a canvas needs, so that it can show a second cluster.
 * @typedef {Pick<Session, 'cluster' | 'evaluation' | 'selectedNode' | 'selectedPod' |
 *   'selectNode' | 'selectPod' | 'prospect'>} Looked
 */

/**
 * The nodes with their pods. Only the visible part is drawn, whatever the number of nodes.
 * `detail`: null to choose by the number of nodes. The canvas scrolls to `sought`.
 * @param {{ session: Looked, found: ReadonlySignal<Found | null>, hueBy: ReadonlySignal<HueBy>,
 *   detail: ReadonlySignal<Detail | null>, sought: ReadonlySignal<Pointed | null> }} props
 */
export function ClusterCanvas({ session, found, hueBy, detail, sought }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const { frame, width, height } = useSize();
  const top = useSignal(0);
  const pointed = useSignal(/** @type {Pointed | null} */ (null));
  const scheme = useScheme();
  const layout = useComputed(() =>
    layoutOf(session.cluster.value, width.value, detail.value ?? undefined),
  );
  const verdicts = useComputed(() => marksOf(session));
  const hues = useComputed(() => huesOf(session.cluster.value, hueBy.value));

  useSignalEffect(() => {
    // The colours depend on the scheme.
    void scheme.value;
    const scene = {
      layout: layout.value,
      hues: hues.value,
      top: top.value,
      height: height.value,
      selectedNode: session.selectedNode.value,
      selectedPod: session.selectedPod.value?.pod ?? null,
      pointed: pointed.value,
      verdicts: verdicts.value,
      found: found.value,
      stranded: session.prospect.stranded.value,
    };
    const request = requestAnimationFrame(() => canvas.current && draw(canvas.current, scene));
    return () => cancelAnimationFrame(request);
  });
  const { show, under, point, select, press } = pointing({ session, layout, top, pointed, frame });
  useSignalEffect(() => show(sought.value));

  const { nodes, pods } = session.cluster.value;
  return (
    <div class="map" role="group" aria-label={`${nodes.size} nodes, ${pods.size} pods`}>
      <div
        ref={frame}
        class="scroll"
        tabIndex={0}
        role="application"
        aria-roledescription="map"
        aria-label={HOW}
        onKeyDown={press}
        onScroll={({ currentTarget }) => {
          top.value = currentTarget.scrollTop;
        }}
      >
        <div style={{ height: `${layout.value.height}px` }}>
          <canvas
            ref={canvas}
            onClick={(event) => select(under(event))}
            onPointerMove={(event) => point(under(event))}
            onPointerLeave={() => point(null)}
            style={{ width: `${width}px`, height: `${height}px` }}
          />
        </div>
      </div>
      <Tip session={session} pointed={pointed} layout={layout} top={top} height={height} />
      <SpokenTip session={session} pointed={pointed} />
    </div>
  );
}

const HOW = 'Cluster. Arrow keys move between nodes, Enter selects one and moves to its pods.';

/**
 * A component of its own, so that pointing elsewhere does not render the canvas again.
 * @param {{ session: Looked, pointed: Signal<Pointed | null>, layout: ReadonlySignal<Layout>,
 *   top: ReadonlySignal<number>, height: ReadonlySignal<number> }} props
 */
function Tip({ session, pointed, layout, top, height }) {
  const box = pointed.value && boxOf(layout.value, pointed.value);
  const at = box && { ...box, y: box.y - top.value };
  const frame = { width: layout.value.width, height: height.value };
  return <ClusterTip session={session} pointed={pointed} at={at} frame={frame} />;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Omit<import('./cluster_painter.js').Scene, 'palette'>} scene
 */
function draw(canvas, scene) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [scene.layout.width, scene.height].map((one) => Math.round(one * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(context, { ...scene, palette: paletteOf(canvas) });
}
