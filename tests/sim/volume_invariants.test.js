/** Proves that every invariant about volumes can fail, with engines that handle volumes wrongly. */
import { gamesOf, once, testEngineFaults } from './faulty_engines.js';
import { annotationsOf, BIND_COMPLETED, isFullyBound, SELECTED_NODE } from './volumes.js';

/** @typedef {import('./faulty_engines.js').EngineFault} EngineFault */

const GAMES = gamesOf(300, 'volumes');

/** The model that checks these gets other input than the engine. */
const UNTOLD = ['incremental is rebuilt', 'volumes are judged'];
const VOLUME = 'PersistentVolume';
const CLAIM = 'PersistentVolumeClaim';

/** @param {string} kind @param {(object: any) => any} other  as the engine sees it */
const toldOf = (kind, other) => (/** @type {any} */ line) =>
  line.object?.kind === kind && line.type !== 'DELETED'
    ? { ...line, object: other(line.object) }
    : line;

/** @param {any} object @param {object} spec */
const withSpec = (object, spec) => ({ ...object, spec: { ...object.spec, ...spec } });

/** @param {any} record */
const isUpdate = ({ kind, verb }) => kind === 'Call' && verb === 'update';

/** @param {any} record @returns {[string, string] | undefined}  a claim and its volume */
function choiceOf({ kind, result, volumes = {} }) {
  if (kind !== 'Decision' || result !== 'scheduled') return undefined;
  return Object.entries(volumes).find(([, volume]) => volume !== 'provision');
}

