/**
 * What if: questions about the future of a cluster, each answered by the scheduler itself on a
 * fork. Nothing changes in the cluster that is asked about.
 * @module stowage/whatif
 */
export { capacity, measureCapacity } from './whatif/capacity.js';
export { changesIn } from './whatif/changes.js';
export { classify } from './whatif/classify.js';
export { contrast } from './whatif/contrast.js';
export { drain } from './whatif/drain.js';
export { daemonSetNames, sortForDrain } from './whatif/drain/evictable_pods.js';
export { fix } from './whatif/fix.js';
export { commandsFor } from './whatif/fix/commands.js';
export { Future, inFuture } from './whatif/future.js';
export { evaluateAll } from './whatif/gang.js';
export { groupSentences } from './whatif/gang/sentences.js';
export { plan } from './whatif/plan.js';
export { Population } from './whatif/population.js';
export { repack } from './whatif/repack.js';
export { hasOnlyInTreeFilters } from './whatif/sweep/in_tree_filters.js';
export { survives, toSurvive } from './whatif/sweep/survives.js';
export { sweep } from './whatif/sweep/sweep.js';
export { SweepTasks } from './whatif/sweep/tasks.js';
export { tune } from './whatif/tune.js';
export { tuningTrials } from './whatif/tune/trials.js';
export { upgradeDiff } from './whatif/upgrade.js';
export { whatIf } from './whatif/what_if.js';

/** @typedef {import('./whatif/capacity.js').CapacityOptions} CapacityOptions */
/** @typedef {import('./whatif/capacity.js').Capacity} Capacity */
/** @typedef {import('./whatif/capacity.js').ShapesCapacity} ShapesCapacity */
/** @typedef {import('./whatif/changes.js').Change} Change */
/** @typedef {import('./whatif/classify.js').Proof} Proof */
/** @typedef {import('./whatif/contrast.js').ContrastOptions} ContrastOptions */
/** @typedef {import('./whatif/contrast.js').Flip} Flip */
/** @typedef {import('./whatif/drain.js').BlockedPod} BlockedPod */
/** @typedef {import('./whatif/drain.js').DrainOptions} DrainOptions */
/** @typedef {import('./whatif/drain.js').DrainRound} DrainRound */
/** @typedef {import('./whatif/drain.js').Eviction} Eviction */
/** @typedef {import('./whatif/drain/evictable_pods.js').NodePods} NodePods */
/** @typedef {import('./whatif/fix.js').FixOptions} FixOptions */
/** @typedef {import('./whatif/fix.js').Fix} Fix */
/** @typedef {import('./whatif/fix.js').Offer} Offer */
/** @typedef {import('./whatif/fix/edit.js').Change} KubectlChange */
/** @typedef {import('./whatif/future.js').Fate} Fate */
/** @typedef {import('./whatif/gang.js').GroupEvaluation} GroupEvaluation */
/** @typedef {import('./whatif/gang.js').GroupOptions} GroupOptions */
/** @typedef {import('./whatif/gang/members.js').GroupQuestion} GroupQuestion */
/** @typedef {import('./whatif/plan.js').PlanOptions} PlanOptions */
/** @typedef {import('./whatif/plan.js').Plan} Plan */
/** @typedef {import('./whatif/plan/pools.js').Pool} Pool */
/** @typedef {import('./whatif/repack.js').BlockedNode} BlockedNode */
/** @typedef {import('./whatif/repack.js').RepackGoal} RepackGoal */
/** @typedef {import('./whatif/repack.js').RepackOptions} RepackOptions */
/** @typedef {import('./whatif/repack.js').Repack} Repack */
/** @typedef {import('./whatif/sweep/failures.js').FailureSet} FailureSet */
/** @typedef {import('./whatif/sweep/survives.js').Survival} Survival */
/** @typedef {import('./whatif/sweep/sweep.js').Sweep} Sweep */
/** @typedef {import('./whatif/sweep/tasks.js').FailureReport} FailureReport */
/** @typedef {import('./whatif/tune.js').TuneOptions} TuneOptions */
/** @typedef {import('./whatif/tune/tasks.js').TuneQuestion} TuneQuestion */
/** @typedef {import('./whatif/tune/trials.js').TuneTrial} TuneTrial */
/** @typedef {import('./whatif/tune.js').Tune} Tune */
/** @typedef {import('./whatif/upgrade.js').UpgradeChange} UpgradeChange */
/** @typedef {import('./whatif/upgrade.js').UpgradeDiff} UpgradeDiff */
/** @typedef {import('./whatif/upgrade.js').UpgradedPod} UpgradedPod */
/** @typedef {import('./whatif/upgrade.js').UpgradeOptions} UpgradeOptions */
/** @typedef {import('./whatif/what_if.js').PodChange} PodChange */
/** @typedef {import('./whatif/what_if.js').WhatIfSummary} WhatIfSummary */
