import { controllerGroup } from './controller_context.js';
import { startResourceClaimController } from './resourceclaim/resource_claim_controller.js';

/**
 * Device claims: their creation from templates, reservations and deallocation.
 * @param {{ onError?: (error: unknown, key: string) => void }} [options]
 */
export function resourceclaims(options) {
  return controllerGroup('resourceclaims', [startResourceClaimController], options);
}
