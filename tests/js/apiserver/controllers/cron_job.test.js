// Goal: CronJobs start Jobs at their scheduled times, and keep them according to their limits.
// Method: the clock moves from run to run; each policy and limit has its own CronJob.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workloads } from '../../../../js/apiserver/controllers/workloads.js';
import { garbagecollector } from '../../../../js/apiserver/controllers/garbagecollector/garbage_collector.js';
import { template, World } from './world.js';

const MINUTE = 60_000;

/** @param {object} [spec] @param {string} [name] */
const cronJob = (spec = {}, name = 'tick') => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name },
  spec: {
    schedule: '*/5 * * * *',
    jobTemplate: {
      metadata: { labels: { app: name }, annotations: { why: 'test' } },
      spec: { template: template({ app: name }, { restartPolicy: 'Never' }) },
    },
    ...spec,
  },
});

/** @param {import('node:test').TestContext} t @param {...object} objects */
async function prepare(t, ...objects) {
  const world = new World(garbagecollector, workloads);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  world.create(...objects);
  await world.settle();
  return world;
}

/** @param {any} world */
const jobs = (world) => world.list('jobs').map(({ metadata }) => metadata.name);
/** @param {any} world */
const status = (world, name = 'tick') => world.get('cronjobs', name).status;

/** Ends the running Jobs. @param {any} world @param {'Complete' | 'Failed'} type */
async function finish(world, type = 'Complete') {
  const time = new Date(world.clock.now()).toISOString().replace(/\.\d+/, '');
  for (const job of world.list('jobs')) {
    if (job.status.conditions?.length > 0) continue;
    const conditions = [
      ...(type === 'Complete' ? [{ type: 'SuccessCriteriaMet', status: 'True' }] : []),
      { type, status: 'True', lastTransitionTime: time },
    ];
    const completed = type === 'Complete' && { completionTime: time };
    world.patchStatus('jobs', job.metadata.name, { conditions, startTime: time, ...completed });
  }
  await world.settle();
}

test('a Job is created and recorded at each scheduled time', async (t) => {
  const world = await prepare(t, cronJob());
  await world.advance(5 * MINUTE - 1);
  assert.deepEqual(jobs(world), []);
  await world.advance(1000);
  const [job] = world.list('jobs');
  assert.equal(job.metadata.name, `tick-${Date.UTC(2026, 2, 1, 0, 5) / MINUTE}`);
  assert.deepEqual(job.metadata.annotations, {
    why: 'test',
    'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-03-01T00:05:00Z',
  });
  assert.equal(job.metadata.labels.app, 'tick');
  const [owner] = job.metadata.ownerReferences;
  assert.deepEqual([owner.kind, owner.name, owner.controller], ['CronJob', 'tick', true]);
  assert.equal(world.list('pods').length, 1);
  const { active, lastScheduleTime } = status(world);
  assert.deepEqual(
    active.map(({ kind, name, uid, apiVersion, namespace }) => [
      kind,
      name,
      uid,
      apiVersion,
      namespace,
    ]),
    [['Job', job.metadata.name, job.metadata.uid, 'batch/v1', 'default']],
  );
  assert.equal(lastScheduleTime, '2026-03-01T00:05:00Z');
  await world.advance(MINUTE);
  await finish(world);
  assert.equal(status(world).active, undefined);
  assert.equal(status(world).lastSuccessfulTime, '2026-03-01T00:06:00Z');
  assert.deepEqual(world.events('tick'), [
    `SuccessfulCreate: Created job ${job.metadata.name}`,
    `SawCompletedJob: Saw completed job: ${job.metadata.name}, condition: Complete`,
  ]);
  await world.advance(20 * MINUTE);
  assert.equal(jobs(world).length, 5);
});

test('Jobs go with their CronJob', async (t) => {
  const world = await prepare(t, cronJob());
  await world.advance(11 * MINUTE);
  assert.equal(jobs(world).length, 2);
  world.delete('cronjobs', 'tick');
  await world.settle();
  await world.advance(20 * MINUTE);
  assert.deepEqual([jobs(world), world.list('pods')], [[], []]);
});

test('a schedule is that of its time zone', async (t) => {
  const daily = cronJob({ schedule: '30 6 * * *', timeZone: 'Asia/Kolkata' });
  const world = await prepare(t, daily);
  await world.advance(60 * MINUTE);
  assert.deepEqual(jobs(world), []);
  await world.advance(MINUTE);
  const [{ metadata }] = world.list('jobs');
  assert.equal(
    metadata.annotations['batch.kubernetes.io/cronjob-scheduled-timestamp'],
    '2026-03-01T06:30:00+05:30',
  );
});

test('concurrencyPolicy allows, forbids or replaces an active run', async (t) => {
  const world = await prepare(
    t,
    cronJob({ concurrencyPolicy: 'Allow' }, 'allow'),
    cronJob({ concurrencyPolicy: 'Forbid' }, 'forbid'),
    cronJob({ concurrencyPolicy: 'Replace' }, 'replace'),
  );
  await world.advance(11 * MINUTE);
  const [first, second] = [5, 10].map((minute) => Date.UTC(2026, 2, 1, 0, minute) / MINUTE);
  assert.deepEqual(jobs(world), [
    `allow-${first}`,
    `allow-${second}`,
    `forbid-${first}`,
    `replace-${second}`,
  ]);
  assert.deepEqual(
    ['allow', 'forbid', 'replace'].map((name) => status(world, name).active.length),
    [2, 1, 1],
  );
  assert.ok(
    world
      .events('forbid')
      .includes(
        'JobAlreadyActive: Not starting job because prior execution is running and ' +
          'concurrency policy is Forbid',
      ),
  );
  assert.ok(world.events('replace').includes(`SuccessfulDelete: Deleted job replace-${first}`));
  await finish(world);
  // The delayed run starts at once.
  assert.ok(jobs(world).includes(`forbid-${second}`));
});

