/** Properties of the page around an element, as signals. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Counts the changes between light and dark style. */
export function useScheme() {
  const count = useSignal(0);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const change = () => {
      count.value += 1;
    };
    dark.addEventListener('change', change);
    return () => dark.removeEventListener('change', change);
  }, []);
  return count;
}

/** The size of an element, in CSS pixels. */
export function useSize() {
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
