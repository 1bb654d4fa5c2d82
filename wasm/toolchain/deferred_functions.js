/**
 * Chooses the functions that leave the module for `stowage.deferred.wasm`: what only clusters with
 * devices or pod groups call, schedulers with extenders or plugins in JavaScript, or forks and
 * transactions. The engine loads that module before it reads the first such object or
 * configuration, or copies a scheduler (core/base/deferred_code.h); a call that comes without it
 * loads it too, only later.
 */

/** The source folders all of whose functions are deferred, besides those in KEPT. */
const FOLDERS = ['core/cel', 'core/dra', 'core/extender'];

/** What is deferred of other folders: classes and functions, by the start of their names. */
const CLASSES = [
  'cel::',
  // The plugin DynamicResources, and claims that it writes.
  ...['DynamicResources', 'AllocatedClaim', 'ClaimAnswer', 'ClaimInCycle', 'ClaimWriter'],
  ...['ExtendedClaim', 'SimulatedClaims'],
  // The kinds of resource.k8s.io, and their parts.
  ...['ResourceClaim', 'ResourceSlice', 'Device', 'ExactDevice', 'AllocatedDevice', 'Allocation'],
  ...['Counter', 'OpaqueDevice', 'CapacityRequest', 'NodeAllocatableResourceMapping'],
  // Pod groups, and the cycles that place them.
  ...['GangScheduling', 'PodGroup', 'Placement', 'TopologyPlacement'],
  ...['CycleRunner::NewPodGroupCycle', 'CycleRunner::PatchPodGroup', 'CycleRunner::PlaceMember'],
  ...['CycleRunner::PlacePodGroup', 'CycleRunner::SchedulePodGroup', 'CycleRunner::SetPlacement'],
  ...['CycleRunner::TryPlacements', 'CycleRunner::PopPodGroup', 'CycleRunner::PreemptForPodGroup'],
  ...['CycleRunner::SelectVictims', 'SimulatedApi::PatchPodGroup', 'HostApiClient::PatchPodGroup'],
  'NodeResourcesFit::ScorePlacement',
  // Pods that wait together for their group, or for claims.
  ...['GatedPods', 'UnschedulablePods::GatedPodsOf', 'SchedulingQueue::CollectGated'],
  ...['SchedulingQueue::CollectPodGroup', 'SchedulingQueue::CollectUnasked'],
  'SchedulingQueue::ShareMove',
  // Functions of the plugin DynamicResources, and of the statuses that it writes.
  ...['NewExtendedResourceClaim', 'DeleteClaim', 'IsClaimReadyForBinding'],
  ...['IsSchedulableAfterDeviceClassEvent', 'ExtendedResourceClaimStatusText'],
  'NodeAllocatableResourceClaimStatusesText',
  // Extenders, and the rounds that ask them.
  ...['HttpExtender', 'ExtenderVerdict', 'ExtenderFilterResult', 'DecodeExtender'],
  ...['FindNodesThatPassExtenders', 'AddExtenderScores', 'Evaluator::CallExtenders'],
  'BindingCycles::BindByExtenders',
  // Plugins in JavaScript.
  'JsPlugin',
  // Forks and transactions.
  ...['Begin', 'Revert', 'Commit'].flatMap((action) => [
    `Scheduler::${action}`,
    `Surface::${action}Transaction`,
  ]),
  ...['Scheduler::CopyStateFrom', 'Cache::Restore'],
  ...['VolumeBinding::RestoreState', 'NodeVolumeLimits::RestoreState'],
];

/** Functions that run in every cluster: names, or their starts. */
const KEPT = [
  // The linker keeps one function for all types of items that are constructed, copied or destroyed
  // equally. Addresses alone tell who calls it, so that it is in the table once.
  'SharedArray<',
  // Plugins are made, register their events and are destroyed, whether or not pods need them.
  ...['Registry::Register<', 'Registry::Make<', 'DynamicResources::EventsToRegister'],
  'DynamicResources::~DynamicResources',
  // A pod without claims passes these.
  ...['PreEnqueue', 'PreFilter', 'Reserve', 'Unreserve', 'PreBind', 'PostFilter', 'Score'].map(
    (point) => `DynamicResources::${point}`,
  ),
  ...['ReadsDevices', 'AppendFragment', 'Normalizer', 'NoteOn', 'ChangeAssumedPod'].map(
    (point) => `DynamicResources::${point}`,
  ),
  ...['DynamicResources::DataIn', 'DynamicResourcesState', 'DynamicResourcesData'],
  // The resources that a pod requests may be served by devices; it may be in a group.
  ...['DeviceTotals', 'ExtendedResourceCache::GetDeviceClass', 'PodGroupStates'],
  // Every scheduler makes its extenders, of which most have none.
  'NewExtenders',
  // The host of a scheduler's plugins is made before the code for them is loaded.
  'JsPluginHost',
  // Every scheduler has them, though most have no devices.
  'DraManager::Devices',
  // Every object is shown to the simulation of claims.
  ...['SimulatedClaims::Observe', 'SimulatedClaims::OnPodRemoved'],
  // The arguments of a plugin are those of one of all plugins.
  'DefaultPreemptionArgs',
];

