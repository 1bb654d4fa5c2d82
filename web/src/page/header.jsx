import { LESSONS, lessonName } from './lessons.js';

/** @import { Session } from './session.js' */

/** @param {{ session: Session }} props */
export function Header({ session }) {
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const choose = async ({ currentTarget }) => {
    const lesson = LESSONS.find(({ id }) => id === currentTarget.value);
    if (!lesson) return;
    history.replaceState(null, '', `#lesson=${lesson.id}`);
    await session.open(await lesson.load(), lesson.id);
  };
  return (
    <header>
      <h1>Stowage</h1>
      <p>kube-scheduler v1.36, decision for decision, in this page</p>
      <label>
        Lesson{' '}
        <select value={session.source} onChange={choose}>
          {LESSONS.map(({ id }) => (
            <option key={id} value={id}>
              {lessonName(id)}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}
