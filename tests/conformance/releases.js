/** Finds the recordings of older releases. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { collectCases } from './collect.js';

/** @typedef {import('./collect.js').Case} Case */

/** @typedef {{ status: string, causes?: Record<string, number> }} Scenario */

const RECORDED = fileURLToPath(new URL('versions/', import.meta.url));
const GOLDEN = fileURLToPath(new URL('golden/', import.meta.url));

/** The patch releases with recordings, such as `v1.34.9`, the newest first. */
export const RECORDED_RELEASES = readdirSync(RECORDED)
  .filter((name) => name.startsWith('v'))
  .sort()
  .reverse();

/** @param {string} release such as `v1.34.9` */
export function minorOf(release) {
  return release.slice('v'.length).replace(/\.\d+$/, '');
}

/**
 * Returns the release with recordings that a minor stands for.
 * @param {string} [minor] such as `1.34`
 */
export function recordedRelease(minor) {
  return RECORDED_RELEASES.find((release) => minorOf(release) === minor);
}

/**
 * Returns what the manifest says of each scenario, by name.
 * @param {string} release
 * @returns {Record<string, Scenario>}
 */
export function scenariosOf(release) {
  return JSON.parse(readFileSync(`${RECORDED}${release}/manifest.json`, 'utf8')).scenarios;
}

/**
 * Returns the scenarios that a release decided otherwise than v1.36, as it did, and its replays.
 * @param {string} release
 */
export function recordedAgain(release) {
  return collectCases([`${RECORDED}${release}`]);
}

/**
 * Returns the cases that are valid for a release: those recorded again, and those of v1.36 that its
 * manifest calls the same.
 * @param {string} release
 * @param {{ families?: string[] }} [options]
 * @returns {Case[]}
 */
export function casesOfRelease(release, options) {
  const scenarios = scenariosOf(release);
  const same = collectCases([GOLDEN], options).filter(
    ({ name, decisions }) => decisions && scenarios[name]?.status === 'same',
  );
  return [...collectCases([`${RECORDED}${release}`], options), ...same];
}
