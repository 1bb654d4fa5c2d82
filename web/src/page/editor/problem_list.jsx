import { placeText } from '../fault.jsx';
import './problem_list.css';

/** @import { Problem } from '../../editor/problems.js' */

/** The most problems that are listed. */
const MOST = 50;

/**
 * The problems of a text; each is a link to its position.
 * @param {{ problems: readonly Problem[], onChoose: (problem: Problem) => void }} props
 */
export function ProblemList({ problems, onChoose }) {
  return (
    <ul class="problems" aria-label="Problems" tabIndex={0}>
      {problems.slice(0, MOST).map((problem, index) => (
        <li key={index} class={problem.severity}>
          <button type="button" onClick={() => onChoose(problem)}>
            <b>{headOf(problem)}:</b> {problem.message}
          </button>
        </li>
      ))}
      {problems.length > MOST && <li>and {problems.length - MOST} more</li>}
    </ul>
  );
}

/** @param {Problem} problem */
function headOf({ severity, message: _, ...position }) {
  const place = placeText(position);
  if (severity === 'warning') return `Warning, ${place}`;
  return `${place[0].toUpperCase()}${place.slice(1)}`;
}
