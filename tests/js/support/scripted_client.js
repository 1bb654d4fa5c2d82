/** An API client whose answers a test scripts, request by request. */

/**
 * @typedef {{ verb: 'list' | 'watch', path: string, query: Record<string, any>, limit?: number,
 *   signal: AbortSignal }} Asked
 */

/** A stream that a test writes while it is read. */
export class Stream {
  #pieces = /** @type {Uint8Array[]} */ ([]);
  #end = /** @type {{ error?: unknown } | undefined} */ (undefined);
  #wake = () => {};

  /** @param {...any} events objects, or text as it is */
  push(...events) {
    const lines = events.map((event) =>
      typeof event === 'string' ? event : `${JSON.stringify(event)}\n`,
    );
    this.#pieces.push(new TextEncoder().encode(lines.join('')));
    this.#wake();
    return this;
  }

  /** @param {unknown} [error] with which it breaks off */
  end(error) {
    this.#end = { error };
    this.#wake();
    return this;
  }

  /** @param {AbortSignal} signal */
  async *read(signal) {
    signal.addEventListener('abort', () => this.end(signal.reason));
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece) {
        yield piece;
      } else if (this.#end) {
        if (this.#end.error) throw this.#end.error;
        return;
      } else {
        await new Promise((resolve) => {
          this.#wake = () => resolve(undefined);
        });
      }
    }
  }
}

/** ScriptedClient answers requests in order; requests beyond the script hang. */
export class ScriptedClient {
  /** @type {Asked[]} */
  asked = [];
  #answers;

  /**
   * @param {...any} answers for lists the pages, for watches a Stream; or an Error; a function gets
   *   the request and gives one of these
   */
  constructor(...answers) {
    this.#answers = answers;
  }

  /** @param {string} path @param {any} options */
  async *list(path, { limit, query, signal }) {
    const answer = this.#answer({ verb: 'list', path, query, limit, signal });
    if (answer instanceof Stream) await answer.read(signal).next();
    for (const page of answer) {
      if (page instanceof Error) throw page;
      yield { bytes: new TextEncoder().encode(JSON.stringify(page)), metadata: page.metadata };
    }
  }

  /** @param {string} path @param {any} query @param {AbortSignal} signal */
  async *watch(path, query, signal) {
    yield* this.#answer({ verb: 'watch', path, query, signal }).read(signal);
  }

  /** The requests, without undefined fields. */
  get requests() {
    return this.asked.map(({ verb, path, query, limit }) => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined);
      return { verb, path, ...(limit !== undefined && { limit }), ...Object.fromEntries(given) };
    });
  }

  /** @param {Asked} asked */
  #answer(asked) {
    this.asked.push(asked);
    const scripted = this.#answers.shift() ?? new Stream();
    const answer = typeof scripted === 'function' ? scripted(asked) : scripted;
    if (answer instanceof Error) throw answer;
    return answer;
  }
}
