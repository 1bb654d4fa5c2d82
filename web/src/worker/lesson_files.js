/** The files that lessons name. Each is loaded when a lesson that names it opens. */
import { FILES } from 'virtual:lesson-files';

import { InputError } from '../../../js/src/index.js';
import { unpackList } from './packed_list.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

/**
 * @param {string} name
 * @returns {Promise<KubernetesObject[]>}
 * @throws {InputError} if there is none
 */
export async function readLessonFile(name) {
  const load = FILES[name];
  if (!load)
    throw new InputError({
      code: 'FieldValueInvalid',
      value: name,
      detail: 'there is no such file',
    });
  const { default: list } = await load();
  return unpackList(list);
}
