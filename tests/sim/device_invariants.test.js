/** Proves that every invariant about devices can fail, with engines that handle them wrongly. */
import { gamesOf, once, testEngineFaults } from './faulty_engines.js';

/** @typedef {import('./faulty_engines.js').EngineFault} EngineFault */

const GAMES = gamesOf(350, 'devices');

/** The model that checks these gets other input than the engine. */
const UNTOLD = ['incremental is rebuilt', 'devices are judged'];
/** An engine with another claim than the server's writes something else. */
const WRITES = ['writes what it read', 'writes what it decided'];
const CLAIM = 'ResourceClaim';
const SLICE = 'ResourceSlice';

/** @param {string} kind @param {(object: any) => any} other  as the engine sees it */
const toldOf = (kind, other) => (/** @type {any} */ line) =>
  line.object?.kind === kind && line.type !== 'DELETED'
    ? { ...line, object: other(line.object) }
    : line;

/** @param {any} slice @param {(device: any) => any} other */
const withDevices = (slice, other) =>
  slice.spec.devices
    ? { ...slice, spec: { ...slice.spec, devices: slice.spec.devices.map(other) } }
    : slice;

/** @param {any} record */
const isStatusWrite = ({ kind, verb, path }) =>
  kind === 'Call' && verb === 'update' && path.endsWith('/status');

/** @param {any} record @returns {[string, any][]} new allocations of a decision, by claim */
function allocationsIn({ kind, result, claims = {} }) {
  return kind === 'Decision' && result === 'scheduled' ? Object.entries(claims) : [];
}

/** @param {any} record @param {(result: any) => any} other @returns {any} */
function withResults(record, other) {
  const claims = allocationsIn(record).map(([name, allocation]) => {
    const results = allocation.devices.results.map(other);
    return [name, { ...allocation, devices: { ...allocation.devices, results } }];
  });
  return { ...record, claims: Object.fromEntries(claims) };
}

/** The body of a write, changed. @param {any} record @param {(body: any) => any} other */
const withBody = (record, other) => ({
  ...record,
  body: JSON.stringify(other(JSON.parse(record.body))),
});

