/** Searches the cheapest mix of nodes that leaves nothing pending. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { isCheaper, mixesByPrice, nodesIn, priceOf } from './mixes.js';
import { amountsOf, roomOn } from './shapes.js';

/**
 * @import { Bound } from './bound.js'
 * @import { Mix } from './mixes.js'
 * @import { Pool, PoolNodes } from './pools.js'
 * @import { Amounts } from './shapes.js'
 * @import { Trials } from './trials.js'
 */

/**
 * @typedef {object} Limits
 * @property {number} maxNodes
 * @property {number} maxTrials
 * @property {Bound} bound
 * @property {readonly Pool[]} pools
 * @property {PoolNodes} nodes
 * @property {AbortSignal} [signal]
 */

/** The number of mixes that the enumeration looks at, tried or not. */
const MOST_MIXES = 200_000;

/** Trials per pool, beyond the limit, of mixes with one node fewer. */
const EXTRA_TRIALS = 4;

const ASKED = Object.freeze({ everyNode: true, preemption: false });

/**
 * Climbs to a mix that works, takes away what is too much, and then tries all cheaper mixes in the
 * order of their price. More nodes are not always better, so no mix is left out but those that the
 * bound excludes.
 * @param {Trials} trials
 * @param {Limits} limits
 * @returns {Promise<{ mix: Mix, found: boolean, optimal: boolean, minimal: boolean }>} without one
 *   that works, the mix that came closest
 */
export async function search(trials, limits) {
  const { bound, pools } = limits;
  const start = bound.cheapest() ?? pools.map(() => 0);
  if (bound.excludesAll) return { mix: start, found: false, optimal: false, minimal: false };
  const climbed = await climb(trials, start, limits);
  const reduced = climbed.found ? await reduce(trials, climbed.mix, limits) : climbed.mix;
  const best = climbed.found ? await exchange(trials, reduced, limits) : undefined;
  const cheaper = await cheapest(trials, best, limits);
  if (!cheaper.mix) return { mix: climbed.mix, found: false, optimal: false, minimal: false };
  const last = await withoutNeighbours(trials, cheaper.mix, limits);
  return { ...last, found: true, optimal: cheaper.isComplete };
}

/**
 * Tries all mixes that are cheaper than the given one, the cheapest first.
 * @param {Trials} trials
 * @param {Mix | undefined} best one that works
 * @param {Limits} limits
 * @returns {Promise<{ mix: Mix | undefined, isComplete: boolean }>}
 */
async function cheapest(trials, best, { bound, pools, maxNodes, maxTrials }) {
  const limit = best ? priceOf(best, pools) : Infinity;
  let count = 0;
  for (const mix of mixesByPrice(pools, maxNodes)) {
    if (best && !isCheaper(priceOf(mix, pools), limit)) return { mix: best, isComplete: true };
    if (++count > MOST_MIXES) return { mix: best, isComplete: false };
    if (!bound.allows(mix)) continue;
    if (!trials.has(mix) && trials.count >= maxTrials) return { mix: best, isComplete: false };
    if (await trials.works(mix)) return { mix, isComplete: true };
  }
  return { mix: best, isComplete: true };
}

/**
 * Adds nodes for the pods that still wait, of the pools that take them, until none waits.
 * @param {Trials} trials
 * @param {Mix} start
 * @param {Limits} limits
 * @returns {Promise<{ mix: Mix, found: boolean }>}
 */
async function climb(trials, start, limits) {
  const { pools, maxNodes, maxTrials } = limits;
  let best = start;
  let fewest = Infinity;
  let failures = 0;
  for (let mix = start; trials.count < maxTrials;) {
    const { pending } = await trials.run(mix);
    if (pending.length < fewest) {
      [best, fewest, failures] = [mix, pending.length, 0];
      if (fewest === 0) return { mix, found: true };
    } else if (++failures > pools.length) {
      return { mix: best, found: false };
    }
    const more = await additions(trials, mix, limits);
    const next = mix.map((has, index) => Math.min(has + more[index], pools[index].max ?? Infinity));
    if (nodesIn(next) > maxNodes || nodesIn(next) === nodesIn(mix))
      return { mix: best, found: false };
    mix = next;
  }
  return { mix: best, found: false };
}

/**
 * Returns how many nodes the waiting pods need: each pod goes to the pool that takes it at the
 * lowest price per pod, as if nodes could be filled up. That may be too few: the climb goes on.
 * @param {Trials} trials
 * @param {Mix} mix
 * @param {Limits} limits
 * @returns {Promise<number[]>}
 */
