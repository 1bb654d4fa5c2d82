import { LiveStory } from './live/live_story.jsx';
import { paragraphsOf } from './prose.js';

/** @import { Session } from './session.js' */

/** What the scenario tells, and where in it one is. @param {{ session: Session }} props */
export function Story({ session }) {
  if (session.live.value) return <LiveStory live={session.live.value} />;
  const chapter = session.chapter.value;
  return (
    <>
      <h2>{session.title}</h2>
      <Prose text={session.text.value} />
      <ol class="chapters">
        {session.notes.value.map((note, index) =>
          index === 0 ? null : (
            <li key={index} class={index < chapter ? 'done' : index === chapter ? 'next' : ''}>
              <Prose text={note || 'Something happens.'} />
            </li>
          ),
        )}
      </ol>
    </>
  );
}

/** @param {{ text: string }} props */
function Prose({ text }) {
  return (
    <>
      {paragraphsOf(text).map((parts, index) => (
        <p key={index}>
          {parts.map(({ kind, text: words }, at) => {
            if (kind === 'code') return <code key={at}>{words}</code>;
            return kind === 'emphasis' ? <em key={at}>{words}</em> : words;
          })}
        </p>
      ))}
    </>
  );
}
