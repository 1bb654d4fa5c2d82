import { StorageClasses } from '../../../src/kubernetes/default_classes.js';
import { keyOf } from '../../../src/kubernetes/keys.js';
import { storageClassNameOf } from '../../../src/kubernetes/volume_defaults.js';
import { findMatchingVolume, mismatchOf } from './volume_match.js';
import { provision } from './provisioner.js';
import {
  annotated,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  classNameOf,
  isAnnotated,
  NO_PROVISIONER,
  referenceToClaim,
} from './volume_names.js';
import { isBoundToClaim, SELECTED_NODE } from '../../../src/kubernetes/volume_match.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

/**
 * One sync of one claim. Counterpart: pkg/controller/volume/persistentvolume/pv_controller.go,
 * v1.36 (syncClaim).
 */
export class ClaimSync {
  #context;
  #recorder;
  #claim;

  /**
   * @param {ControllerContext} context
   * @param {EventRecorder} recorder
   * @param {KubernetesObject} claim
   */
  constructor(context, recorder, claim) {
    this.#context = context;
    this.#recorder = recorder;
    this.#claim = claim;
  }

  run() {
    if (isAnnotated(this.#claim, BIND_COMPLETED)) this.#syncBound();
    else if (this.#claim.spec.volumeName) this.#syncNamed();
    else this.#syncUnbound();
  }

  get #volumes() {
    return this.#context.indexer('persistentvolumes');
  }

  get #class() {
    return this.#context.indexer('storageclasses').get(classNameOf(this.#claim));
  }

  /** Syncs a claim that may get any volume. */
  #syncUnbound() {
    this.#claim = this.#withDefaultClass();
    const claim = this.#claim;
    const isDelayed = this.#isDelayed();
    const candidates = [
      ...this.#volumes.byIndex('claim', keyOf(claim)),
      ...this.#volumes.byIndex('class', classNameOf(claim)),
    ];
    const volume = findMatchingVolume(claim, candidates, { isDelayed });
    if (volume) return this.#bind(volume);
    if (claim.metadata.deletionTimestamp) return this.#pend();
    if (isDelayed) {
      const message = 'waiting for first consumer to be created before binding';
      this.#recordEvent('Normal', 'WaitForFirstConsumer', message);
    } else if (classNameOf(claim)) return this.#provision();
    else {
      const message = 'no persistent volumes available for this claim and no storage class is set';
      this.#recordEvent('Normal', 'FailedBinding', message);
    }
    return this.#pend();
  }

  /** Gives a claim without a class the present default class. */
  #withDefaultClass() {
    const claim = this.#claim;
    if (storageClassNameOf(claim) !== undefined) return claim;
    const classes = new StorageClasses(this.#context.indexer('storageclasses').list());
    const present = classes.globalDefault();
    if (!present) return claim;
    const spec = { ...claim.spec, storageClassName: present.metadata.name };
    return this.#context.store.update('persistentvolumeclaims', { ...claim, spec });
  }

  /** Whether binding waits for the scheduler to choose a node. */
  #isDelayed() {
    const isWaiting = this.#class?.volumeBindingMode === 'WaitForFirstConsumer';
    return isWaiting && !isAnnotated(this.#claim, SELECTED_NODE);
  }

