import type { AdmissionPlugin } from '../admission.ts';

/** Does nothing, as upstream's does since it means nothing any more. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', operations: [] };
