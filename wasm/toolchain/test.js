/**
 * `npm test`: sets up and runs every test. `npm test -- STEP…` runs only the named steps, `npm test
 * -- --changed` the steps that the changes since the branch main need.
 */
import { changedFiles, choicesText, needsEngine, stepsFor } from './changed.js';
import { elapsed, exitWith, SetupError, step } from './report.js';
import { buildModule, setUp } from './setup.js';
import { runStep, STEPS } from './test_steps.js';
import { timesText } from './test_times.js';

/** @typedef {import('./test_times.js').Time} Time */
/** @typedef {import('./changed.js').Choice} Choice */
/** @typedef {Map<string, Choice>} Chosen  by step */

const CHANGED = '--changed';

/** @param {string[]} names @returns {Chosen} */
function stepsNamed(names) {
  const unknown = names.find((name) => !(name in STEPS) && name !== 'set-up');
  if (unknown) {
    throw new SetupError(`no step ${unknown}; there are: set-up ${Object.keys(STEPS).join(' ')}`);
  }
  const isChosen = (/** @type {string} */ name) =>
    names.length > 0 ? names.includes(name) : !STEPS[name].onRequest;
  return new Map(
    Object.keys(STEPS)
      .filter(isChosen)
      .map((name) => [name, { only: null, because: [] }]),
  );
}

/**
 * Builds the parts for the engine's tests that the other steps of a whole run would build.
 *
 * @param {Chosen} chosen
 * @param {import('./emscripten.js').Emscripten} emscripten
 */
async function buildEngine(chosen, emscripten) {
  if (!chosen.has('addon')) {
    await step(STEPS.addon.title, 'npm test -- addon', () => runStep('addon', emscripten));
  }
  await buildModule(emscripten);
}

/**
 * @param {Chosen} chosen
 * @param {import('./emscripten.js').Emscripten} emscripten
 * @returns {Promise<{ steps: Time[], files: Time[], failed: string[] }>} failed: names of steps
 */
async function runSteps(chosen, emscripten) {
  /** @type {Awaited<ReturnType<typeof runSteps>>} */
  const results = { steps: [], files: [], failed: [] };
  for (const [name, { only }] of chosen) {
    const started = performance.now();
    try {
      const run = () => runStep(name, emscripten, only ?? undefined);
      results.files.push(...(await step(STEPS[name].title, `npm test -- ${name}`, run)));
    } catch (error) {
      exitWith(error);
      results.failed.push(name);
      results.files.push(...timesOf(error));
    }
    results.steps.push({ name, seconds: (performance.now() - started) / 1000 });
  }
  return results;
}

/** The times of the files that ran before the step failed. @param {any} error @returns {Time[]} */
function timesOf(error) {
  return error.times ?? [];
}

/** @param {string[]} args */
async function main(args) {
  const started = performance.now();
  const isChanged = args.includes(CHANGED);
  if (isChanged && args.length > 1) throw new SetupError(`${CHANGED} chooses the steps itself`);
  const chosen = isChanged ? stepsFor(changedFiles()) : stepsNamed(args);
  if (isChanged) console.log(`== what the change needs\n${choicesText(chosen)}\n`);
  if (isChanged && chosen.size === 0) return;

  const emscripten = await setUp('test', { programs: !chosen.has('addon') });
  if (isChanged && needsEngine(chosen)) await buildEngine(chosen, emscripten);
  const setUpTime = { name: 'set-up', seconds: (performance.now() - started) / 1000 };
  const { steps, files, failed } = await runSteps(chosen, emscripten);
  console.log(`${timesText([setUpTime, ...steps], files)}\n`);
  if (failed.length > 0) {
    throw new SetupError(`FAILED in ${elapsed(started)}; again: npm test -- ${failed.join(' ')}`);
  }
  console.log(`all passed in ${elapsed(started)}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  exitWith(error);
}
