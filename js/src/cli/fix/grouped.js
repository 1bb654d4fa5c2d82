/** Groups the answers about many pods: those with one cause and the same ways are one text. */
import { commandsFor } from '../../whatif/fix/commands.js';

/**
 * @import { Fix } from '../../whatif/fix.js'
 * @import { Fixes } from '../../whatif/fix/tasks.js'
 */

/**
 * Pods with the same answer: that about the first one, and those about all.
 * @typedef {{ pods: string[], answer: Fix, answers: Fix[] }} AlikeFixes
 */

/** The commands of a way that are shown. */
const SHOWN = 10;

/**
 * Returns the answers in groups, in the order of their first pods. Answers are alike if they differ
 * in their pods only.
 * @param {Fixes['fixes']} fixes
 * @returns {AlikeFixes[]}
 */
export function alikeFixes(fixes) {
  /** @type {Map<string, AlikeFixes>} */
  const groups = new Map();
  for (const { pods, fix: answer } of fixes) {
    const key = textsOf(answer);
    const known = groups.get(key);
    if (!known) groups.set(key, { pods: [...pods], answer, answers: [answer] });
    else {
      for (const pod of pods) known.pods.push(pod);
      known.answers.push(answer);
    }
  }
  return [...groups.values()];
}

/** What is shown of an answer, without its pod. @param {Fix} answer */
function textsOf({ node, message, fits, proof, offers }) {
  const ways = offers.map(({ sentence, node: place, evicts }) => [sentence, place, evicts]);
  return JSON.stringify([node, message, fits, proof, ways]);
}

/**
 * Returns the commands of one way for all pods of a group, each once: what all pods need, such as a
 * PriorityClass, and then what each needs. Of many the first are shown, and the number of others.
 * @param {Fix[]} answers alike
 * @param {number} way the index of the offer
 * @returns {{ commands: string[], others: number }}
 */
export function commandsOf(answers, way) {
  const all = answers.flatMap(({ offers }) => offers[way].changes.flatMap(commandsFor));
  const commands = [...new Set(all)];
  const shown = commands.length > SHOWN ? commands.slice(0, SHOWN) : commands;
  return { commands: shown, others: commands.length - shown.length };
}
