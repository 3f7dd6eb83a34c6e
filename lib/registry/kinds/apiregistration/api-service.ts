import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { quote } from '#lib/machinery/go.ts';
import { timeText, instantOf } from '#lib/machinery/time.ts';
import { count, ensure, flag, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, notSupported, required, type FieldError } from '#lib/machinery/validation/field.ts';
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

function validate(service: JsonObject): FieldError[] {
  const spec = objectAt(service, 'spec') ?? {};
  const [group, version] = [text(spec, 'group'), text(spec, 'version')];
  const unnamed = group === '' && version !== 'v1';
  return [
    ...nameErrors(text(objectAt(service, 'metadata'), 'name'), `${version}.${group}`),
    ...(unnamed ? [required(SPEC.child('group'), 'only v1 may have an empty group and it better be legacy kube')] : []),
    ...(group === '' ? [] : checked(group, SPEC.child('group'), isDNS1123Subdomain)),
    ...checked(version, SPEC.child('version'), isDNS1035Label),
    ...priority(spec, 'groupPriorityMinimum', 20_000),
    ...priority(spec, 'versionPriority', 1000),
    ...(objectAt(spec, 'service') === undefined ? localErrors(spec) : remoteErrors(spec)),
  ];
}

/** The name says what is served. */
function nameErrors(name: string, expected: string): FieldError[] {
  if (name === expected || pathSegmentName(name, false).length > 0) return [];
  return [invalid(NAME, name, `must be \`spec.version+"."+spec.group\`: ${quote(expected)}`)];
}

function priority(spec: JsonObject, field: string, most: number): FieldError[] {
  const value = count(spec, field);
  if (value > 0 && value <= most) return [];
  return [invalid(SPEC.child(field), value, `must be positive and less than ${most}`)];
}

const bundleSize = (spec: JsonObject): number => Buffer.byteLength(text(spec, 'caBundle'), 'base64');

function localErrors(spec: JsonObject): FieldError[] {
  const size = bundleSize(spec);
  const skips = flag(spec, 'insecureSkipTLSVerify') === true;
  return [
    ...(size > 0
      ? [invalid(SPEC.child('caBundle'), `${size} bytes`, 'local APIServices may not have a caBundle')]
      : []),
    ...(skips
      ? [invalid(SPEC.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function remoteErrors(spec: JsonObject): FieldError[] {
  const service = objectAt(spec, 'service') ?? {};
  const port = count(service, 'port');
  const messages = isValidPortNum(port);
  const both = flag(spec, 'insecureSkipTLSVerify') === true && bundleSize(spec) > 0;
  return [
    ...requiredText(service, 'namespace', SERVICE),
    ...requiredText(service, 'name', SERVICE),
    ...(messages.length > 0 ? [invalid(SERVICE.child('port'), port, `port is not valid: ${messages.join(', ')}`)] : []),
    ...(both ? [invalid(SPEC.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present')] : []),
  ];
}

function validateStatus(service: JsonObject): FieldError[] {
  return each(items(objectAt(service, 'status'), 'conditions'), CONDITIONS, (condition, path) => {
    const status = text(condition, 'status');
    return STATUSES.includes(status) ? [] : [notSupported(path.child('status'), status, STATUSES)];
  });
}

const localAvailable = (now: Date): JsonObject => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime: timeText(instantOf(now)),
  reason: 'Local',
  message: 'Local APIServices are always available',
});

/** What another server than this one answers, or this one itself; upstream's kube-aggregator. */
export const apiServiceStrategy: KindStrategy = {
  validateName: pathSegmentName,
  allowUnconditionalUpdate: false,
  hasGeneration: false,
  default(service) {
    const reference = objectAt(objectAt(service, 'spec'), 'service');
    if (reference !== undefined) reference['port'] ??= 443;
  },
  prepareForCreate(service, { now }) {
    const local = objectAt(objectAt(service, 'spec'), 'service') === undefined;
    service['status'] = local ? { conditions: [localAvailable(now)] } : {};
  },
  prepareForUpdate: (service, old) => keepField(service, old, 'status'),
  validate,
  validateUpdate: validate,
  subresources: {
    status: {
      prepareForUpdate(service, old) {
        keepField(service, old, 'spec');
        const metadata = ensure(service, 'metadata');
        for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences']) {
          keepField(metadata, objectAt(old, 'metadata') ?? {}, field);
        }
      },
      validateUpdate: validateStatus,
    },
  },
};
