import { sentenceOf, titleOf } from './report.js';

/** @import { BadInput, CheckReport, Place, WorkloadVerdict } from './report.js' */

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** The findings about workloads that do not simply fit, and about unreadable input. */
const RULES = Object.freeze([
  {
    result: 'DoesNotFit',
    id: 'stowage/does-not-fit',
    name: 'DoesNotFit',
    level: 'error',
    text: 'Not all replicas find a node.',
    help:
      'kube-scheduler would leave pods of this workload pending. Ask for less, have fewer ' +
      'replicas, or loosen what restricts the nodes.',
  },
  {
    result: 'FitsByPreemption',
    id: 'stowage/fits-by-preemption',
    name: 'FitsByPreemption',
    level: 'warning',
    text: 'Replicas find a node only because other pods are evicted.',
    help: 'The pods that would have to go have a lower priority; they are named in the message.',
  },
  {
    result: 'RolloutWouldHang',
    id: 'stowage/rollout-would-hang',
    name: 'RolloutWouldHang',
    level: 'error',
    text: 'The rollout never ends: a new pod finds no node while old ones run.',
    help:
      'All replicas find a node when the old ones are gone. Raise maxUnavailable, use Recreate, ' +
      'or loosen what keeps the new pod from running beside the old ones.',
  },
  {
    result: 'NotChecked',
    id: 'stowage/not-checked',
    name: 'NotChecked',
    level: 'note',
    text: 'This workload was not checked.',
    help: 'Its pods are for another scheduler, or its kind is not known.',
  },
  {
    result: 'BadInput',
    id: 'stowage/bad-input',
    name: 'BadInput',
    level: 'error',
    text: 'A file, or an object in it, cannot be read or is refused.',
    help: 'Fix it as the message says: everything else was checked without it.',
  },
]);

/**
 * Writes the report as SARIF 2.1.0, for code scanning: a result for each workload that does not
 * simply fit, and for each file or object with a fault.
 * @param {CheckReport} report
 * @param {{ version: string }} details of stowage
 * @returns {object}
 */
export function toSarif({ workloads, problems, fits, summary, kubernetesVersion }, { version }) {
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'stowage',
            version,
            semanticVersion: version,
            rules: RULES.map(({ id, name, level, text, help }) => ({
              id,
              name,
              shortDescription: { text },
              help: { text: help },
              defaultConfiguration: { level },
            })),
          },
        },
        invocations: [{ executionSuccessful: problems.length === 0 }],
        columnKind: 'utf16CodeUnits',
        results: [...workloads.flatMap(resultOf), ...problems.map(problemResult)],
        properties: { kubernetesVersion, fits, summary },
      },
    ],
  };
}

/** @param {WorkloadVerdict} workload */
function resultOf(workload) {
  const ruleIndex = RULES.findIndex(({ result }) => result === workload.result);
  if (ruleIndex < 0) return [];
  const { id, level } = RULES[ruleIndex];
  const title = titleOf(workload);
  return [
    {
      ruleId: id,
      ruleIndex,
      level,
      message: { text: `${title}: ${sentenceOf(workload)}` },
      locations: [
        { ...locationOf(workload.place), logicalLocations: [{ fullyQualifiedName: title }] },
      ],
      partialFingerprints: { 'workload/v1': title },
      properties: { replicas: workload.replicas, placed: workload.placed },
    },
  ];
}

/** @param {BadInput} problem */
function problemResult({ code, message, place }) {
  const ruleIndex = RULES.findIndex(({ result }) => result === 'BadInput');
  const { id, level } = RULES[ruleIndex];
  return {
    ruleId: id,
    ruleIndex,
    level,
    message: { text: message },
    ...(place.file !== undefined && { locations: [locationOf(place)] }),
    properties: { code },
  };
}

/** @param {Place} place */
function locationOf({ file, line, column }) {
  if (file === undefined) return {};
  const region = line === undefined ? {} : { region: { startLine: line, startColumn: column } };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...region } };
}

/**
 * Returns a path as a URI reference; relative paths stay relative to the root of the checkout.
 * @param {string} path
 */
function uriOf(path) {
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
  const segments = path.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
  const encoded = segments.map((segment, at) =>
    at === 0 && isAbsolute ? segment : encodeURIComponent(segment),
  );
  const joined = encoded.join('/');
  if (!isAbsolute) return joined;
  return joined.startsWith('/') ? `file://${joined}` : `file:///${joined}`;
}
