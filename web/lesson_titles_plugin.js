/** Puts the titles of lessons into the page, whose texts are loaded when they are opened. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const TITLE = '.yaml?title';

/** A scenario's file with `?title` is its title. @returns {import('vite').Plugin} */
export function lessonTitlesPlugin() {
  return {
    name: 'lesson-titles',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith(TITLE)) return null;
      const { title } = parse(readFileSync(id.slice(0, id.indexOf('?')), 'utf8'));
      return { code: `export default ${JSON.stringify(title)};`, moduleType: 'js' };
    },
  };
}
