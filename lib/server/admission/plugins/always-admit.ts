import type { AdmissionPlugin } from '../admission.ts';

/** Does nothing, like upstream's deprecated plugin. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', operations: [] };
