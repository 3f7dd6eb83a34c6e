import type { Attributes } from '#lib/server/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';

const deny = (attributes: Attributes): never => {
  throw refusal(attributes, 'admission control is denying all modifications');
};

/** Refuses every write: for tests of what comes after a refusal. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  admit: deny,
  validate: deny,
};
