import {
  BOUND_BY_CONTROLLER,
  claimKeyOf,
  isAnnotated,
  PROVISIONED_BY,
  withoutAnnotations,
} from './volume_names.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

/**
 * One sync of one volume. Counterpart: pkg/controller/volume/persistentvolume/pv_controller.go,
 * v1.36 (syncVolume).
 */
export class VolumeSync {
  #context;
  #recorder;
  #volume;

  /**
   * @param {ControllerContext} context
   * @param {EventRecorder} recorder
   * @param {KubernetesObject} volume
   */
  constructor(context, recorder, volume) {
    this.#context = context;
    this.#recorder = recorder;
    this.#volume = volume;
  }

  run() {
    const volume = this.#volume;
    const { claimRef } = volume.spec;
    // Reserved for a claim of that name that does not exist yet.
    if (!claimRef?.uid) return this.#phase('Available');
    const claim = this.#context
      .indexer('persistentvolumeclaims')
      .get(/** @type {string} */ (claimKeyOf(volume)));
    if (!claim || claim.metadata.uid !== claimRef.uid) return this.#release();
    const { volumeName } = claim.spec;
    // The claim's own sync completes the binding.
    if (!volumeName) return undefined;
    if (volumeName === volume.metadata.name) return this.#phase('Bound');
    const isMade = isAnnotated(volume, PROVISIONED_BY);
    if (isMade && volume.spec.persistentVolumeReclaimPolicy === 'Delete') return this.#release();
    return this.#unbind();
  }

  /** Releases the volume: its claim is gone. */
  #release() {
    this.#phase('Released');
    if (this.#volume.spec.persistentVolumeReclaimPolicy !== 'Delete') return;
    if (this.#volume.metadata.deletionTimestamp) return;
    if (isAnnotated(this.#volume, PROVISIONED_BY)) {
      this.#context.delete('persistentvolumes', this.#volume);
      return;
    }
    // Only provisioned volumes have a deleter here.
    const message =
      'error getting deleter volume plugin for volume: no deletable volume plugin matched';
    this.#recorder.event(this.#volume, 'Warning', 'VolumeFailedDelete', message);
    this.#context.updateStatus('persistentvolumes', this.#volume, {
      ...this.#volume.status,
      phase: 'Failed',
      message,
    });
  }

  /** Unbinds the volume: its claim has another one. */
  #unbind() {
    const volume = this.#volume;
    const { claimRef, ...spec } = volume.spec;
    const { uid: _, resourceVersion: __, ...reference } = claimRef;
    const isOurs = isAnnotated(volume, BOUND_BY_CONTROLLER);
    this.#volume = this.#context.store.update(
      'persistentvolumes',
      isOurs
        ? { ...withoutAnnotations(volume, BOUND_BY_CONTROLLER), spec }
        : { ...volume, spec: { ...spec, claimRef: reference } },
    );
    this.#phase('Available');
  }

  /** @param {'Available' | 'Bound' | 'Released'} phase */
  #phase(phase) {
    const { status = {} } = this.#volume;
    if (status.phase === phase || (phase === 'Released' && status.phase === 'Failed')) return;
    const { lastPhaseTransitionTime: _, ...others } = status;
    const lastPhaseTransitionTime = this.#context.timestamp;
    this.#volume = this.#context.updateStatus('persistentvolumes', this.#volume, {
      ...others,
      phase,
      lastPhaseTransitionTime,
    });
  }
}
