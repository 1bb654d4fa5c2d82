import { say } from './terminal/terminal.js';

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Host } from './host.js'
 */

/**
 * Performs a command. If recordings of the release do not prove all of its decisions, says so to
 * people; documents and records have `notProved`.
 * @template {object} Options
 * @param {Options & { quiet?: boolean }} options
 * @param {Host} host
 * @param {(options: Options, host: Host) => Promise<number>} perform
 * @returns {Promise<number>} the exit code
 */
export async function withProofNote(options, host, perform) {
  /** @type {Set<Engine>} */
  const engines = new Set();
  const loadEngine = async () => {
    const engine = await host.loadEngine();
    if (!engines.has(engine)) engine.takeNotProved();
    engines.add(engine);
    return engine;
  };
  const code = await perform(options, { ...host, loadEngine });
  const plugins = [...new Set([...engines].flatMap((engine) => engine.takeNotProved()))];
  if (plugins.length > 0 && !options.quiet) say(host.stderr, noteOn(plugins));
  return code;
}

/** @param {string[]} plugins */
function noteOn(plugins) {
  const names = plugins.join(', ');
  return `note: ${names} mattered here, which no recordings of this release prove`;
}
