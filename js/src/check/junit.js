import { sentenceOf, titleOf } from './report.js';

/** @import { CheckReport, WorkloadVerdict } from './report.js' */

/** What no XML may hold, escaped or not. */
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
 * The report as JUnit's XML: a test suite for each file, a test case for each workload. It keeps to
 * what all readers of that format know, which is why the line stands in the text.
 * @param {CheckReport} report
 * @param {{ elapsedMs: number }} details
 * @returns {string}
 */
export function toJUnit({ workloads, summary }, { elapsedMs }) {
  const files = [...new Set(workloads.map(fileOf))];
  const time = (elapsedMs / 1000).toFixed(3);
  const counts = {
    tests: summary.workloads,
    failures: summary.doNotFit + summary.wouldHang,
    errors: 0,
    time,
  };
  const body = files.map((file) =>
    suite(
      file,
      workloads.filter((workload) => fileOf(workload) === file),
    ),
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    element('testsuites', { name: 'stowage check', ...counts }, `\n${body.join('')}`)
  );
}

/**
 * @param {string} file
 * @param {WorkloadVerdict[]} cases
 */
function suite(file, cases) {
  const count = (/** @type {string} */ wanted) =>
    cases.filter(({ result }) => result === wanted).length;
  const counts = {
    tests: cases.length,
    failures: count('DoesNotFit') + count('RolloutWouldHang'),
    errors: 0,
    skipped: count('NotChecked'),
  };
  const body = cases.map((workload) => testCase(file, workload)).join('');
  return element('testsuite', { name: file, ...counts }, `\n${body}`);
}

/**
 * @param {string} file
 * @param {WorkloadVerdict} workload
 */
function testCase(file, workload) {
  const { result, place } = workload;
  const message = sentenceOf(workload);
  const where = place.line === undefined ? file : `${file}:${place.line}:${place.column}`;
  const text = escaped(`${where}: ${message}`);
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

/** @param {WorkloadVerdict} workload */
function fileOf({ place }) {
  return place.file ?? 'standard input';
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} body ready
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
    .replace(/[&<>"\n\r\t]/g, (character) => ENTITIES[character]);
}
