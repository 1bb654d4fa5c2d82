#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { loadEngine } from '../engine/engine.js';
import { main } from './main.js';
import { openBrowser } from './open_browser.js';
import { untilStopped } from './stop_signals.js';

// `stowage … | head` closes the pipe first: that is not an error.
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  loadEngine,
  loadConnections: () => import('../node.js'),
  untilStopped,
  playgroundFolder: fileURLToPath(new URL('../../../build/web', import.meta.url)),
  openBrowser,
});
