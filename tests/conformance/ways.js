/**
 * The ways in which a case is decided: by each build of the engine, with each mode of its verdict
 * cache, and as releases behave. All builds and modes must write the same bytes, so the output of
 * the first way is parsed and compared with the recording; the others get the same inputs, and
 * their bytes are compared. Only a way whose bytes differ is played and parsed itself.
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
 * @property {Record<string, boolean>} [behaviour] facts that differ from those of the release; such
 *   a way may write other bytes than the first one
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
 * @param {(way: Way) => Outcome} play  never throws
 * @returns {Outcome[]} by way
 */
export function playInWays([first, ...others], play) {
  if (others.length === 0) return [play(first)];
  const recording = new RecordingSurface(first.engine.surface);
  const outcome = play({ ...first, engine: new RawEngine(recording) });
  const repeated = others.map((way) => {
    const { engine, verdictCache, behaviour } = way;
    const options = { verdictCache, ...(behaviour && { behaviour }) };
    const difference = repeat(engine.surface, recording.transcript, options);
    if (!difference) return outcome;
    // The way is played alone, because its output may differ from the recording too.
    const own = play(way);
    if (behaviour) return own;
    const finding = own.finding ?? { path: `not as ${nameOfWay(first)}`, ...difference };
    return { ...own, finding };
  });
  return [outcome, ...repeated];
}
