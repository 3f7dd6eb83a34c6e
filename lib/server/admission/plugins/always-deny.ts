import type { Attributes } from '#lib/server/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';

const deny = (attributes: Attributes): never => {
  throw refusal(attributes, 'admission control is denying all modifications');
};

/** Rejects every write, for tests of rejections. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  admit: deny,
  validate: deny,
};
