import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import { clone } from '#lib/machinery/json-value.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { KindStrategy } from '../../strategy.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { validateSignerName } from '../shared/signer-name.ts';
import { keepField } from '../shared/status.ts';
import { requestError } from './certificate-request.ts';
import { keepDecisions, stampConditions, validateConditions, validateConditionsKept } from './conditions.ts';
import { certificateError } from './issued-certificate.ts';

const SPEC = FieldPath.of('spec');
const CERTIFICATE = FieldPath.of('status', 'certificate');
const LEGACY = 'kubernetes.io/legacy-unknown';
const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** Sets the requester to the authenticated user and ignores the one in the object. */
function setRequester({ spec }: CertificateSigningRequest, { user }: RequestContext): void {
  for (const field of ['username', 'uid', 'groups', 'extra'] as const) delete spec[field];
  if (user.name !== '') spec.username = user.name;
  if (user.uid !== undefined && user.uid !== '') spec.uid = user.uid;
  if (user.groups.length > 0) spec.groups = [...user.groups];
  const extra = Object.entries(user.extra ?? {});
  if (extra.length > 0) spec.extra = Object.fromEntries(extra.map(([key, values]) => [key, [...values]]));
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1');

function validate(request: CertificateSigningRequest, old?: CertificateSigningRequest): FieldError[] {
  const spec = request.spec;
  const wrong = requestError(decoded(spec.request ?? ''));
  const seconds = spec.expirationSeconds;
  const short = 'may not specify a duration less than 600 seconds (10 minutes)';
  return [
    ...(wrong === undefined ? [] : [invalid(SPEC.child('request'), spec.request ?? null, wrong)]),
    ...usageErrors(spec.usages ?? [], old?.spec.usages ?? []),
    ...signerErrors(spec.signerName, old?.spec.signerName ?? ''),
    ...(seconds !== undefined && seconds < 600 ? [invalid(SPEC.child('expirationSeconds'), seconds, short)] : []),
    ...validateConditions(request, old),
    ...issuedErrors(request, old),
  ];
}

/** Allows unknown and duplicate usages if the stored request already has some. */
function usageErrors(usages: readonly string[], before: readonly string[]): FieldError[] {
  const path = SPEC.child('usages');
  const anyUsage = before.some((usage) => !USAGES.includes(usage));
  const anyOrder = new Set(before).size < before.length;
  return [
    ...(usages.length === 0 ? [required(path)] : []),
    ...usages.flatMap((usage, i) =>
      anyUsage || USAGES.includes(usage) ? [] : [notSupported(path.index(i), usage, USAGES)],
    ),
    ...(anyOrder ? [] : repeatedAt(usages).map((i) => duplicate(path.index(i), usages[i]))),
  ];
}

function signerErrors(signer: string, before: string): FieldError[] {
  const path = SPEC.child('signerName');
  if (signer !== LEGACY || before === LEGACY) return validateSignerName(signer, path);
  return [invalid(path, signer, 'the legacy signerName is not allowed via this API version')];
}

const certificateOf = (request: CertificateSigningRequest | undefined): string => request?.status.certificate ?? '';

/** Allows an unchanged certificate that was stored before certificates were validated. */
function issuedErrors(request: CertificateSigningRequest, old: CertificateSigningRequest | undefined): FieldError[] {
  const issued = certificateOf(request);
  if (issued === certificateOf(old)) return [];
  const wrong = certificateError(decoded(issued));
  return wrong === undefined ? [] : [invalid(CERTIFICATE, '<certificate data>', wrong)];
}

interface Rights {
  readonly decide: boolean;
  readonly issue: boolean;
}

/** Each endpoint has one purpose. The main endpoint changes nothing, `approval` decides, and `status` issues the certificate. */
const validateUpdate =
  ({ decide, issue }: Rights) =>
  (request: CertificateSigningRequest, old: CertificateSigningRequest): FieldError[] => [
    ...validate(request, old),
    ...validateConditionsKept(request, old, decide),
    ...certificateKept(request, old, issue),
  ];

function certificateKept(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  issue: boolean,
): FieldError[] {
  const before = certificateOf(old);
  if (certificateOf(request) === before) return [];
  if (!issue) return [forbidden(CERTIFICATE, 'updates may not set certificate content')];
  return before === '' ? [] : [forbidden(CERTIFICATE, 'updates may not modify existing certificate content')];
}

/** Upstream's pkg/registry/certificates/certificates. */
export const certificateSigningRequestStrategy: KindStrategy<CertificateSigningRequest> = {
  validateName: () => [],
  hasGeneration: false,
  prepareForCreate(request, context) {
    setRequester(request, context);
    request.status = {};
  },
  prepareForUpdate(request, old) {
    keepField(request, old, 'spec');
    keepField(request, old, 'status');
  },
  validate: (request) => validate(request),
  validateUpdate: validateUpdate({ decide: false, issue: false }),
  selectableFields: (request) => ({ 'spec.signerName': request.spec.signerName }),
  subresources: {
    approval: {
      prepareForUpdate(request, old, { now }) {
        stampConditions(request, old, now);
        const conditions = request.status.conditions;
        keepField(request, old, 'spec');
        keepField(request, old, 'status');
        const status = request.status;
        if (conditions === undefined) delete status.conditions;
        else status.conditions = clone(conditions);
      },
      validateUpdate: validateUpdate({ decide: true, issue: false }),
    },
    status: {
      prepareForUpdate(request, old, { now }) {
        keepField(request, old, 'spec');
        keepDecisions(request, old);
        stampConditions(request, old, now);
      },
      validateUpdate: validateUpdate({ decide: false, issue: true }),
    },
  },
};
