/** The speed of splitting pods into tokens, by our own reader and by nlohmann_json's lexer. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { NotBuiltError } from '../support/targets.js';
import { ratioOf, repeat } from './measure.js';
import { eventsOf, realisticPod } from './objects.js';

const PODS = 2000;

/**
 * The programs that read lines and print megabytes per second, by target.
 * @type {Record<string, string>}
 */
const PROGRAMS = {
  native: 'native/tests/bench/token_speed',
  wasm: 'wasm/tests/bench/token_speed.cjs',
};

/** @param {string} target @returns {{ id: string, megabytesPerSecond: number }[]} */
export function measureTokens(target) {
  const file = fileURLToPath(new URL(`../../build/${PROGRAMS[target]}`, import.meta.url));
  if (!existsSync(file)) throw new NotBuiltError(target, file);
  const input = Buffer.concat(eventsOf('ADDED', PODS, (at) => realisticPod(at)));
  const command = target === 'wasm' ? [process.execPath, file] : [file];
  const { calibration, results } = repeat(1, () =>
    JSON.parse(execFileSync(command[0], command.slice(1), { input, encoding: 'utf8' })),
  );
  return Object.entries(results[0]).map(([reader, megabytesPerSecond]) => ({
    id: `tokens/${reader}/${target}`,
    megabytesPerSecond,
    ratio: ratioOf(megabytesPerSecond, calibration),
    calibrationMs: calibration * 1000,
  }));
}