test('a run after its starting deadline is skipped', async (t) => {
  const spec = { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 60 };
  const world = await prepare(t, cronJob(spec));
  await world.advance(12 * MINUTE);
  await finish(world);
  const first = Date.UTC(2026, 2, 1, 0, 5) / MINUTE;
  assert.deepEqual(jobs(world), [`tick-${first}`]);
  await world.advance(4 * MINUTE);
  assert.deepEqual(jobs(world), [`tick-${first}`, `tick-${first + 10}`]);
});

test('a CronJob that was suspended goes on with the last run that it missed', async (t) => {
  const world = await prepare(t, cronJob({ schedule: '* * * * *', suspend: true }));
  await world.advance(150 * MINUTE + 1);
  assert.deepEqual(jobs(world), []);
  world.patchSpec('cronjobs', 'tick', { suspend: false });
  await world.settle();
  assert.deepEqual(jobs(world), [`tick-${Date.UTC(2026, 2, 1, 2, 30) / MINUTE}`]);
  assert.ok(world.events('tick').some((one) => one.startsWith('TooManyMissedTimes: too many')));
  world.patchSpec('cronjobs', 'tick', { suspend: true });
  await world.advance(10 * MINUTE);
  assert.equal(jobs(world).length, 1);
});

test('history limits keep the newest finished Jobs', async (t) => {
  const limits = { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 };
  const world = await prepare(t, cronJob(limits), cronJob({ failedJobsHistoryLimit: 0 }, 'none'));
  const ends = /** @type {const} */ (['Complete', 'Failed', 'Complete', 'Failed', 'Complete']);
  for (const end of ends) {
    await world.advance(5 * MINUTE + 1000);
    await finish(world, end);
  }
  await world.advance(1000);
  const kept = (/** @type {string} */ name) =>
    jobs(world)
      .filter((one) => one.startsWith(name))
      .map((one) => Number(one.split('-')[1]) - Date.UTC(2026, 2, 1) / MINUTE);
  assert.deepEqual(kept('tick'), [15, 20, 25]);
  assert.deepEqual(kept('none'), [5, 15, 25]);
});

test('missing and unexpected Jobs are reported by events', async (t) => {
  const world = await prepare(t, cronJob());
  await world.advance(6 * MINUTE);
  const [first] = jobs(world);
  world.delete('jobs', first, { propagationPolicy: 'Background' });
  await world.settle();
  assert.ok(world.events('tick').includes(`MissingJob: Active job went missing: ${first}`));
  assert.equal(status(world).active, undefined);
  const { uid } = world.get('cronjobs', 'tick').metadata;
  world.create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'by-hand',
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid, controller: true },
      ],
    },
    spec: cronJob().spec.jobTemplate.spec,
  });
  await world.settle();
  const unexpected = 'Saw a job that the controller did not create or forgot: by-hand';
  assert.ok(world.events('tick').includes(`UnexpectedJob: ${unexpected}`));
});

test('a schedule without a next time is reported, and sets no timer', async (t) => {
  const world = await prepare(t, cronJob({ schedule: '0 0 31 2 *' }));
  assert.deepEqual(world.events('tick'), [
    'InvalidSchedule: invalid schedule: 0 0 31 2 * : ' +
      'time difference between two schedules is less than 1 second',
  ]);
  world.patchSpec('cronjobs', 'tick', { schedule: '*/5 * * * *' });
  await world.advance(6 * MINUTE);
  assert.equal(jobs(world).length, 1);
});

test("invalid CronJobs are refused with Kubernetes' messages", async (t) => {
  const world = await prepare(t);
  const cases = /** @type {[object, string][]} */ ([
    [{ schedule: '' }, 'spec.schedule: Required value'],
    [
      { schedule: '* * *' },
      'spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]',
    ],
    [
      { schedule: 'TZ=UTC 0 * * * *' },
      'spec.schedule: Invalid value: "TZ=UTC 0 * * * *": ' +
        'cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
    [
      { timeZone: 'Europe/Nowhere' },
      'spec.timeZone: Invalid value: "Europe/Nowhere": unknown time zone Europe/Nowhere',
    ],
    [
      { timeZone: '' },
      'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string',
    ],
    [
      { timeZone: 'local' },
      'spec.timeZone: Invalid value: "local": timeZone must be an explicit time zone as defined ' +
        'in https://www.iana.org/time-zones',
    ],
    [
      { concurrencyPolicy: 'Maybe' },
      'spec.concurrencyPolicy: Unsupported value: "Maybe": ' +
        'supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      { startingDeadlineSeconds: -1, failedJobsHistoryLimit: -2 },
      '[spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0, ' +
        'spec.failedJobsHistoryLimit: Invalid value: -2: must be greater than or equal to 0]',
    ],
  ]);
  for (const [spec, message] of cases)
    assert.throws(() => world.create(cronJob(spec)), {
      code: 'Invalid',
      message: `CronJob.batch "tick" is invalid: ${message}`,
    });
  const long = 'x'.repeat(53);
  assert.throws(() => world.create(cronJob({}, long)), {
    message: /metadata\.name: Invalid value: "x+": must be no more than 52 characters$/,
  });
});
