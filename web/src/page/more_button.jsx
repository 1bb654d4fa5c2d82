/**
 * A button that shows more of a long list, while there is more.
 * @param {{ left: number, atOnce: number, what?: string, onMore: () => void }} props `left`: how
 *   many items are hidden; `what`: their name, for screen readers
 */
export function MoreButton({ left, atOnce, what, onMore }) {
  if (left <= 0) return null;
  return (
    <button type="button" class="more" onClick={onMore}>
      Show {Math.min(left, atOnce)} more of {left.toLocaleString('en')}
      {what && <span class="unseen"> {what}</span>}
    </button>
  );
}
