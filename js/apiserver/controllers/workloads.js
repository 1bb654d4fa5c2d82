import { controllerGroup } from './controller_context.js';
import { startCronJobController } from './cronjob/cron_job_controller.js';
import { startDaemonSetController } from './daemon/daemon_set_controller.js';
import { startDeploymentController } from './deployment/deployment_controller.js';
import { startJobController } from './job/job_controller.js';
import { startTtlAfterFinishedController } from './job/ttl_after_finished.js';
import { startReplicaSetController, startReplicationController } from './replicaset/replica_set.js';
import { startStatefulSetController } from './statefulset/stateful_set_controller.js';

/**
 * The controllers of Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets,
 * Jobs and CronJobs.
 * @param {import('./controller_context.js').ControllerOptions} [options]
 */
export function workloads(options) {
  return controllerGroup(
    'workloads',
    [
      startDeploymentController,
      startReplicaSetController,
      startReplicationController,
      startStatefulSetController,
      startDaemonSetController,
      startJobController,
      startTtlAfterFinishedController,
      startCronJobController,
    ],
    options,
  );
}
