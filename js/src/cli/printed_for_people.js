/** Text that kubectl prints for people, in place of objects. */
import { UnreadableError } from './problems.js';

const HINT = 'kubectl prints objects with -o json';

/** A head of a table: `NAME`, `LAST SEEN`, `CPU(cores)`. */
const HEAD = /^[A-Z][A-Z0-9 _/%-]*(\([a-z%]+\))?$/;

/** What `kubectl get -o name` prints, and what commands say that change something. */
const NAME = /^[a-z][a-z0-9.-]*\/[a-z0-9][a-z0-9.:-]*( [a-z ()]+)?$/;

/** The line of a table that is looked at is no longer. */
const LINE = 1000;

/**
 * @param {string} text
 * @throws {UnreadableError} when it is a table, a description, or names
 */
export function refuseTextForPeople(text) {
  const start = /\S/.exec(text)?.index ?? text.length;
  const [first] = text.slice(start, start + LINE).split(/\r?\n/, 1);
  const cells = first.trim().split(/ {2,}|\t+/);
  if (cells.length > 1 && cells.every((cell) => HEAD.test(cell))) throw printed('a table');
  if (/^Name: {2,}\S/.test(first) && !/^(apiVersion|kind):/m.test(text))
    throw printed('the output of kubectl describe');
  if (NAME.test(first.trim())) throw printed('a list of names');
}

/** @param {string} what */
function printed(what) {
  return new UnreadableError(`this is ${what}, not an object: ${HINT}`, 1);
}
