import { at, texts } from '#lib/machinery/unstructured.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

/** Services get no addresses beyond those that they had: whoever may set one can intercept traffic to it. */
export const denyServiceExternalIPs: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    if (!isAbout(attributes, '/services')) return;
    const before = texts(at(attributes.oldObject, 'spec'), 'externalIPs');
    const more = texts(at(attributes.object, 'spec'), 'externalIPs').filter((address) => !before.includes(address));
    if (more.length > 0) throw refusal(attributes, 'Use of external IPs is denied by admission control');
  },
};
