import { SERVICES } from '#lib/api/types/resources.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

/** Rejects new external IPs of Services, because the owner of such a Service can intercept traffic to the address. */
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
