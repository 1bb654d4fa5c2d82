/** The limits that figures must keep, and their check. */
import { BROTLI_BYTES_MAX, READY_MS_MAX } from '../../wasm/toolchain/package_size.js';
import { alignColumns } from '../support/table.js';
import { show } from './tables.js';

/** @typedef {import('./tables.js').Row} Row */

/**
 * @typedef {object} Requirement
 * @property {string} name
 * @property {number} want
 * @property {boolean} atLeast  otherwise at most
 * @property {(rows: Row[]) => number[]} of the figures among the rows; none if not measured
 */

const NODES = 5000;

/** The least decisions per second in WASM with all of 5,000 nodes scored, by workload. */
const PER_SECOND = {
  basic: 400_000,
  'basic-owned': 280_000,
  'hard-spread': 280_000,
  'soft-spread': 200_000,
  'required-pod-affinity': 260_000,
  'preferred-pod-affinity': 200_000,
  'required-pod-anti-affinity': 200_000,
  'policy-spread': 200_000,
  'namespace-selector-affinity': 200_000,
  'two-constraints': 200_000,
  'node-churn': 100_000,
  'templates-100': 100_000,
  'templates-1000': 60_000,
  'templates-10000': 20_000,
  'own-signature': 30_000,
  'csi-claims': 6_000,
  'zonal-volumes': 4_000,
  mixed: 5_000,
  'preemption-storm': 30_000,
  'device-claims': 10_000,
  'device-claims-aligned': 2_000,
  'device-partitions': 2_000,
  'device-extended-resource': 5_000,
};

