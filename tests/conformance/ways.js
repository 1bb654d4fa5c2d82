/**
 * The ways in which a case is decided: by each build of the engine, and with each mode of its
 * verdict cache. All of them must write the same bytes, so the output of the first one is parsed
 * and compared with the recording; the others get the same inputs, and their bytes are compared.
 */
import { RawEngine } from '../support/raw_engine.js';
import { RecordingSurface, repeat } from '../support/transcript.js';

/** @typedef {import('./decisions.js').Outcome} Outcome */
/** @typedef {import('../support/raw_engine.js').VerdictCacheMode} VerdictCacheMode */

/**
 * @typedef {object} Way
 * @property {string} target
 * @property {RawEngine} engine
 * @property {VerdictCacheMode} [verdictCache]  absent: the engine's own
 */

/**
 * @param {{target: string, engine: RawEngine}[]} built
 * @param {readonly VerdictCacheMode[]} modes  none: the engine's own
 * @returns {Way[]}
 */
export function waysOf(built, modes) {
  if (modes.length === 0) return built;
  return built.flatMap((one) => modes.map((verdictCache) => ({ ...one, verdictCache })));
}

/** @param {{target: string, verdictCache?: VerdictCacheMode}} way */
export function nameOfWay({ target, verdictCache }) {
  return verdictCache ? `${target} (${verdictCache})` : target;
}

/**
 * @param {Way[]} ways
 * @param {(engine: RawEngine, verdictCache?: VerdictCacheMode) => Outcome} play  never throws
 * @returns {Outcome[]} by way
 */
export function playInWays([first, ...others], play) {
  if (others.length === 0) return [play(first.engine, first.verdictCache)];
  const recording = new RecordingSurface(first.engine.surface);
  const outcome = play(new RawEngine(recording), first.verdictCache);
  const repeated = others.map(({ engine, verdictCache }) => {
    const difference = repeat(engine.surface, recording.transcript, { verdictCache });
    if (!difference) return outcome;
    // The way is played alone, because its output may differ from the recording too.
    const own = play(engine, verdictCache);
    const finding = own.finding ?? { path: `not as ${nameOfWay(first)}`, ...difference };
    return { ...own, finding };
  });
  return [outcome, ...repeated];
}
