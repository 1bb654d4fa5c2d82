/** The page. */
import { render } from 'preact';

import { App } from './app.jsx';
import { connect } from './connect.js';
import { LESSONS } from './lessons.js';
import { Session } from './session.js';
import './style.css';

const root = /** @type {HTMLElement} */ (document.getElementById('page'));

try {
  const session = new Session(await connect());
  render(<App session={session} />, root);
  const wanted = LESSONS.find(({ id }) => `#lesson=${id}` === location.hash) ?? LESSONS[0];
  await session.open(await wanted.load(), wanted.id);
} catch (cause) {
  const message = /** @type {any} */ (cause)?.message ?? String(cause);
  render(<p class="fault">The scheduler cannot be loaded: {message}</p>, root);
}
