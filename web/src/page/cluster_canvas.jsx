import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isInside, layoutOf, nodeAt, podBlocks } from './cluster_layout.js';
import { paint } from './cluster_painter.js';
import { paletteOf } from './palette.js';
import { verdictsOf } from './verdicts.js';

/** @import { ReadonlySignal } from '@preact/signals' */
/** @import { Session } from './session.js' */

/**
 * The nodes with their pods: what is seen of them is drawn, however many there are.
 * @param {{ session: Session, search: ReadonlySignal<string> }} props
 */
export function ClusterCanvas({ session, search }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const { frame, width, height } = useSize();
  const top = useSignal(0);
  const layout = useComputed(() => layoutOf(session.cluster.value, width.value));
  const verdicts = useComputed(() => verdictsOf(session.evaluation.value));

  useSignalEffect(() => {
    const scene = {
      layout: layout.value,
      top: top.value,
      height: height.value,
      selectedNode: session.selectedNode.value,
      selectedPod: session.selectedPod.value?.pod ?? null,
      verdicts: verdicts.value,
      search: search.value.trim(),
    };
    const request = requestAnimationFrame(() => canvas.current && draw(canvas.current, scene));
    return () => cancelAnimationFrame(request);
  });

  /** @param {MouseEvent & { currentTarget: HTMLElement }} event */
  const click = ({ currentTarget, clientX, clientY }) => {
    const bounds = currentTarget.getBoundingClientRect();
    const [x, y] = [clientX - bounds.left, clientY - bounds.top + top.value];
    const found = nodeAt(layout.value, x, y);
    session.selectNode(found?.node.name ?? null);
    const blocks = found ? podBlocks(found, layout.value.isDense) : [];
    const block = blocks.find(({ box }) => isInside(box, x, y));
    if (block) session.selectPod(block.pod.key);
  };

  const { nodes, pods } = session.cluster.value;
  return (
    <div
      ref={frame}
      class="scroll"
      tabIndex={0}
      role="group"
      aria-label={`${nodes.size} nodes, ${pods.size} pods`}
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop;
      }}
    >
      <div style={{ height: `${layout.value.height}px` }}>
        <canvas
          ref={canvas}
          onClick={click}
          style={{ width: `${width}px`, height: `${height}px` }}
        />
      </div>
    </div>
  );
}

/** How large an element is, in CSS pixels. */
function useSize() {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const width = useSignal(600);
  const height = useSignal(400);
  useEffect(() => {
    const { current } = frame;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => {
      width.value = current.clientWidth;
      height.value = current.clientHeight;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { frame, width, height };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Omit<import('./cluster_painter.js').Scene, 'palette'>} scene
 */
function draw(canvas, scene) {
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(scene.layout.width * ratio);
  canvas.height = Math.round(scene.height * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.scale(ratio, ratio);
  paint(context, { ...scene, palette: paletteOf(canvas) });
}
