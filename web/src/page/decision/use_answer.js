/** A hook for questions that are answered later. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/**
 * @template T
 * @param {() => Promise<T>} ask
 * @param {readonly unknown[]} about the question changes when one of these changes
 * @returns {import('@preact/signals').Signal<{ value?: T, error?: string } | null>} null until
 *   there is an answer
 */
export function useAnswer(ask, about) {
  const answer = useSignal(/** @type {{ value?: T, error?: string } | null} */ (null));
  useEffect(() => {
    let isStale = false;
    answer.value = null;
    const take = (/** @type {{ value?: T, error?: string }} */ one) => {
      if (!isStale) answer.value = one;
    };
    ask().then(
      (value) => take({ value }),
      ({ message }) => take({ error: message }),
    );
    return () => {
      isStale = true;
    };
  }, about);
  return answer;
}