/** New ones for each run. @type {Record<string, () => EngineFault>} */
const SLIPS = {
  'allocates a device that is in use': () => ({
    breaks: 'one claim per device',
    mayBreak: ['looks again', 'devices fit', ...WRITES, ...UNTOLD],
    told: toldOf(CLAIM, (claim) => {
      const { allocation: _, reservedFor: __, ...status } = claim.status ?? {};
      return { ...claim, status };
    }),
  }),
  'allocates a device of a decision under way': () => {
    /** @type {any} */
    let taken;
    return {
      breaks: 'one claim per device',
      mayBreak: ['devices fit', 'no more than there is'],
      says(record) {
        const [first] = allocationsIn(record);
        const whole = first?.[1].devices.results.find((/** @type {any} */ one) => !one.shareID);
        if (!whole) return [record];
        const other = taken;
        taken = whole;
        if (other?.driver !== whole.driver) return [record];
        const { pool, device } = other;
        return [withResults(record, (result) => ({ ...result, pool, device }))];
      },
    };
  },
  'takes more of the counters than there is': () => ({
    breaks: 'no more than there is',
    mayBreak: UNTOLD,
    from: 38,
    told: toldOf(SLICE, (slice) => {
      const { sharedCounters } = slice.spec;
      if (!sharedCounters) return slice;
      const counters = { memory: { value: '99' } };
      return { ...slice, spec: { ...slice.spec, sharedCounters: [{ name: 'card', counters }] } };
    }),
  }),
  'takes more of the capacity than there is': () => ({
    breaks: 'no more than there is',
    mayBreak: UNTOLD,
    told: toldOf(SLICE, (slice) =>
      withDevices(slice, (device) => {
        const { bandwidth } = device.capacity ?? {};
        if (!bandwidth) return device;
        return { ...device, capacity: { bandwidth: { ...bandwidth, value: '99' } } };
      }),
    ),
  }),
  'takes devices that are tainted': () => ({
    breaks: 'devices fit',
    mayBreak: UNTOLD,
    told: toldOf(SLICE, (slice) => withDevices(slice, ({ taints: _, ...device }) => device)),
  }),
  'takes devices of pools that are incomplete': () => ({
    breaks: 'devices fit',
    mayBreak: UNTOLD,
    from: 74,
    told: toldOf(SLICE, (slice) => {
      if (slice.spec.sharedCounters || slice.spec.driver.startsWith('part')) return slice;
      const pool = { name: slice.metadata.name, generation: 1, resourceSliceCount: 1 };
      return { ...slice, spec: { ...slice.spec, pool: { ...pool, name: slice.spec.pool.name } } };
    }),
  }),
  'takes every device for every request': () => ({
    breaks: 'devices fit',
    mayBreak: UNTOLD,
    told: toldOf('DeviceClass', (object) => ({
      ...object,
      spec: { ...object.spec, selectors: [] },
    })),
  }),
  'does not say what it allocates': () => {
    const isMeant = once((record) => allocationsIn(record).length > 0);
    return {
      breaks: 'devices fit',
      says: (record) => [isMeant(record) ? { ...record, claims: {} } : record],
    };
  },
  'consumes nothing of what it shares': () => ({
    breaks: 'devices fit',
    says(record) {
      if (allocationsIn(record).length === 0) return [record];
      return [withResults(record, ({ consumedCapacity: _, ...result }) => result)];
    },
  }),
  'writes another allocation': () => {
    const isMeant = once(isStatusWrite);
    return {
      breaks: 'writes what it decided',
      says(record) {
        if (!isMeant(record)) return [record];
        return [
          withBody(record, (body) => {
            const [first, ...rest] = body.status.allocation.devices.results;
            const devices = { results: [{ ...first, device: 'another' }, ...rest] };
            return { ...body, status: { ...body.status, allocation: { devices } } };
          }),
        ];
      },
    };
  },
  'reserves a claim for no pod': () => {
    const isMeant = once(isStatusWrite);
    return {
      breaks: 'writes what it decided',
      says(record) {
        if (!isMeant(record)) return [record];
        const free = (/** @type {any} */ { status: { reservedFor: _, ...status }, ...body }) => ({
          ...body,
          status,
        });
        return [withBody(record, free)];
      },
    };
  },
  'changes what a claim asks for': () => {
    const isMeant = once(isStatusWrite);
    return {
      breaks: 'writes what it read',
      says: (record) => [
        isMeant(record) ? withBody(record, (body) => ({ ...body, spec: {} })) : record,
      ],
    };
  },
  'binds before its claims are written': () => {
    /** @type {Map<string, string>} */
    const uids = new Map();
    const isMeant = once(isStatusWrite);
    return {
      breaks: 'claims are reserved first',
      says(record) {
        if (record.kind === 'Decision') uids.set(record.pod, record.uid);
        if (!isStatusWrite(record) || !uids.has(record.pod) || !isMeant(record)) return [record];
        const body = JSON.stringify({ metadata: { uid: uids.get(record.pod) } });
        const path = '/api/v1/namespaces/default/pods/p/binding';
        return [record, { ...record, id: 999_999, verb: 'bind', path, body }];
      },
    };
  },
  'binds before the devices are ready': () => {
    const isMeant = once(({ body }) => body?.includes('BindingConditionsPending'));
    return {
      from: 20,
      breaks: 'devices are ready first',
      mayBreak: ['bound once', 'every answer is taken'],
      says(record) {
        if (!isMeant(record)) return [record];
        const body = JSON.stringify({ metadata: JSON.parse(record.body).regarding });
        const path = '/api/v1/namespaces/default/pods/p/binding';
        return [record, { ...record, id: 999_999, verb: 'bind', path, body }];
      },
    };
  },
  'does not see that devices are ready': () => ({
    breaks: 'looks again',
    mayBreak: [...WRITES, ...UNTOLD],
    from: 20,
    told: toldOf(CLAIM, (claim) => {
      const { devices: _, ...status } = claim.status ?? {};
      return { ...claim, status };
    }),
  }),
  'gives up devices for no reason': () => ({
    breaks: 'waits for its devices',
    mayBreak: ['devices are ready first', ...WRITES, ...UNTOLD],
    from: 86,
    told: toldOf(CLAIM, (claim) => {
      const results = claim.status?.allocation?.devices.results ?? [];
      const devices = results.map((/** @type {any} */ { driver, pool, device }) => {
        const conditions = [{ type: 'PrepareFailed', status: 'True' }];
        return { driver, pool, device, conditions };
      });
      return devices.length > 0 ? { ...claim, status: { ...claim.status, devices } } : claim;
    }),
  }),
  'waits for devices when its time is up': () => ({
    breaks: 'waits no longer than it may',
    mayBreak: ['looks again', 'one claim per device', 'devices fit'],
    says: (record) => (record.message?.includes('device binding timeout') ? [] : [record]),
  }),
  'judges devices by other rules': () => ({
    breaks: 'devices are judged',
    answers({ filter = [] }) {
      for (const group of filter) {
        if (group.plugin === 'DynamicResources') group.reasons = ['there are none'];
      }
    },
  }),
  'has devices where there are none': () => ({
    breaks: 'devices are judged',
    mayBreak: ['incremental is rebuilt', 'schedulable pods are bound'],
    answers(evaluation) {
      const { filter = [], feasible } = evaluation;
      const group = filter.find((/** @type {any} */ { plugin }) => plugin === 'DynamicResources');
      if (group) feasible?.push(...group.nodes.splice(0));
    },
  }),
  'forgets which pod waits for its claim': () => ({
    breaks: 'one place',
    shows: (inspection) => void inspection.inFlight.pop(),
  }),
};

testEngineFaults(SLIPS, GAMES);
