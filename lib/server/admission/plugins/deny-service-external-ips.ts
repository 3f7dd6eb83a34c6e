import { SERVICES } from '#lib/api/types/resources.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

/** Refuses new external IPs of Services: the owner of a Service with one can intercept traffic to it. */
export const denyServiceExternalIPs: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    if (!isAbout(attributes, SERVICES)) return;
    const before = attributes.oldObject?.spec.externalIPs ?? [];
    const given = attributes.object?.spec.externalIPs ?? [];
    if (given.some((address) => !before.includes(address)))
      throw refusal(attributes, 'Use of external IPs is denied by admission control');
  },
};
