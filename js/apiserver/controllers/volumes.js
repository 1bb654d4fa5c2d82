import { controllerGroup } from './controller_context.js';
import { startEphemeralVolumeController } from './volume/ephemeral_volume.js';
import { startPersistentVolumeController } from './volume/persistent_volume_controller.js';
import { startStorageProtection } from './volume/storage_protection.js';

/**
 * Claims and volumes: their binding, provisioning and protection.
 * @param {{ onError?: (error: unknown, key: string) => void }} [options]
 */
export function volumes(options) {
  const starts = [
    startEphemeralVolumeController,
    startPersistentVolumeController,
    startStorageProtection,
  ];
  return controllerGroup('volumes', starts, options);
}
