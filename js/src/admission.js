/**
 * A webhook that reports at admission what the scheduler would do with a pod.
 * @module stowage/admission
 */
export { createAdmissionHandler } from './admission/admission_handler.js';

/** @typedef {import('./admission/admission_handler.js').AdmissionHandler} AdmissionHandler */
/** @typedef {import('./admission/admission_options.js').AdmissionOptions} AdmissionOptions */
/** @typedef {import('./admission/admission_options.js').Cluster} Cluster */
/** @typedef {import('./admission/admission_options.js').Exemptions} Exemptions */
/** @typedef {import('./admission/admission_options.js').ObjectSource} ObjectSource */
