/** An error with its position. */

/** @import { Position } from '../../../js/src/kubernetes.js' */
/** @import { Problem } from '../editor/problems.js' */
/** @import { Fault as SaidFault } from './session.js' */

/**
 * `document 2, line 3, column 4`, as far as it is known. The first document is not named.
 * @param {Partial<Position> & { source?: string }} place
 */
export function placeText({ source, document = 1, line, column }) {
  return [
    source,
    document > 1 && `document ${document}`,
    line !== undefined && `line ${line}`,
    column !== undefined && `column ${column}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * For an editor. A problem without a position is at the beginning.
 * @param {SaidFault} fault
 * @returns {Problem}
 */
export function problemOf({ message, document = 1, line = 1, column = 1 }) {
  return { severity: 'error', message, document, line, column };
}

/** @param {{ fault: SaidFault | null, onClose?: () => void }} props */
export function Fault({ fault, onClose }) {
  if (!fault) return null;
  const place = placeText(fault);
  return (
    <p class="fault" role="alert">
      {place && <b>{place}: </b>}
      {fault.message}
      {onClose && (
        <>
          {' '}
          <button type="button" onClick={onClose}>
            Close
          </button>
        </>
      )}
    </p>
  );
}
