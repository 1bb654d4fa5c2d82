/**
 * Shows more of a long list, while there is more.
 * @param {{ left: number, atOnce: number, label?: string, onMore: () => void }} props `left`: how
 *   many are not shown; `label` for who does not see what it belongs to
 */
export function MoreButton({ left, atOnce, label, onMore }) {
  if (left <= 0) return null;
  return (
    <button type="button" class="more" aria-label={label} onClick={onMore}>
      Show {Math.min(left, atOnce)} more of {left.toLocaleString('en')}
    </button>
  );
}
