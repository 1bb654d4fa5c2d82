/** Asks the kubelets about the pods of manifests that name their node. */
import { askKubelets } from '../../whatif/named_nodes.js';

/**
 * @import { PodFate } from '../../check/report.js'
 * @import { Admission } from '../../whatif/named_nodes.js'
 * @import { Simulation } from './simulation.js'
 */

/**
 * @param {Simulation} simulation
 * @returns {Map<string, Admission>} by `namespace/name`
 */
export function admissionsOnNamedNodes({ cluster, engine, schedulerOptions }) {
  const made = new Set(cluster.workloads.flatMap(({ pods }) => pods));
  return askKubelets(made, cluster, { engine, schedulerOptions });
}

/**
 * Returns the outcomes of these pods, for a verdict.
 * @param {Simulation} simulation
 * @returns {PodFate[]}
 */
export function fatesOnNamedNodes(simulation) {
  return [...admissionsOnNamedNodes(simulation)].map(([pod, { fits, message }]) =>
    fits
      ? { pod, result: 'Scheduled', message: '', note: message }
      : { pod, result: 'Refused', message },
  );
}
