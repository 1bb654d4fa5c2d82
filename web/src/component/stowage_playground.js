/**
 * `<stowage-playground>`: embeds the playground in another page.
 *
 * The element is an iframe of the playground's own page. Worker, styles and content security policy
 * are those of the playground's origin, so the embedding page has to allow the frame and nothing
 * else. The embedding page loads only this file; the engine loads when the frame is about to become
 * visible.
 */

/**
 * Position in the journal, the hash of all decisions, the time in the cluster (milliseconds since
 * the epoch), and whether the scheduler has nothing to decide at that time.
 * @typedef {{ position: number, hash: string, now: number, isIdle: boolean }} State
 */

const HERE = import.meta.url;

/** Used instead of a style element, which a page's content security policy may refuse. */
const STYLE = new CSSStyleSheet();
STYLE.replaceSync(
  ':host{display:block;height:640px}iframe{display:block;width:100%;height:100%;border:0}',
);

const INLINE = 'script[type="application/yaml"], script[type="application/json"]';

/**
 * The requests that the frame answers.
 * @typedef {'open' | 'next' | 'play' | 'pause' | 'goTo' | 'goToStep'} Wish
 */

class StowagePlayground extends HTMLElement {
  static observedAttributes = ['lesson', 'src', 'step', 'position'];

  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  /** Those who wait for an answer. @type {Map<number, { resolve: (state: State) => void, reject:
   *   (error: Error) => void }>} */
  #asked = new Map();
  #count = 0;
  /** Requests wait here until the frame listens. */
  #ready = deferred();
  #text = '';
  #hears = (/** @type {MessageEvent} */ message) => this.#hear(message);

  /** The last state that the frame reported. @type {State | null} */
  state = null;

  connectedCallback() {
    if (this.#frame) return;
    addEventListener('message', this.#hears);
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [STYLE];
    this.#frame = document.createElement('iframe');
    this.#frame.title = this.getAttribute('title') ?? 'Stowage playground';
    this.#frame.loading = this.getAttribute('loading') === 'eager' ? 'eager' : 'lazy';
    this.#frame.allow = 'clipboard-write';
    this.#frame.src = this.#address();
    root.replaceChildren(this.#frame);
    this.#begin();
  }

  disconnectedCallback() {
    removeEventListener('message', this.#hears);
    this.#frame?.remove();
    this.#frame = null;
    this.state = null;
    const gone = new Error('the playground is no longer in the page');
    for (const { reject } of this.#asked.values()) reject(gone);
    this.#asked.clear();
    this.#ready = deferred();
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} now
   */
  attributeChangedCallback(name, before, now) {
    if (this.#frame && before !== now) this.#begin();
  }

  /** The text of a scenario, in YAML or JSON. */
  get scenario() {
    return this.#text || (this.querySelector(INLINE)?.textContent ?? '');
  }

  set scenario(text) {
    this.#text = text;
    if (this.#frame) this.#begin();
  }

  /** Plays the next step of the scenario. */
  next() {
    return this.#ask('next');
  }

  /** Plays the rest of the scenario at the speed that is set. Resolves at its end. */
  play() {
    return this.#ask('play');
  }

  pause() {
    return this.#ask('pause');
  }

  /**
   * Moves to the position after that many entries of the journal; entries that have not happened
   * yet are played.
   * @param {number} position
   */
  goTo(position) {
    return this.#ask('goTo', { position });
  }

  /**
   * Opens the scenario or lesson that the attributes name, and goes to the position that they name.
   */
  #begin() {
    this.#beginning().catch((error) => this.#tell('error', { message: error.message }));
  }

  async #beginning() {
    const [lesson, src] = [this.getAttribute('lesson'), this.getAttribute('src')];
    const scenario = src === null ? this.scenario : await textAt(new URL(src, document.baseURI));
    await this.#ask('open', scenario === '' ? { lesson } : { scenario });
    const [step, position] = [this.#number('step'), this.#number('position')];
    if (step !== null) await this.#ask('goToStep', { step });
    if (position !== null) await this.#ask('goTo', { position });
    if (this.hasAttribute('autoplay')) await this.#ask('play');
  }

  /** @param {string} name an attribute's name */
  #number(name) {
    const value = this.getAttribute(name);
    return value === null ? null : Number(value);
  }

  #address() {
    const address = new URL('index.html', HERE);
    address.searchParams.set('embed', location.origin);
    return address.href;
  }

  /**
   * @param {Wish} wish
   * @param {object} [details]
   * @returns {Promise<State>}
   */
  async #ask(wish, details = {}) {
    await this.#ready.promise;
    this.#count += 1;
    const id = this.#count;
    /** @type {Promise<State>} */
    const answer = new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
    const { origin } = new URL(HERE);
    this.#frame?.contentWindow?.postMessage({ stowage: 'ask', id, wish, ...details }, origin);
    return answer;
  }

  /** @param {MessageEvent} message */
  #hear({ source, origin, data }) {
    if (source !== this.#frame?.contentWindow || origin !== new URL(HERE).origin) return;
    const { stowage, id, state, error } = data ?? {};
    if (stowage === 'ready') this.#ready.resolve();
    if (stowage === 'change') {
      this.state = state;
      this.#tell('change', state);
    }
    if (stowage === 'error') this.#tell('error', error);
    if (stowage !== 'answer') return;
    const { resolve, reject } = this.#asked.get(id) ?? {};
    this.#asked.delete(id);
    if (error) reject?.(Object.assign(new Error(error.message), error));
    else resolve?.(state);
  }

  /** @param {string} name @param {object} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** A promise with its resolver. */
function deferred() {
  /** @type {() => void} */
  let resolve = () => {};
  /** @type {Promise<void>} */
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** @param {URL} address @returns {Promise<string>} */
async function textAt(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return response.text();
}

if (!customElements.get('stowage-playground'))
  customElements.define('stowage-playground', StowagePlayground);
