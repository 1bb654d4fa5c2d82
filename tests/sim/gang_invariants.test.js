/** Proves that every invariant about gangs can fail, with engines that handle them wrongly. */
import { gamesOf, once, testEngineFaults } from './faulty_engines.js';

/** @typedef {import('./faulty_engines.js').EngineFault} EngineFault */

const GAMES = gamesOf(300, 'gangs');

/** @param {number} minCount  as the engine reads it @param {any} line */
function withMinCount(minCount, line) {
  const { object } = line;
  if (object?.kind !== 'PodGroup' || !object.spec.schedulingPolicy.gang) return line;
  const schedulingPolicy = { gang: { minCount } };
  return { ...line, object: { ...object, spec: { ...object.spec, schedulingPolicy } } };
}

/** New ones for each run. @type {Record<string, () => EngineFault>} */
const SLIPS = {
  'starts a part of a gang': () => ({
    breaks: 'minCount at the decision',
    mayBreak: ['incremental is rebuilt'],
    told: (line) => withMinCount(1, line),
  }),
  'starts a gang whose group is gone': () => ({
    breaks: 'minCount at the decision',
    told: (line) =>
      line.type === 'DELETED' && line.object.kind === 'PodGroup' ? null : withMinCount(1, line),
    mayBreak: ['incremental is rebuilt'],
  }),
  'binds pods of a gang that does not start': () => ({
    breaks: 'only a group that starts binds pods',
    says: (record) => [
      record.kind === 'PodGroupDecision' ? { ...record, result: 'unschedulable' } : record,
    ],
  }),
  'decides the pods of a gang one by one': () => ({
    breaks: 'pods of gangs are decided together',
    says: (record) => (record.kind === 'PodGroupDecision' ? [] : [record]),
  }),
  'holds a pod until its gang is there': () => {
    const isMeant = once(({ podGroups }) => podGroups.length > 0);
    return {
      breaks: 'no gang waits for itself',
      shows(inspection) {
        const waiting = { pod: 'default/p1', node: 'n1', plugins: ['GangScheduling'] };
        if (isMeant(inspection)) inspection.waiting.push(waiting);
      },
    };
  },
  'forgets a pod of a group': () => ({
    breaks: 'states of groups',
    shows({ podGroups }) {
      podGroups.find((/** @type {any} */ { unscheduled }) => unscheduled.pop());
    },
  }),
  'never starts a gang': () => ({
    breaks: 'complete groups run',
    mayBreak: ['incremental is rebuilt'],
    told: (line) => withMinCount(99, line),
  }),
};

testEngineFaults(SLIPS, GAMES);