  #provision() {
    const storageClass = this.#class;
    const name = classNameOf(this.#claim);
    if (!storageClass) {
      const message = `storageclass.storage.k8s.io "${name}" not found`;
      this.#recordEvent('Warning', 'ProvisioningFailed', message);
    } else if (storageClass.provisioner === NO_PROVISIONER) {
      const message = 'no volume plugin matched name: kubernetes.io/no-provisioner';
      const isWaiting = storageClass.volumeBindingMode === 'WaitForFirstConsumer';
      if (!isWaiting) this.#recordEvent('Warning', 'ProvisioningFailed', message);
    } else {
      const { volume, claim } = provision(this.#context, this.#recorder, {
        claim: this.#claim,
        storageClass,
      });
      this.#claim = claim;
      if (volume) return this.#bind(volume);
    }
    return this.#pend();
  }

  /** Syncs a claim that names its volume. */
  #syncNamed() {
    const claim = this.#claim;
    const volume = this.#volumes.get(claim.spec.volumeName);
    if (!volume) return this.#pend();
    const isFree = !volume.spec.claimRef;
    const mismatch = isFree ? mismatchOf(volume, claim) : undefined;
    if (mismatch) {
      const message = `Cannot bind to requested volume "${volume.metadata.name}": ${mismatch}`;
      this.#recordEvent('Warning', 'VolumeMismatch', message);
      return this.#pend();
    }
    if (isFree || isBoundToClaim(volume, claim)) return this.#bind(volume);
    const message = `volume "${volume.metadata.name}" already bound to a different claim.`;
    this.#recordEvent('Warning', 'FailedBinding', message);
    return this.#pend();
  }

  /** Syncs a bound claim. */
  #syncBound() {
    const claim = this.#claim;
    if (!claim.spec.volumeName) {
      const message =
        'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!';
      return this.#lose('ClaimLost', message);
    }
    const volume = this.#volumes.get(claim.spec.volumeName);
    if (!volume) {
      const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
      return this.#lose('ClaimLost', message);
    }
    if (!volume.spec.claimRef || isBoundToClaim(volume, claim)) return this.#bind(volume);
    const message = 'Two claims are bound to the same volume, this one is bound incorrectly';
    return this.#lose('ClaimMisbound', message);
  }

  /**
   * Writes the volume's reference to the claim first, then the claim's to the volume.
   * @param {KubernetesObject} volume
   */
  #bind(volume) {
    const bound = this.#writeStatus(this.#bindVolume(volume), 'persistentvolumes', {
      phase: 'Bound',
    });
    const claim = this.#bindClaim(bound);
    const { capacity, accessModes } = bound.spec;
    const { volumeAttributesClassName: current } = bound.spec;
    this.#context.updateStatus('persistentvolumeclaims', claim, {
      ...claim.status,
      phase: 'Bound',
      accessModes,
      capacity: claim.status?.phase === 'Bound' ? (claim.status.capacity ?? capacity) : capacity,
      ...(current && { currentVolumeAttributesClassName: current }),
    });
  }

  /** @param {KubernetesObject} volume */
  #bindVolume(volume) {
    const { claimRef } = volume.spec;
    if (claimRef?.uid === this.#claim.metadata.uid) return volume;
    const spec = { ...volume.spec, claimRef: { ...claimRef, ...referenceToClaim(this.#claim) } };
    const marked = claimRef ? volume : annotated(volume, { [BOUND_BY_CONTROLLER]: 'yes' });
    return this.#context.store.update('persistentvolumes', { ...marked, spec });
  }

  /** @param {KubernetesObject} volume */
  #bindClaim(volume) {
    const claim = this.#claim;
    const { name } = volume.metadata;
    if (claim.spec.volumeName === name && isAnnotated(claim, BIND_COMPLETED)) return claim;
    const marks = {
      [BIND_COMPLETED]: 'yes',
      ...(claim.spec.volumeName !== name && { [BOUND_BY_CONTROLLER]: 'yes' }),
    };
    const marked = annotated({ ...claim, spec: { ...claim.spec, volumeName: name } }, marks);
    return this.#context.store.update('persistentvolumeclaims', marked);
  }

  #pend() {
    this.#writeStatus(this.#claim, 'persistentvolumeclaims', { phase: 'Pending' });
  }

  /**
   * @param {string} reason
   * @param {string} message
   */
  #lose(reason, message) {
    if (this.#claim.status?.phase === 'Lost') return;
    const { accessModes: _, capacity: __, ...status } = this.#claim.status ?? {};
    this.#context.updateStatus('persistentvolumeclaims', this.#claim, { ...status, phase: 'Lost' });
    this.#recordEvent('Warning', reason, message);
  }

  /**
   * @param {KubernetesObject} object
   * @param {string} resource
   * @param {Record<string, any>} status
   */
  #writeStatus(object, resource, status) {
    return this.#context.updateStatus(resource, object, { ...object.status, ...status });
  }

  /**
   * @param {'Normal' | 'Warning'} type
   * @param {string} reason
   * @param {string} message
   */
  #recordEvent(type, reason, message) {
    this.#recorder.event(this.#claim, type, reason, message);
  }
}
