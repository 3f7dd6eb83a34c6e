import type { KindStrategies } from '../../strategy.ts';
import { certificateSigningRequestStrategy } from './certificate-signing-request.ts';

export const certificatesStrategies: KindStrategies = {
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequestStrategy,
};
