/**
 * Times work on inputs of doubling size. A client chooses how many of something there are, and must
 * not be able to choose a time that grows faster than n log n.
 *
 * Noise cannot decide: of the time that passes, which other programs lengthen, and the processor's
 * time, which the collection of earlier garbage lengthens, the lower one counts; for each size the
 * fastest of several runs (for the large one, a run that is fast enough ends the measurement); two
 * doublings are compared at once, and a suspicion is confirmed by new measurements.
 */
import assert from 'node:assert/strict';

/** Four times the input takes 5 times as long with n log n, and 16 times with the square. */
const FACTOR_MAX = 9;
const TOO_LITTLE_TO_TELL_MS = 60;
const RUNS = 4;
/** After this time no further runs of a size begin. */
const ENOUGH_MS = 1_000;
const ATTEMPTS = 4;

/**
 * @param {(size: number) => () => unknown} makeWork makes the input of a size and returns the work
 *   on it; a refusal is an answer
 * @param {number} size
 */
export async function assertGrowsLittle(makeWork, size) {
  let said = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const large = makeWork(size);
    let ofLarge = await fastestMs(large, 1);
    if (ofLarge < TOO_LITTLE_TO_TELL_MS) return;
    const ofSmall = await fastestMs(makeWork(size / 4), RUNS);
    const enoughMs = Math.max(TOO_LITTLE_TO_TELL_MS, FACTOR_MAX * ofSmall);
    if (ofLarge <= enoughMs) return;
    ofLarge = Math.min(ofLarge, await fastestMs(large, RUNS - 1));
    if (ofLarge <= enoughMs) return;
    said = `${ofSmall.toFixed(1)} ms of ${size / 4}, ${ofLarge.toFixed(1)} ms of ${size}`;
  }
  assert.fail(said);
}

/** @param {() => unknown} work @param {number} runs */
async function fastestMs(work, runs) {
  let fastest = Infinity;
  const start = performance.now();
  for (let run = 0; run < runs && performance.now() - start < ENOUGH_MS; run += 1) {
    const began = { ms: performance.now(), processorMs: processorMs() };
    await answerOf(work);
    const taken = [performance.now() - began.ms, processorMs() - began.processorMs];
    fastest = Math.min(fastest, ...taken);
  }
  return fastest;
}

/** Of all threads of this process. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @param {() => unknown} work */
async function answerOf(work) {
  try {
    await work();
  } catch (error) {
    // A fault of the test itself, such as a wrong name, is no refusal.
    if (error instanceof ReferenceError || error instanceof TypeError) throw error;
  }
}
