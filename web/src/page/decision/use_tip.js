/**
 * A hook for the score whose formula is shown in a tip, and the score that is pinned below the
 * table.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';

/** @import { Signal } from '@preact/signals' */

/** @typedef {{ plugin: string, node: string }} ScoreName */

/**
 * @typedef {object} Tip
 * @property {Signal<{ name: ScoreName, anchor: HTMLElement } | null>} shown
 * @property {Signal<ScoreName | null>} pinned
 * @property {(name: ScoreName, anchor: HTMLElement) => void} show
 * @property {() => void} leave closes the tip after a moment, unless the pointer enters it
 * @property {() => void} stay
 * @property {(name: ScoreName) => void} pin
 * @property {() => void} close
 */

/** The time in which the pointer can move from a score to its tip: milliseconds. */
const WAY_MS = 200;

/**
 * @param {unknown} about the decision; a new one closes the tip
 * @returns {Tip}
 */
export function useTip(about) {
  const shown = useSignal(/** @type {{ name: ScoreName, anchor: HTMLElement } | null} */ (null));
  const pinned = useSignal(/** @type {ScoreName | null} */ (null));
  const tip = useMemo(() => {
    let leaving = 0;
    const close = () => {
      clearTimeout(leaving);
      shown.value = null;
    };
    return {
      shown,
      pinned,
      close,
      show: (/** @type {ScoreName} */ name, /** @type {HTMLElement} */ anchor) => {
        clearTimeout(leaving);
        if (shown.value?.anchor !== anchor) shown.value = { name, anchor };
      },
      leave: () => {
        clearTimeout(leaving);
        leaving = window.setTimeout(close, WAY_MS);
      },
      stay: () => clearTimeout(leaving),
      pin: (/** @type {ScoreName} */ name) => {
        close();
        pinned.value = name;
      },
    };
  }, []);
  // In a layout effect: the old tip is gone before the user can point at the new table.
  useLayoutEffect(() => {
    tip.close();
    pinned.value = null;
  }, [about]);
  useEffect(() => {
    const dismiss = (/** @type {KeyboardEvent} */ { key }) => {
      if (key === 'Escape') tip.close();
    };
    document.addEventListener('keydown', dismiss);
    return () => document.removeEventListener('keydown', dismiss);
  }, []);
  return tip;
}
