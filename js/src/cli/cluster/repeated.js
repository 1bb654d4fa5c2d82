/** Warns of objects that an input gives more than once. */
import { groupOf } from '../../kubernetes/api_group.js';
import { isNamespaced } from '../../kubernetes/defaults.js';
import { keyOf, podKeyOf } from '../../kubernetes/keys.js';
import { identityOf } from '../../kubernetes/owners.js';
import { isRecord } from '../../kubernetes/values.js';
import { positionOf } from '../../manifests/positions.js';
import { counted } from '../terminal/terminal.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ParsedFile } from './applied_manifests.js'
 */

/**
 * The versions of one object.
 * @typedef {{ file: ParsedFile, object: KubernetesObject }[]} Versions
 */

/**
 * Returns a line for each file with written objects of which an earlier one, of another content,
 * has the same name. Stored objects may be in several dumps, and a manifest changes an object of
 * its cluster: neither is repeated.
 * @param {ParsedFile[]} files
 * @returns {string[]}
 */
export function repeatedLines(files) {
  /** @type {Map<string, Versions>} */
  const byName = new Map();
  for (const file of files) {
    for (const object of file.objects) {
      const { metadata } = object;
      if (!isRecord(metadata) || !metadata.name || metadata.uid) continue;
      const key = JSON.stringify([file.isManifest, groupOf(object.apiVersion), identityOf(object)]);
      const versions = byName.get(key);
      if (versions) versions.push({ file, object });
      else byName.set(key, [{ file, object }]);
    }
  }
  /** @type {Map<ParsedFile, Versions[]>} */
  const byFile = new Map(files.map((file) => [file, []]));
  for (const versions of byName.values())
    if (differ(versions)) byFile.get(versions[versions.length - 1].file)?.push(versions);
  return [...byFile].flatMap(([file, all]) =>
    all.length > 0 ? [lineOf(file.source.name, all)] : [],
  );
}

/** @param {Versions} versions */
function differ(versions) {
  if (versions.length === 1) return false;
  return new Set(versions.map(({ object }) => JSON.stringify(object))).size > 1;
}

/**
 * @param {string} source
 * @param {Versions[]} all
 */
function lineOf(source, [versions, ...others]) {
  const { object } = versions[versions.length - 1];
  const line = positionOf(object, 'metadata.name')?.line;
  const where = line === undefined ? source : `${source}: line ${line}`;
  const name = isNamespaced(object) ? podKeyOf(object) : keyOf(object);
  const more = others.length === 0 ? '' : ` (and in ${counted(others.length, 'more object')})`;
  const times = `${versions.length} times`;
  return `${where}: ${object.kind} ${name} is there ${times}, and only this one counts${more}`;
}