function additions(trials, mix, { pools, nodes }) {
  return trials.within(mix, async (fork, { pending }) => {
    fork.apply(nodes.of(mix.map((has) => has + 1)));
    const names = pools.map((_, pool) => nodes.namesOf(pool, mix[pool] + 1)[mix[pool]]);
    const room = roomOn(fork, names);
    /** @type {Amounts[]} */
    const asked = pools.map(() => new Map());
    const more = pools.map(() => 0);
    for (const { pod, count } of trials.groups(pending)) {
      const { feasible = [] } = await fork.evaluateAsync(podKeyOf(pod), ASKED);
      const amounts = amountsOf(pod.spec);
      const offers = pools.flatMap(({ price }, pool) => {
        const fits = fitting(amounts, room.get(names[pool]));
        return feasible.includes(names[pool]) ? [{ pool, fits, cost: price / fits }] : [];
      });
      const [best] = offers.sort((left, right) => left.cost - right.cost);
      if (!best) continue;
      more[best.pool] = Math.max(more[best.pool], Math.ceil(count / best.fits));
      for (const [name, amount] of amounts)
        asked[best.pool].set(name, (asked[best.pool].get(name) ?? 0) + amount * count);
    }
    const needed = more.map((count, pool) =>
      Math.max(count, Math.ceil(1 / fitting(asked[pool], room.get(names[pool]), false))),
    );
    return needed.some((count) => count > 0) ? needed : pools.map(() => 1);
  });
}

/**
 * Returns how often the amounts fit into the room.
 * @param {Amounts} amounts
 * @param {Amounts} [room]
 * @param {boolean} [isWhole] whether the number is a whole one, from 1
 */
function fitting(amounts, room = new Map(), isWhole = true) {
  const counts = [...amounts].map(([name, amount]) => Math.max(0, room.get(name) ?? 0) / amount);
  const count = Math.min(...counts);
  return isWhole ? Math.max(1, Math.floor(count)) : count;
}

/**
 * Takes nodes away as long as nothing waits: of each pool half of them, then fewer.
 * @param {Trials} trials
 * @param {Mix} mix one that works
 * @param {Limits} limits
 * @returns {Promise<Mix>}
 */
async function reduce(trials, mix, { bound, pools, maxTrials }) {
  const order = pools.map((_, pool) => pool).sort((a, b) => pools[b].price - pools[a].price);
  let reduced = mix;
  for (const pool of order) {
    for (let step = Math.ceil(reduced[pool] / 2); step >= 1;) {
      const fewer = reduced.map((count, index) => (index === pool ? count - step : count));
      const isAllowed = fewer[pool] >= 0 && bound.allows(fewer);
      if (isAllowed && !trials.has(fewer) && trials.count >= maxTrials) return reduced;
      if (isAllowed && (await trials.works(fewer))) reduced = fewer;
      else step = Math.floor(step / 2);
    }
  }
  return reduced;
}

/**
 * Exchanges single nodes for those of a cheaper pool as long as nothing waits.
 * @param {Trials} trials
 * @param {Mix} mix one that works
 * @param {Limits} limits
 * @returns {Promise<Mix>}
 */
async function exchange(trials, mix, { bound, pools, maxTrials }) {
  const pairs = pools.flatMap((dear, from) =>
    pools.flatMap((cheap, to) => (isCheaper(cheap.price, dear.price) ? [{ from, to }] : [])),
  );
  // The cheapest replacements first: the following ones then start from a lower price.
  pairs.sort((left, right) => pools[left.to].price - pools[right.to].price);
  let best = mix;
  for (let index = 0; index < pairs.length;) {
    const { from, to } = pairs[index];
    const other = best.map((count, pool) => count - Number(pool === from) + Number(pool === to));
    const isPossible = other[from] >= 0 && other[to] <= (pools[to].max ?? Infinity);
    const isAllowed = isPossible && bound.allows(other);
    if (isAllowed && !trials.has(other) && trials.count >= maxTrials) return best;
    if (isAllowed && (await trials.works(other))) best = other;
    else index += 1;
  }
  return best;
}

/**
 * Checks that no mix with one node fewer works; one that does takes the place of the given one.
 * @param {Trials} trials
 * @param {Mix} mix one that works
 * @param {Limits} limits
 * @returns {Promise<{ mix: Mix, minimal: boolean }>}
 */
async function withoutNeighbours(trials, mix, { bound, pools, maxTrials }) {
  const most = maxTrials + EXTRA_TRIALS * pools.length;
  let checked = mix;
  for (let pool = 0; pool < pools.length; pool++) {
    const fewer = checked.map((count, index) => (index === pool ? count - 1 : count));
    if (fewer[pool] < 0 || !bound.allows(fewer)) continue;
    if (!trials.has(fewer) && trials.count >= most) return { mix: checked, minimal: false };
    // A mix that works has neighbours of its own.
    if (await trials.works(fewer)) [checked, pool] = [fewer, -1];
  }
  return { mix: checked, minimal: true };
}
