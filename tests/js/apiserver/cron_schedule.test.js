// Goal: schedules have the same times as in Kubernetes, in every zone, and errors have its
// messages. Method: tables of times, each also compared with a minute-by-minute search.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CronSchedule } from '../../../js/apiserver/cron/cron_schedule.js';
import { parseCron } from '../../../js/apiserver/cron/cron_fields.js';
import { offsetOf, zonedTimestamp } from '../../../js/apiserver/cron/time_zone.js';

const time = (/** @type {string} */ text) => Date.parse(text);
const text = (/** @type {number | null} */ value) =>
  value === null ? null : new Date(value).toISOString().slice(0, 19) + 'Z';

/** @param {string} schedule @param {string} [zone] */
const scheduleOf = (schedule, zone = '') =>
  new CronSchedule(schedule, /** @type {any} */ (offsetOf(zone)));

/** Returns the next times. @param {string} schedule @param {string} from @param {string} [zone] */
function nextTimes(schedule, from, zone, count = 3) {
  const times = [];
  let at = /** @type {number | null} */ (time(from));
  for (let index = 0; index < count && at !== null; index += 1) {
    at = scheduleOf(schedule, zone).next(at);
    times.push(text(at));
  }
  return times;
}

test('fields name minutes, in UTC without a zone', () => {
  const cases = /** @type {[string, string, string[]][]} */ ([
    ['* * * * *', '2026-03-01T00:00:00Z', ['2026-03-01T00:01:00Z', '2026-03-01T00:02:00Z']],
    ['*/20 6-16/5 * * *', '2026-03-01T06:30:10Z', ['2026-03-01T06:40:00Z', '2026-03-01T11:00:00Z']],
    ['50/5 0 * * *', '2026-03-01T00:50:00Z', ['2026-03-01T00:55:00Z', '2026-03-02T00:50:00Z']],
    ['0 0 1 jan *', '2026-03-01T00:00:00Z', ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z']],
    ['0 12 * * MON-wed', '2026-03-01T00:00:00Z', ['2026-03-02T12:00:00Z', '2026-03-03T12:00:00Z']],
    // A match of the day of the month or of the weekday is enough, unless one of them is any.
    ['0 0 13 * 5', '2026-03-01T00:00:00Z', ['2026-03-06T00:00:00Z', '2026-03-13T00:00:00Z']],
    ['0 0 ? * 5', '2026-03-01T00:00:00Z', ['2026-03-06T00:00:00Z', '2026-03-13T00:00:00Z']],
    ['0 0 29 2 *', '2026-03-01T00:00:00Z', ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z']],
    ['@yearly', '2026-03-01T00:00:00Z', ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z']],
    ['@weekly', '2026-03-01T00:00:00Z', ['2026-03-08T00:00:00Z', '2026-03-15T00:00:00Z']],
    ['@hourly', '2026-03-01T23:59:59Z', ['2026-03-02T00:00:00Z', '2026-03-02T01:00:00Z']],
    ['@every 90s', '2026-03-01T00:00:05Z', ['2026-03-01T00:01:35Z', '2026-03-01T00:03:05Z']],
    ['@every 1ms', '2026-03-01T00:00:05Z', ['2026-03-01T00:00:06Z', '2026-03-01T00:00:07Z']],
  ]);
  for (const [schedule, from, want] of cases)
    assert.deepEqual(nextTimes(schedule, from, '', 2), want, schedule);
});

test('a schedule that never comes has no next time', () => {
  for (const schedule of ['0 0 31 2 *', '59 23 30 feb *', ', * * * *'])
    assert.equal(scheduleOf(schedule).next(time('2026-03-01T00:00:00Z')), null, schedule);
});

test('a schedule follows the clock of its zone through every change', () => {
  const berlin = 'Europe/Berlin';
  assert.deepEqual(nextTimes('0 9 * * *', '2026-03-28T00:00:00Z', berlin), [
    '2026-03-28T08:00:00Z',
    '2026-03-29T07:00:00Z',
    '2026-03-30T07:00:00Z',
  ]);
  // 02:30 does not exist on 29 March, and occurs twice on 25 October.
  assert.deepEqual(nextTimes('30 2 * * *', '2026-03-28T00:00:00Z', berlin), [
    '2026-03-28T01:30:00Z',
    '2026-03-30T00:30:00Z',
    '2026-03-31T00:30:00Z',
  ]);
  assert.deepEqual(nextTimes('30 2 * * *', '2026-10-24T12:00:00Z', berlin), [
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
    '2026-10-26T01:30:00Z',
  ]);
  assert.deepEqual(nextTimes('15 0 * * *', '2026-03-01T00:00:00Z', 'Asia/Kathmandu', 2), [
    '2026-03-01T18:30:00Z',
    '2026-03-02T18:30:00Z',
  ]);
  // Samoa had no 30 December 2011.
  assert.deepEqual(nextTimes('0 0 30,31 12 *', '2011-12-01T00:00:00Z', 'Pacific/Apia', 2), [
    '2011-12-30T10:00:00Z',
    '2012-12-29T10:00:00Z',
  ]);
  const offset = /** @type {any} */ (offsetOf('America/St_Johns'));
  assert.equal(zonedTimestamp(time('2026-03-01T12:00:00Z'), offset), '2026-03-01T08:30:00-03:30');
});

test('next and last agree with a walk from minute to minute', () => {
  const zones = ['', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo'];
  const schedules = ['*/15 * * * *', '30 0-3 * * *', '7 1,2 * * 0', '0 0 1,15 * 6', '59 23 * * *'];
  const starts = ['2026-03-07T12:00:00Z', '2026-04-04T06:00:00Z', '2026-10-24T20:30:00Z'];
  const LONG = 36 * 60;
  for (const zone of zones) {
    for (const schedule of schedules) {
      const fields = /** @type {any} */ (parseCron(schedule));
      const offset = /** @type {any} */ (offsetOf(zone));
      const matches = (/** @type {number} */ at) => {
        const wall = new Date(at + offset(at));
        const [day, weekday] = [
          fields.day.values.has(wall.getUTCDate()),
          fields.weekday.values.has(wall.getUTCDay()),
        ];
        const isAny = fields.day.isAny || fields.weekday.isAny;
        return (
          fields.minute.values.has(wall.getUTCMinutes()) &&
          fields.hour.values.has(wall.getUTCHours()) &&
          (isAny ? day && weekday : day || weekday)
        );
      };
      for (const start of starts) {
        const from = time(start);
        const minutes = Array.from({ length: LONG }, (_, index) => from + index * 60_000);
        const walked = minutes.filter((at) => at > from && matches(at)).map(text);
        const found = [];
        const until = /** @type {number} */ (minutes.at(-1));
        const made = scheduleOf(schedule, zone);
        for (let at = made.next(from); at !== null && at <= until; at = made.next(at))
          found.push(text(at));
        const about = `${schedule} ${zone} ${start}`;
        assert.deepEqual(found, walked, about);
        assert.equal(text(made.last(from, until)), walked.at(-1) ?? null, about);
      }
    }
  }
});

test('the last time before now is found at once, however long ago the first was', () => {
  const from = time('2000-01-01T00:00:00Z');
  const now = time('2026-11-25T10:07:30Z');
  const cases = /** @type {[string, string | null][]} */ ([
    ['* * * * *', '2026-11-25T10:07:00Z'],
    ['* * * 1-6 *', '2026-06-30T23:59:00Z'],
    ['@every 7s', '2026-11-25T10:07:26Z'],
    ['0 0 31 2 *', null],
  ]);
  for (const [schedule, want] of cases) {
    assert.equal(text(scheduleOf(schedule).last(from, now)), want, schedule);
    assert.equal(scheduleOf(schedule).last(now, now), null);
  }
});

test('errors have the messages of Kubernetes', () => {
  const cases = /** @type {[string, string][]} */ ([
    ['', 'empty spec string'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    [' @daily', 'expected exactly 5 fields, found 1: [@daily]'],
    ['@fortnightly', 'unrecognized descriptor: @fortnightly'],
    ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['5-2 * * * *', 'beginning of range (5) beyond end of range (2): 5-2'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
    [
      '99999999999999999999 * * * *',
      'failed to parse int from 99999999999999999999: ' +
        'strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
  ]);
  for (const [schedule, message] of cases)
    assert.throws(() => parseCron(schedule), { name: 'SyntaxError', message });
});
