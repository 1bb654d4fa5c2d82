/** How the node of a pod differs between two answers about it. */

/**
 * @param {string | null} from the node of the first answer; null: the pod waits
 * @param {string | null} to
 * @returns {'Moved' | 'NewlyPlaced' | 'NewlyPending' | undefined} undefined if it does not differ
 */
export function placementChange(from, to) {
  if (from === to) return undefined;
  if (from === null) return 'NewlyPlaced';
  return to === null ? 'NewlyPending' : 'Moved';
}