/** @type {Requirement[]} */
export const REQUIRED = [
  ...Object.entries(PER_SECOND).map(([workload, want]) => ({
    name: `WASM ${workload}, all 5,000 nodes scored: decisions/s`,
    want,
    atLeast: true,
    of: (/** @type {Row[]} */ rows) => figuresOf(rows, idOf(workload), 'perSecond'),
  })),
  {
    name: 'WASM 10,000 pods in gangs of 8 on 5,000 nodes: pods/s',
    want: 50_000,
    atLeast: true,
    of: (rows) => figuresOf(rows, /^gangs\/8\/5000\/wasm$/, 'perSecond'),
  },
  {
    name: 'WASM a gang of 512 on 5,000 nodes: ms',
    want: 60,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^gangs\/512\/5000\/wasm$/, 'ms'),
  },
  {
    name: 'WASM basic, the sample of 5,000 nodes: decisions/s',
    want: 200_000,
    atLeast: true,
    of: (rows) => figuresOf(rows, idOf('basic', { sampling: 'default' }), 'perSecond'),
  },
  {
    name: 'WASM basic, all scored, 50,000 nodes by 5,000: times',
    want: 5,
    atLeast: false,
    of: (rows) => quotients(rows, [idOf('basic'), idOf('basic', { nodes: 50_000 })], 'perSecond'),
  },
  {
    name: 'WASM mixed, a decision among 100,000 pods by one among 10,000: median times',
    want: 1.2,
    atLeast: false,
    of: (rows) => quotients(rows, [idOf('mixed-100k-pods'), idOf('mixed-10k-pods')], 'p50Us'),
  },
  {
    name: 'WASM openb, all nodes: seconds',
    want: 0.08,
    atLeast: false,
    of: (rows) => figuresOf(rows.map(judged), /^openb\/[^/]+\/all\/wasm$/, 'seconds'),
  },
  {
    name: 'WASM, the whole pipeline, 5,000 nodes: pods/s',
    want: 80_000,
    atLeast: true,
    of: (rows) => figuresOf(rows, /^pipeline\/5000\/wasm$/, 'perSecond'),
  },
  {
    name: 'WASM, 5,000 nodes and 150,000 pods: bytes',
    want: 400_000_000,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^memory\/5000\/150000\/wasm$/, 'totalBytes'),
  },
  {
    name: 'WASM, 100,000 nodes and 1,000,000 basic pods: bytes',
    want: 2_000_000_000,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^large\/100000\/1000000\/wasm$/, 'totalBytes'),
  },
  {
    name: 'WASM, the first question of a signature, 5,000 nodes and 50,000 pods: p99 ms',
    want: 2,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^evaluate-summary\/5000\/wasm$/, 'p99Ms'),
  },
  {
    name: 'WASM, a transaction that a node of 5,000 with 30 pods leaves: median ms',
    want: 1,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^transactions\/5000\/wasm$/, 'p50Ms'),
  },
  {
    name: 'WASM, a fork of 5,000 nodes and 150,000 pods: median ms',
    want: 5,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^transactions\/5000\/wasm$/, 'forkMs'),
  },
  {
    name: 'WASM, 100 live forks of it: bytes',
    want: 64 << 20,
    atLeast: false,
    of: (rows) =>
      figuresOf(rows, /^transactions\/5000\/wasm$/, 'bytesPerFork').map((bytes) => 100 * bytes),
  },
  {
    name: 'WASM, a fix at 5,000 nodes: p95 ms',
    want: 100,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^fix\/5000\/wasm$/, 'p95Ms'),
  },
  {
    name: 'WASM, basic, 100,000 nodes and 1,000,000 pods: decisions/s',
    want: 150_000,
    atLeast: true,
    of: (rows) => figuresOf(rows, /^large\/100000\/1000000\/wasm$/, 'perSecond'),
  },
  {
    name: 'WASM, a node of these fails: ms',
    want: 5,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^large\/100000\/1000000\/wasm$/, 'failureMs'),
  },
  {
    name: 'WASM, a question with its table, 5,000 nodes: median ms',
    want: 20,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^evaluate-table\/5000\/wasm$/, 'p50Ms'),
  },
  {
    name: 'WASM live, API server in the same process, 1,000 and 5,000 nodes: pods/s',
    want: 2_000,
    atLeast: true,
    of: (rows) => figuresOf(rows, /^live\/fetch\/\d+$/, 'perSecond'),
  },
  {
    name: 'WASM live, API server in a process of its own, 1,000 nodes: pods/s',
    want: 4_000,
    atLeast: true,
    of: (rows) => figuresOf(rows, /^live\/http\/1000$/, 'perSecond'),
  },
  {
    name: 'WASM admission, 1,000 nodes: p99 ms',
    want: 5,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^admission\/1000\/wasm$/, 'p99Ms'),
  },
  {
    name: 'WASM, each node and zone of 5,000 nodes and 150,000 plain pods fails: seconds',
    want: 60,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^sweep\/parts\/basic\/5000\/wasm$/, 'seconds'),
  },
  {
    name: 'WASM, each pair of 1,000 nodes with 30,000 plain pods fails: seconds',
    want: 600,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^sweep\/pairs\/basic\/1000\/wasm$/, 'seconds'),
  },
  {
    name: 'WASM, what moves from v1.34 to v1.36, 5,000 nodes and 150,000 pods: seconds',
    want: 10,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^upgrade\/5000\/wasm$/, 'seconds'),
  },
  {
    name: 'WASM, the same by the command, from a dump: seconds',
    want: 10,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^upgrade-command\/5000\/wasm$/, 'seconds'),
  },
  {
    name: 'WASM, configurations tried on the openb trace per core and hour',
    want: 20_000,
    atLeast: true,
    of: (rows) => figuresOf(rows, /^tune\/openb\/wasm$/, 'perCoreHour'),
  },
  {
    name: 'an import loads, brotli: bytes',
    want: BROTLI_BYTES_MAX,
    atLeast: false,
    of: (rows) => {
      const sizes = figuresOf(rows, /^size\//, 'brotli');
      return sizes.length === 2 ? [sizes[0] + sizes[1]] : [];
    },
  },
  {
    name: 'ready: ms',
    want: READY_MS_MAX,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^start\//, 'readyMs'),
  },
  {
    name: 'first apply, 1,000 nodes and 10,000 pods as kubectl prints them: ms',
    want: 250,
    atLeast: false,
    of: (rows) => figuresOf(rows, /^start\//, 'listMs'),
  },
  {
    name: 'the same from bytes by the same from objects: times',
    want: 1,
    atLeast: false,
    of: (rows) =>
      rows
        .filter(({ id }) => id.startsWith('start/'))
        .map(({ listMs, listObjectsMs }) => Number(listMs) / Number(listObjectsMs)),
  },
];

/** @param {string} workload @param {{nodes?: number, sampling?: string}} [row] */
function idOf(workload, { nodes = NODES, sampling = 'all' } = {}) {
  return new RegExp(`^decisions/${workload}/${nodes}/${sampling}/wasm$`);
}

/** @param {Row[]} rows @param {RegExp} id @param {string} figure */
function figuresOf(rows, id, figure) {
  return rows.filter((row) => id.test(row.id)).map((row) => Number(row[figure]));
}

/**
 * The ratio of one row's figure to another's.
 * @param {Row[]} rows @param {RegExp[]} ids @param {string} figure
 */
function quotients(rows, ids, figure) {
  const [above, below] = ids.map((id) => figuresOf(rows, id, figure));
  return above.length === 1 && below.length === 1 ? [above[0] / below[0]] : [];
}

/** The time is invalid if the placements differ from the recording. @param {Row} row */
function judged(row) {
  return row.agreed === row.placements ? row : { ...row, seconds: Infinity };
}

/** @param {Row[]} rows */
export function verdictsOn(rows) {
  const table = REQUIRED.map(({ name, want, atLeast, of }) => {
    const measured = of(rows);
    const sign = atLeast ? '≥' : '≤';
    if (measured.length === 0) return [name, `${sign} ${show(want)}`, '-', 'not measured'];
    const worst = atLeast ? Math.min(...measured) : Math.max(...measured);
    const isMet = atLeast ? worst >= want : worst <= want;
    return [name, `${sign} ${show(want)}`, show(worst), isMet ? 'pass' : 'MISS'];
  });
  const strays = rows.filter(({ agreed, placements }) => agreed !== placements);
  const wrong = strays.map(
    ({ id, agreed, placements }) =>
      `${id}: only ${agreed} of ${placements} placements agree with the recording`,
  );
  const verdict = alignColumns([['REQUIRED', 'want', 'measured', 'verdict'], ...table]);
  return [verdict, ...wrong].join('\n');
}
