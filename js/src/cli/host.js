/** @import { Engine } from '../engine/engine.js' */

/**
 * The environment of a command; tests replace it.
 * @typedef {object} Host
 * @property {NodeJS.ReadableStream & { isTTY?: boolean }} stdin
 * @property {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stdout
 * @property {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stderr
 * @property {Record<string, string | undefined>} env
 * @property {() => Promise<Engine>} loadEngine
 * @property {() => Promise<Connections>} loadConnections imported on demand
 * @property {() => { signal: AbortSignal, release: () => void }} untilStopped the signal aborts
 *   when the command is to end; call `release` afterwards
 * @property {string} playgroundFolder the folder of the built page, if it exists
 * @property {(url: string) => Promise<boolean>} openBrowser if a browser can be opened
 */

/**
 * The part of `stowage/node` for commands that connect to a cluster or serve.
 * @typedef {Pick<typeof import('../node.js'), 'loadKubeconfig' | 'inClusterConfig' | 'listen'>}
 *   Connections
 */

export {};
