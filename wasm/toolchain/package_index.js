/**
 * Checks that a suite's signed Release file is current. A signature does not expire, so a server
 * could replay an old index with old compilers.
 */
import { SetupError } from './report.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Archives that are synchronised rarely may serve a testing suite's index after its Valid-Until.
 */
export const LAG_DAYS_MAX = 60;
/** The accepted difference between the clocks of the archive and of this machine. */
export const SKEW_DAYS_MAX = 1;

/**
 * The oldest accepted index of each suite that compilers come from. For testing it is the one that
 * the module was last built with, raised with each new compiler; for Debian 13 its first release.
 *
 * @type {Record<string, string | undefined>}
 */
export const OLDEST_INDEX = {
  forky: '2026-10-30T08:08:01Z',
  trixie: '2025-08-09T00:00:00Z',
};

/**
 * @param {string} text of an InRelease file whose signature apt has checked
 * @param {{suite: string, now: Date}} options
 * @returns {{date: Date, validUntil: Date | null}}
 * @throws {SetupError} if a date is missing, in the future, too old or expired for too long
 */
export function checkIndex(text, { suite, now }) {
  const index = `The package index of Debian ${suite}`;
  const date = dateField(text, 'Date');
  if (!date) throw new SetupError(`${index} has no readable Date.`);
  const dated = `${index} is dated ${date.toISOString()}`;
  if (date.getTime() > now.getTime() + SKEW_DAYS_MAX * DAY_MS) {
    throw new SetupError(`${dated}, in the future. Is this machine's clock right?`);
  }
  const oldest = OLDEST_INDEX[suite];
  if (oldest && date < new Date(oldest)) {
    throw new SetupError(`${dated}; an index older than ${oldest} is not accepted.`);
  }
  if (field(text, 'Valid-Until') === undefined) return { date, validUntil: null };
  const validUntil = dateField(text, 'Valid-Until');
  if (!validUntil) throw new SetupError(`${index} has no readable Valid-Until.`);
  if (now.getTime() > validUntil.getTime() + LAG_DAYS_MAX * DAY_MS) {
    throw new SetupError(
      `${index} expired on ${validUntil.toISOString()}, more than ${LAG_DAYS_MAX} days ago.`,
    );
  }
  return { date, validUntil };
}

/**
 * The value of a field in the signed part of the text.
 *
 * @param {string} text
 * @param {string} name
 */
function field(text, name) {
  const [signed] = text.split(/^-----BEGIN PGP SIGNATURE-----$/m);
  return new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(signed)?.[1];
}

/** @param {string} text @param {string} name @returns {Date | null} */
function dateField(text, name) {
  const value = field(text, name) ?? '';
  // Debian's date format: English, in UTC.
  const isDate = /^\w{3}, +\d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d (UTC|\+0000)$/.test(value);
  const date = new Date(value);
  return isDate && !Number.isNaN(date.getTime()) ? date : null;
}
