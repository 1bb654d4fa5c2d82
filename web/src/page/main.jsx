/** The page. */
import './style.css';

import { render } from 'preact';

import { openAddress } from './share/address.js';
import { App } from './app.jsx';
import { startWorker } from './connect.js';
import { Connection } from './connection.js';
import { Embedding, embedderOf } from './share/embedding.js';
import { keepForOffline } from './offline.js';
import { Session } from './session.js';
import { keepWork } from './share/kept_work.js';

const root = /** @type {HTMLElement} */ (document.getElementById('page'));

try {
  const connection = await Connection.open(startWorker);
  const session = new Session(connection.playground, connection);
  render(<App session={session} />, root);
  const embedder = embedderOf();
  if (embedder === null) {
    keepWork(session);
    addEventListener('hashchange', () => void openAddress(session));
    await openAddress(session);
    await keepForOffline();
  } else {
    new Embedding(session, embedder).begin();
  }
} catch (cause) {
  const message = /** @type {any} */ (cause)?.message ?? String(cause);
  render(<p class="fault">The scheduler cannot be loaded: {message}</p>, root);
}
