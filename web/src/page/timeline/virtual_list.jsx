import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** @import { ComponentChildren } from 'preact' */

/** Rows that are rendered above and below the visible ones. */
const SPARE = 10;

/** Up to this number all rows are rendered, so that the browser's own search finds them. */
const FEW = 200;

/**
 * A list that renders only the visible rows if it is long. All rows have the same height. It
 * scrolls to the row `first` when that changes.
 * @param {{ label: string, class: string, count: number, rowHeight: number, first: number, row:
 *   (index: number) => ComponentChildren }} props
 */
export function VirtualList({ label, class: name, count, rowHeight, first, row }) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const top = useSignal(0);
  const height = useSignal(600);
  useEffect(() => {
    const { current } = frame;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => {
      height.value = current.clientHeight;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollTop = first * rowHeight;
  }, [first, rowHeight]);
  const isFew = count <= FEW;
  const from = isFew ? 0 : Math.max(0, Math.floor(top.value / rowHeight) - SPARE);
  const to = isFew
    ? count
    : Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + SPARE);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  return (
    <div
      ref={frame}
      class="virtual"
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop;
      }}
    >
      <ol class={name} style={{ height: `${count * rowHeight}px` }}>
        {indexes.map((index) => (
          <li
            key={count - index}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {row(index)}
          </li>
        ))}
      </ol>
    </div>
  );
}
