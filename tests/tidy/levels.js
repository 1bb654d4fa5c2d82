/** Which folder may include which: levels go one way. */

/** Folders of one level don't know each other. */
const LEVELS = [
  ['core/base'],
  ['core/api', 'core/loop'],
  ['core/config', 'core/cel'],
  ['core/table', 'core/dra'],
  ['core/framework'],
  ['core/cache', 'core/queue', 'core/runtime', 'core/extender', 'core/preemption'],
  ['core/plugins'],
  ['core/scheduler'],
  ['wasm'],
];
const SIBLINGS = LEVELS.find((folders) => folders.includes('core/cache')) ?? [];

/** @param {string} path @returns {{folder: string, level: number} | null} */
function place(path) {
  for (const [level, folders] of LEVELS.entries()) {
    const folder = folders.find((name) => path.startsWith(`${name}/`));
    if (folder) return { folder, level };
  }
  return null;
}

/**
 * Includes that go up, sideways, or are not relative to the repository.
 *
 * @param {string} path
 * @param {string} text
 * @returns {import('./files.js').Finding[]}
 */
export function includeFaults(path, text) {
  return [...includes(text)].flatMap(({ line, target, quoted }) => {
    const what = fault(path, target, quoted);
    return what ? [{ line, what }] : [];
  });
}

/** @param {string} text */
function* includes(text) {
  for (const [row, content] of text.split('\n').entries()) {
    const match = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(content);
    if (match) yield { line: row + 1, target: match[2], quoted: match[1] === '"' };
  }
}

/** @param {string} path @param {string} target @param {boolean} quoted */
function fault(path, target, quoted) {
  if (
    target.startsWith('nlohmann/') &&
    !/^((tests\/)?core\/api\/decode|tests\/bench)\//.test(path)
  ) {
    return 'nlohmann_json belongs to core/api/decode';
  }
  if (target.startsWith('emscripten') && !path.startsWith('wasm/')) {
    return 'Emscripten belongs to wasm';
  }
  if (!quoted) return null;
  const to = place(target);
  if (!to)
    return target.startsWith('tests/') && path.startsWith('tests/')
      ? null
      : `no folder of ours: ${target}`;
  const from = place(path);
  if (!from || from.folder === to.folder) return null;
  if (to.level >= from.level) return `${from.folder} may not include ${to.folder}`;
  if (from.folder === 'core/plugins' && SIBLINGS.includes(to.folder)) {
    const isPreemption = /\/default_preemption[^/]*$/.test(path) && to.folder === 'core/preemption';
    return isPreemption ? null : `plugins may not include ${to.folder}`;
  }
  return null;
}
