/** Recognizes text that kubectl prints for people instead of objects. */
import { UnreadableError } from '../terminal/problems.js';

const HINT = 'kubectl prints objects with -o json';

/** A head of a table: `NAME`, `LAST SEEN`, `CPU(cores)`. */
const HEAD = /^[A-Z][A-Z0-9 _/%-]*(\([a-z%]+\))?$/;

/** The output of `kubectl get -o name`, and of commands that change objects. */
const NAME = /^[a-z][a-z0-9.-]*\/[a-z0-9][a-z0-9.:-]*( [a-z ()]+)?$/;

/** The maximum length of a line that is examined. */
const LINE = 1000;

/**
 * @param {string} text
 * @throws {UnreadableError} if it is a table, a description, or names
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