/** New ones for each run. @type {Record<string, () => EngineFault>} */
const SLIPS = {
  'takes a volume that is set aside': () => {
    /** @type {string | undefined} */
    let taken;
    return {
      breaks: 'one claim per volume',
      mayBreak: ['volumes fit', 'volumes are judged'],
      says(record) {
        const choice = choiceOf(record);
        if (!choice) return [record];
        const [claim, own] = choice;
        const volumes = { ...record.volumes, [claim]: taken ?? own };
        taken = own;
        return [{ ...record, volumes }];
      },
    };
  },
  'takes one volume for two claims': () => ({
    breaks: 'one claim per volume',
    says(record) {
      const choice = choiceOf(record);
      if (!choice) return [record];
      return [{ ...record, volumes: { ...record.volumes, another: choice[1] } }];
    },
  }),
  'takes volumes for larger than they are': () => ({
    breaks: 'volumes fit',
    mayBreak: ['writes what it set aside', ...UNTOLD],
    told: toldOf(VOLUME, (volume) => withSpec(volume, { capacity: { storage: '99Gi' } })),
  }),
  'reaches every volume': () => ({
    breaks: 'volumes fit',
    mayBreak: UNTOLD,
    told: toldOf(VOLUME, (volume) => {
      const { nodeAffinity: _, ...spec } = volume.spec;
      return { ...volume, metadata: { ...volume.metadata, labels: {} }, spec };
    }),
  }),
  'takes every claim for sound': () => ({
    breaks: 'volumes fit',
    mayBreak: ['writes what it set aside', ...UNTOLD],
    told: toldOf(CLAIM, (claim) => {
      const { deletionTimestamp: _, ...metadata } = claim.metadata;
      const { phase } = claim.status;
      return { ...claim, metadata, status: { phase: phase === 'Lost' ? 'Bound' : phase } };
    }),
  }),
  'has room everywhere': () => ({
    breaks: 'volumes fit',
    mayBreak: UNTOLD,
    told: (line) => (line.object?.kind === 'CSIDriver' ? null : line),
  }),
  'knows no volume limits': () => ({
    breaks: 'no node over its volume limit',
    mayBreak: UNTOLD,
    told: toldOf('CSINode', (node) => withSpec(node, { drivers: [] })),
  }),
  'lets pods share a claim of one': () => {
    const single = new Set();
    const isOfOne = (/** @type {any} */ { metadata: { namespace }, spec: { volumes = [] } }) =>
      volumes.some((/** @type {any} */ { persistentVolumeClaim: source }) => {
        return source && single.has(`${namespace}/${source.claimName}`);
      });
    return {
      breaks: 'one pod per claim',
      mayBreak: ['no node over its volume limit', ...UNTOLD],
      told(line) {
        const { object } = line;
        if (object?.kind === CLAIM && object.spec.accessModes[0] === 'ReadWriteOncePod') {
          single.add(`${object.metadata.namespace}/${object.metadata.name}`);
        }
        const isHidden = object?.kind === 'Pod' && object.spec?.nodeName && isOfOne(object);
        return isHidden ? { ...line, object: withSpec(object, { volumes: [] }) } : line;
      },
    };
  },
  'binds before the claims are bound': () => {
    /** @type {Map<string, string>} */
    const uids = new Map();
    const isMeant = once(isUpdate);
    return {
      breaks: 'claims are bound first',
      says(record) {
        if (record.kind === 'Decision') uids.set(record.pod, record.uid);
        if (!isUpdate(record) || !uids.has(record.pod) || !isMeant(record)) return [record];
        const body = JSON.stringify({ metadata: { uid: uids.get(record.pod) } });
        return [record, { ...record, id: 999_999, verb: 'bind', body }];
      },
    };
  },
  'writes another volume': () => {
    const isMeant = once(isUpdate);
    return {
      breaks: 'writes what it set aside',
      says: (record) => [isMeant(record) ? { ...record, path: `${record.path}x` } : record],
    };
  },
  'changes what it writes': () => {
    const isMeant = once(isUpdate);
    return {
      breaks: 'writes what it set aside',
      says(record) {
        if (!isMeant(record)) return [record];
        return [{ ...record, body: JSON.stringify(withSpec(JSON.parse(record.body), { x: 1 })) }];
      },
    };
  },
  'waits on when its time is up': () => ({
    breaks: 'waits no longer than it may',
    says: (record) => (record.message?.includes('deadline exceeded') ? [] : [record]),
  }),
  'does not see that a claim is bound': () => {
    const isMeant = once(({ type, object }) => {
      const isProvisioned = object?.kind === CLAIM && SELECTED_NODE in annotationsOf(object);
      return type === 'MODIFIED' && isProvisioned && isFullyBound(object);
    });
    return {
      breaks: 'looks again',
      mayBreak: ['volumes fit', ...UNTOLD],
      told: (line) => (isMeant(line) ? null : line),
    };
  },
  'gives up for no reason': () => {
    const isMeant = once(({ type, object }) => {
      const isSelected = object?.kind === CLAIM && SELECTED_NODE in annotationsOf(object);
      return type === 'MODIFIED' && isSelected && !(BIND_COMPLETED in annotationsOf(object));
    });
    return {
      breaks: 'waits for its claims',
      mayBreak: ['volumes fit', ...UNTOLD],
      told(line) {
        if (!isMeant(line)) return line;
        const metadata = { ...line.object.metadata, annotations: {} };
        return { ...line, object: { ...line.object, metadata } };
      },
    };
  },
  'does not say who ended a wait': () => ({
    breaks: 'says who ended a wait',
    says(record) {
      if (!record.message?.includes('preempted by')) return [record];
      return [{ ...record, message: 'binding volumes: context canceled' }];
    },
  }),
  'does not take the smallest volume': () => ({
    breaks: 'volumes are judged',
    mayBreak: ['writes what it set aside', 'incremental is rebuilt'],
    told: toldOf(VOLUME, (volume) => {
      const isSmall = volume.spec.capacity.storage === '1Gi';
      return isSmall ? volume : withSpec(volume, { capacity: { storage: '2Gi' } });
    }),
  }),
  'judges volumes by other rules': () => ({
    breaks: 'volumes are judged',
    answers({ filter = [] }) {
      for (const group of filter) {
        if (group.plugin === 'VolumeBinding') group.reasons = ['it is full'];
      }
    },
  }),
  'forgets whom it nominates first': () => ({
    breaks: 'one place',
    shows: (inspection) => void inspection.inFlight.pop(),
  }),
};

testEngineFaults(SLIPS, GAMES);