/** Folders whose functions stay, whatever classes they name: plugin arguments name all plugins. */
const KEPT_FOLDER = 'core/config';

const startingWith = (/** @type {string[]} */ names) =>
  `stowage::(?:\\w+::)?(?:${names.map((name) => name.replace(/[(<]/, '\\$&')).join('|')})`;
const OF_CLASSES = new RegExp(`\\b${startingWith(CLASSES)}`);
const OWN_OF_CLASSES = new RegExp(`^(?:non-virtual thunk to )?${startingWith(CLASSES)}`);
const OF_KEPT = new RegExp(`\\b${startingWith(KEPT)}`);

/** A function that is no template, constructor, destructor or operator. */
const OWN = /^(?:non-virtual thunk to )?stowage::(?!(?:\w+::)*(\w+)::\1\()[\w:$]+(?:\(|$)/;

/**
 * @typedef {object} ModuleFunctions
 * @property {Map<number, string>} names by the functions' indexes
 * @property {Map<number, string[]>} folders
 * @property {[number, number][]} calls direct calls: the caller, the function that is called
 * @property {number[]} table the functions that indirect calls reach
 */

/**
 * @param {ModuleFunctions} functions
 * @returns {number[]} the indexes of the deferred functions
 */
export function deferredFunctions({ names, folders, calls, table }) {
  const plainNames = new Map([...names].map(([at, name]) => [at, plainName(name)]));
  const nameOf = (/** @type {number} */ at) => plainNames.get(at) ?? '';
  const isOwn = (/** @type {number} */ at) => OWN.test(nameOf(at));
  const isIn = (/** @type {number} */ at, /** @type {string[]} */ wanted) =>
    folders.get(at)?.every((folder) => wanted.includes(folder)) ?? false;
  const isKept = (/** @type {number} */ at) => OF_KEPT.test(nameOf(at)) || isIn(at, [KEPT_FOLDER]);
  const isChosen = (/** @type {number} */ at) =>
    isOwn(at) ? isIn(at, FOLDERS) || OWN_OF_CLASSES.test(nameOf(at)) : OF_CLASSES.test(nameOf(at));
  const callers = callersOf(calls);
  const repeated = new Set(table.filter((at, place) => table.indexOf(at) !== place));
  const deferred = new Set(
    [...names.keys()].filter((at) => isChosen(at) && !isKept(at) && !repeated.has(at)),
  );
  // The linker keeps one of several functions with equal code, so a template's, a constructor's or
  // a destructor's name does not tell who calls it.
  const isCalledFromOutside = (/** @type {number} */ at) =>
    callers.get(at)?.some((caller) => !deferred.has(caller)) ?? false;
  repeat(() => removeWhere(deferred, (at) => !isOwn(at) && isCalledFromOutside(at)));
  const indirect = new Set(table);
  const others = [...callers.keys()].filter((at) => names.has(at) && !indirect.has(at));
  repeat(() => addWhere(deferred, others, (at) => !isKept(at) && !isCalledFromOutside(at)));
  return [...deferred].sort((a, b) => a - b);
}

/** @param {string} name */
const plainName = (name) => name.replaceAll('(anonymous namespace)::', '');

/** @param {[number, number][]} calls @returns {Map<number, number[]>} callers by callees */
function callersOf(calls) {
  /** @type {Map<number, number[]>} */
  const callers = new Map();
  for (const [caller, callee] of calls) {
    const known = callers.get(callee);
    if (known) known.push(caller);
    else callers.set(callee, [caller]);
  }
  return callers;
}

/** Repeats a step until it changes nothing. @param {() => boolean} step */
function repeat(step) {
  while (step());
}

/** @param {Set<number>} set @param {(at: number) => boolean} isUnwanted */
function removeWhere(set, isUnwanted) {
  const { size } = set;
  for (const at of set) if (isUnwanted(at)) set.delete(at);
  return set.size < size;
}

/** @param {Set<number>} set @param {number[]} more @param {(at: number) => boolean} isWanted */
function addWhere(set, more, isWanted) {
  const { size } = set;
  for (const at of more) if (!set.has(at) && isWanted(at)) set.add(at);
  return set.size > size;
}
