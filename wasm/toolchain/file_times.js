/**
 * A reporter for Node's test runner that writes the time of each test file, one JSON line per file:
 * `{"name": "tests/js/a.test.js", "seconds": 1.5}`.
 */
import { relative, resolve } from 'node:path';

import { repository } from './paths.js';

/**
 * @param {AsyncIterable<{ type: string, data: any }>} events  the runner's
 * @returns {AsyncGenerator<string>}
 */
export default async function* fileTimes(events) {
  for await (const { type, data } of events) {
    // Each file is a test of its own, named by its path.
    if (type !== 'test:complete' || data.nesting !== 0 || !data.file) continue;
    if (resolve(repository, data.name) !== data.file) continue;
    const seconds = data.details.duration_ms / 1000;
    yield `${JSON.stringify({ name: relative(repository, data.file), seconds })}\n`;
  }
}
