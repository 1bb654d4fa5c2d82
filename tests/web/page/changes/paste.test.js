// Goal: a paste opens unless it goes into a text field, and a text that cannot be opened is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PasteDesk } from '../../../../web/src/page/changes/paste.js';

/** @param {{ fault?: object, text?: string, files?: File[], isForField?: boolean }} pasted */
async function pasted({ fault, text = '', files = [], isForField = false }) {
  /** @type {[string, string][]} */
  const opened = [];
  const playground = {
    openFiles: async (/** @type {File[]} */ all) => {
      for (const file of all) opened.push([file.name, await file.text()]);
      if (fault) throw fault;
      return { update: {} };
    },
  };
  /** @type {unknown[]} */
  const faults = [];
  const session = /** @type {any} */ ({
    playback: { pause: async () => {} },
    show: async () => {},
    beforeOpening: async () => {},
    ask: (/** @type {(one: unknown) => Promise<void>} */ work) =>
      work(playground).catch((error) => void faults.push(error)),
  });
  const target = Object.assign(new Element(), { isForField });
  const desk = new PasteDesk();
  let isTaken = false;
  await desk.take(
    session,
    /** @type {any} */ ({
      target,
      clipboardData: { files, getData: () => text },
      preventDefault: () => (isTaken = true),
    }),
  );
  return { desk, opened, isTaken, faults };
}

/** The part of the browser's API that the page uses. */
class Element {
  isForField = false;
  closest() {
    return this.isForField ? this : null;
  }
}
Object.assign(globalThis, { Element });

const picture = new File(['x'], 'image.png', { type: 'image/png' });
const manifest = new File(['kind: Node'], 'node.yaml');

test('a paste opens its text, or its file before the name, and ignores pictures', async () => {
  /** @type {[Parameters<typeof pasted>[0], [string, string][]][]} */
  const cases = [
    [{ text: 'kind: Node' }, [['pasted text', 'kind: Node']]],
    [{ text: 'node.yaml', files: [manifest] }, [['node.yaml', 'kind: Node']]],
    [{ text: 'kind: Node', files: [picture] }, [['pasted text', 'kind: Node']]],
    [{ files: [picture] }, [['image.png', 'x']]],
    [{ text: ' \n' }, []],
    [{ text: 'kind: Node', isForField: true }, []],
  ];
  for (const [what, wanted] of cases) {
    const { opened, isTaken, desk } = await pasted(what);
    assert.deepEqual(opened, wanted);
    assert.equal(isTaken, wanted.length > 0);
    assert.deepEqual([desk.isOpen.value, desk.text.value], [false, '']);
  }
});

test('a text that cannot be opened is shown with its errors', async () => {
  const fault = { name: 'FileError', message: 'wrong', source: 'pasted text', line: 3 };
  const { desk, faults } = await pasted({ text: 'kind: [', fault });
  assert.deepEqual([desk.isOpen.value, desk.text.value], [true, 'kind: [']);
  assert.deepEqual(desk.refused.value, { name: 'FileError', message: 'wrong', line: 3 });
  assert.deepEqual(faults, []);
  desk.write('kind: []');
  assert.equal(desk.refused.value, null);
});

test('a pasted file that cannot be opened shows its error like a dropped one', async () => {
  const fault = { name: 'FileError', message: 'wrong', source: 'node.yaml' };
  const { desk, faults } = await pasted({ files: [manifest], fault });
  assert.deepEqual([desk.isOpen.value, faults], [false, [fault]]);
});
