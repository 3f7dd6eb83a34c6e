import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from '#lib/api/types/certificates.v1.ts';
import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { isConditionTrue } from '#lib/machinery/conditions.ts';

/** The resource of requests. Their keys are names. */
export const REQUESTS = CERTIFICATE_SIGNING_REQUESTS;

/** The names of requests that changed. */
export const changedRequests = ({ type, group, resource, name }: ObjectChange): readonly string[] =>
  group === REQUESTS.group && resource === REQUESTS.resource && type !== 'DELETED' ? [name] : [];

/** Whether the request has a true condition of this type. */
export const hasCondition = ({ status: { conditions = [] } }: CertificateSigningRequest, type: string): boolean =>
  isConditionTrue(conditions, type);

/** Whether the request has its certificate. */
export const isIssued = ({ status }: CertificateSigningRequest): boolean => (status.certificate ?? '') !== '';

/** The request with additional status fields. */
export const withStatus = (
  request: CertificateSigningRequest,
  status: CertificateSigningRequestStatus,
): CertificateSigningRequest => ({ ...request, status: { ...request.status, ...status } });

/** The part of a true condition that a controller sets. Times that it does not set are null. */
export type Verdict = Pick<CertificateSigningRequestCondition, 'type' | 'reason' | 'message'> &
  Partial<Pick<CertificateSigningRequestCondition, 'lastUpdateTime'>>;

/** The request with an additional condition. */
export function withCondition(request: CertificateSigningRequest, verdict: Verdict): CertificateSigningRequest {
  const condition = { status: 'True', lastUpdateTime: null, lastTransitionTime: null, ...verdict };
  return withStatus(request, { conditions: [...(request.status.conditions ?? []), condition] });
}

/** The PEM PKCS #10 request inside the object. */
export const requestPem = ({ spec }: CertificateSigningRequest): string =>
  Buffer.from(spec.request ?? '', 'base64').toString('latin1');
