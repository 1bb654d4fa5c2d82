import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { linkTo } from './sharing.js';
import './embedded.css';

/** @import { Session } from '../session.js' */

/** The page counts as settled after this many milliseconds without a change. */
const QUIET = 300;

/** The short header of an embedded page. @param {{ session: Session }} props */
export function EmbeddedHeader({ session }) {
  const link = useSignal('');
  const { title, position, hash, selectedPod, selectedNode } = session;
  const { isPlaying } = session.playback;
  useEffect(() => {
    if (title.value === '' || isPlaying.value) return undefined;
    const waiting = setTimeout(async () => {
      link.value = (await linkTo(session)) ?? '';
    }, QUIET);
    return () => clearTimeout(waiting);
  }, [
    title.value,
    position.value,
    hash.value,
    ...[isPlaying, selectedPod, selectedNode].map(({ value }) => value),
  ]);
  return (
    <header>
      <h1>{title.value || 'Stowage'}</h1>
      <a href={`index.html${link}`} target="_blank" rel="noopener">
        Open in the playground
      </a>
    </header>
  );
}
