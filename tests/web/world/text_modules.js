/** Modules of plugins in Node, which cannot import from `blob:` URLs. */
import { PluginModules } from '../../../web/src/world/plugin_modules.js';

let count = 0;

/** Each is a new module, as with `blob:`. @param {string} text */
function dataUrl(text) {
  count += 1;
  return `data:text/javascript,${encodeURIComponent(text)}#${count}`;
}

/**
 * @param {string[]} [agreed] that may be run
 * @param {(sources: string[]) => Promise<boolean>} [ask]
 */
export function textModules(agreed = [], ask) {
  const modules = new PluginModules({ urlOf: dataUrl, ask });
  modules.agree(agreed.map((source) => ({ source })));
  return modules;
}
