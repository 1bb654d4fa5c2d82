/** Objects that tests create, and how they say what is wrong with them. */

export const inDefault = { namespace: 'default' };

/** @param {object} spec @param {object} [labels] */
export function workload(spec, labels = { app: 'web' }) {
  return {
    metadata: { name: 'web', ...inDefault },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
      ...spec,
    },
  };
}

/** What stands in the message behind the name. @param {() => unknown} write */
export function refusalOf(write) {
  try {
    write();
  } catch (/** @type {any} */ error) {
    return error.message.replace(/^[\w.]+ "[^"]*" is (invalid|forbidden): /, '');
  }
  return 'taken';
}
