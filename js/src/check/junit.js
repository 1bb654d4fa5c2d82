import { TAGGED_COMMAND, UNSAFE } from '../engine/printable.js';
import { sentenceOf, titleOf } from './report.js';

/** @import { BadInput, CheckReport, Place, WorkloadVerdict } from './report.js' */

/** Characters that XML cannot contain, even escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = Object.freeze({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
});

/**
 * Writes the report as JUnit's XML: a test suite for each file, a test case for each workload, and
 * one for each unreadable file or object. It uses only elements that all readers of the format
 * know, so the line number is part of the text.
 * @param {CheckReport} report
 * @param {{ elapsedMs: number }} details
 * @returns {string}
 */
export function toJUnit({ workloads, problems, summary }, { elapsedMs }) {
  const files = [...new Set([...workloads, ...problems].map(fileOf))];
  const time = (elapsedMs / 1000).toFixed(3);
  const counts = {
    tests: summary.workloads + problems.length,
    failures: summary.doNotFit + summary.wouldHang,
    errors: problems.length,
    time,
  };
  const body = files.map((file) => {
    const isThere = (/** @type {{ place: Place }} */ part) => fileOf(part) === file;
    return suite(file, workloads.filter(isThere), problems.filter(isThere));
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    element('testsuites', { name: 'stowage check', ...counts }, `\n${body.join('')}`)
  );
}

/**
 * @param {string} file
 * @param {WorkloadVerdict[]} cases
 * @param {BadInput[]} problems
 */
function suite(file, cases, problems) {
  const count = (/** @type {string} */ wanted) =>
    cases.filter(({ result }) => result === wanted).length;
  const counts = {
    tests: cases.length + problems.length,
    failures: count('DoesNotFit') + count('RolloutWouldHang'),
    errors: problems.length,
    skipped: count('NotChecked'),
  };
  const body = [
    ...cases.map((workload) => testCase(file, workload)),
    ...problems.map((problem) => errorCase(file, problem)),
  ];
  return element('testsuite', { name: file, ...counts }, `\n${body.join('')}`);
}

/**
 * @param {string} file
 * @param {BadInput} problem
 */
function errorCase(file, { code, message, place }) {
  const where = whereIn(file, place);
  const error = element('error', { type: code, message }, escaped(`${where}: ${message}`));
  return element('testcase', { classname: file, name: where, time: '0.000' }, `\n${error}`);
}

/**
 * @param {string} file
 * @param {WorkloadVerdict} workload
 */
function testCase(file, workload) {
  const { result, place } = workload;
  const message = sentenceOf(workload);
  const text = escaped(`${whereIn(file, place)}: ${message}`);
  /** @type {Record<string, string>} */
  const bodies = {
    Fits: '',
    FitsByPreemption: element('system-out', {}, text),
    RolloutWouldHang: element('failure', { type: result, message }, text),
    DoesNotFit: element('failure', { type: result, message }, text),
    NotChecked: element('skipped', {}, text),
  };
  const body = bodies[result] && `\n${bodies[result]}`;
  return element('testcase', { classname: file, name: titleOf(workload), time: '0.000' }, body);
}

/** @param {{ place: Place }} part */
function fileOf({ place }) {
  return place.file ?? 'standard input';
}

/**
 * @param {string} file
 * @param {Place} place
 */
function whereIn(file, { line, column }) {
  return line === undefined ? file : `${file}:${line}:${column}`;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} body escaped already
 */
function element(name, attributes, body) {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(String(value))}"`,
  );
  const start = `<${name}${written.join('')}`;
  return body === '' ? `${start}/>\n` : `${start}>${body}</${name}>\n`;
}

/** @param {string} text */
function escaped(text) {
  return text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"\n\r\t]/g, (character) => ENTITIES[character])
    .replace(UNSAFE, (character) => `&#${character.codePointAt(0)};`)
    .replace(TAGGED_COMMAND, '#&#35;');
}
