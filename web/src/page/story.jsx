import { LiveStory } from './live/live_story.jsx';
import { paragraphsOf } from './prose.js';
import './story.css';

/** @import { ProsePart } from './prose.js' */
/** @import { Session } from './session.js' */

/** The scenario's text, and the present position in it. @param {{ session: Session }} props */
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
              {index === chapter ? <Next session={session} note={note} /> : <Note text={note} />}
            </li>
          ),
        )}
      </ol>
    </>
  );
}

/** The next chapter. @param {{ session: Session, note: string }} props */
function Next({ session, note }) {
  return (
    <button type="button" title="Run this step (n)" onClick={() => session.next()}>
      <Note text={note} />
    </button>
  );
}

/** @param {{ text: string }} props */
function Note({ text }) {
  const paragraphs = paragraphsOf(text || 'Something happens.');
  return (
    <>
      {paragraphs.map((parts, index) => (
        <span key={index} class="note">
          <Parts parts={parts} />
        </span>
      ))}
    </>
  );
}

/** @param {{ text: string }} props */
function Prose({ text }) {
  return (
    <>
      {paragraphsOf(text).map((parts, index) => (
        <p key={index}>
          <Parts parts={parts} />
        </p>
      ))}
    </>
  );
}

/** @param {{ parts: ProsePart[] }} props */
function Parts({ parts }) {
  return (
    <>
      {parts.map(({ kind, text }, index) => {
        if (kind === 'code') return <code key={index}>{text}</code>;
        return kind === 'emphasis' ? <em key={index}>{text}</em> : text;
      })}
    </>
  );
}
