import { useRef } from 'preact/hooks';

import { download } from './download.js';
import { pictureOf, pngOf, svgOf } from './picture.js';
import { isLesson } from './sharing.js';
import './tools.css';

/** @import { RemotePlayground, Session } from '../session.js' */

/**
 * The exports and their formats.
 * @type {readonly { name: string, what: string, type: string, ending: string, file: (playground:
 *   RemotePlayground, session: Session) => Promise<string | Blob> }[]}
 */
const EXPORTS = [
  {
    name: 'Scenario',
    what: 'with all actions up to here; opening and playing it gives the same result',
    type: 'application/yaml',
    ending: 'yaml',
    file: (playground) => playground.exported('scenario'),
  },
  {
    name: 'Objects',
    what: 'the current cluster as a List, for kubectl and stowage simulate',
    type: 'application/json',
    ending: 'objects.json',
    file: (playground) => playground.exported('objects'),
  },
  {
    name: 'Decisions',
    what: 'all records of the scheduler up to here, one line of JSON each',
    type: 'application/x-ndjson',
    ending: 'decisions.ndjson',
    file: (playground) => playground.exported('decisions'),
  },
  {
    name: 'Recording',
    what: "the scheduler's log, for stowage replay",
    type: 'application/x-ndjson',
    ending: 'log.ndjson',
    file: (playground) => playground.log(),
  },
  {
    name: 'Picture, PNG',
    what: 'the whole cluster',
    type: 'image/png',
    ending: 'png',
    file: (_, session) => pngOf(pictureOf(session)),
  },
  {
    name: 'Picture, SVG',
    what: 'the whole cluster',
    type: 'image/svg+xml',
    ending: 'svg',
    file: async (_, session) => svgOf(pictureOf(session)),
  },
];

/** Exports what is open as files. @param {{ session: Session }} props */
export function ExportTool({ session }) {
  const menu = useRef(/** @type {HTMLDivElement | null} */ (null));
  /** @param {(typeof EXPORTS)[number]} wanted */
  const take = ({ file, type, ending }) => {
    menu.current?.hidePopover();
    session.ask(async (playground) => {
      const content = await file(playground, session);
      download(new Blob([content], { type }), `${fileName(session)}.${ending}`);
    });
  };
  return (
    <div class="tool">
      <button type="button" popovertarget="export">
        Export
      </button>
      <div id="export" ref={menu} popover="auto" role="group" aria-label="Export">
        <ul>
          {EXPORTS.map((one) => (
            <li key={one.name}>
              <button type="button" onClick={() => take(one)}>
                {one.name}
                <small>{one.what}</small>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/**
 * The file's name: the scenario's name with the time in it.
 * @param {Session} session
 */
function fileName({ source, title, now }) {
  const name = isLesson(source.value) ? source.value : title.value;
  const words = name.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? ['scenario'];
  const time = new Date(now.value).toISOString().replaceAll(':', '-').replace('.000', '');
  return `${words.join('-').slice(0, 60)}-${time}`;
}
