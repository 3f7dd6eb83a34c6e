import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { certificateSigningRequestStrategy } from './certificate-signing-request.ts';

/** The strategies of the group `certificates.k8s.io`. */
export const certificatesStrategies: KindStrategies = {
  ...strategyOf(CERTIFICATE_SIGNING_REQUESTS, certificateSigningRequestStrategy),
};
