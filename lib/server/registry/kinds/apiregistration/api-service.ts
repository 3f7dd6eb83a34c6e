import type {
  APIService,
  APIServiceCondition,
  APIServiceSpec,
  ServiceReference,
} from '#lib/api/types/apiregistration.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { type FieldError, FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import type { KindStrategy } from '../../strategy.ts';
import { keepField } from '../shared/status.ts';
import { checked, each, requiredText } from '../shared/validate.ts';

const NAME = FieldPath.of('metadata', 'name');
const SPEC = FieldPath.of('spec');
const SERVICE = SPEC.child('service');
const CONDITIONS = FieldPath.of('status', 'conditions');
const STATUSES = ['True', 'False', 'Unknown'];

function validate(service: APIService): FieldError[] {
  const { spec } = service;
  const { group = '', version = '' } = spec;
  const unnamed = group === '' && version !== 'v1';
  return [
    ...nameErrors(service.metadata.name ?? '', `${version}.${group}`),
    ...(unnamed ? [required(SPEC.child('group'), 'only v1 may have an empty group and it better be legacy kube')] : []),
    ...(group === '' ? [] : checked(group, SPEC.child('group'), isDNS1123Subdomain)),
    ...checked(version, SPEC.child('version'), isDNS1035Label),
    ...priority(spec, 'groupPriorityMinimum', 20_000),
    ...priority(spec, 'versionPriority', 1000),
    ...(spec.service === undefined ? localErrors(spec) : remoteErrors(spec, spec.service)),
  ];
}

/** The name consists of the served version and group. */
function nameErrors(name: string, expected: string): FieldError[] {
  if (name === expected || pathSegmentName(name, false).length > 0) return [];
  return [invalid(NAME, name, `must be \`spec.version+"."+spec.group\`: ${quote(expected)}`)];
}

function priority(spec: APIServiceSpec, field: 'groupPriorityMinimum' | 'versionPriority', most: number): FieldError[] {
  const value = spec[field];
  if (value > 0 && value <= most) return [];
  return [invalid(SPEC.child(field), value, `must be positive and less than ${most}`)];
}

const bundleSize = (spec: APIServiceSpec): number => Buffer.byteLength(spec.caBundle ?? '', 'base64');

function localErrors(spec: APIServiceSpec): FieldError[] {
  const size = bundleSize(spec);
  const skips = spec.insecureSkipTLSVerify === true;
  return [
    ...(size > 0
      ? [invalid(SPEC.child('caBundle'), `${size} bytes`, 'local APIServices may not have a caBundle')]
      : []),
    ...(skips
      ? [invalid(SPEC.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function remoteErrors(spec: APIServiceSpec, service: ServiceReference): FieldError[] {
  const port = service.port ?? 0;
  const messages = isValidPortNum(port);
  const both = spec.insecureSkipTLSVerify === true && bundleSize(spec) > 0;
  return [
    ...requiredText(service, 'namespace', SERVICE),
    ...requiredText(service, 'name', SERVICE),
    ...(messages.length > 0 ? [invalid(SERVICE.child('port'), port, `port is not valid: ${messages.join(', ')}`)] : []),
    ...(both ? [invalid(SPEC.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present')] : []),
  ];
}

function validateStatus(service: APIService): FieldError[] {
  return each(service.status.conditions ?? [], CONDITIONS, (condition, path) => {
    const status = condition.status;
    return STATUSES.includes(status) ? [] : [notSupported(path.child('status'), status, STATUSES)];
  });
}

const localAvailable = (now: Date): APIServiceCondition => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime: timeOf(now),
  reason: 'Local',
  message: 'Local APIServices are always available',
});

/** The strategy of APIServices, for local and aggregated group versions: upstream's kube-aggregator. */
export const apiServiceStrategy: KindStrategy<APIService> = {
  validateName: pathSegmentName,
  allowUnconditionalUpdate: false,
  hasGeneration: false,
  default(service) {
    const reference = service.spec.service;
    if (reference !== undefined) reference.port ??= 443;
  },
  prepareForCreate(service, { now }) {
    const local = service.spec.service === undefined;
    service.status = local ? { conditions: [localAvailable(now)] } : {};
  },
  prepareForUpdate: (service, old) => keepField(service, old, 'status'),
  validate,
  validateUpdate: validate,
  subresources: {
    status: {
      prepareForUpdate(service, old) {
        keepField(service, old, 'spec');
        for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
          keepField(service.metadata, old.metadata, field);
        }
      },
      validateUpdate: validateStatus,
    },
  },
};
