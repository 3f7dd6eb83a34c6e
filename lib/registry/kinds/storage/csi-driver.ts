import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, ensure, has, integer, items, text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { each, optionalOneOf } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
const MODES = ['Persistent', 'Ephemeral'];

function setDefaults(driver: JsonObject): void {
  const spec = ensure(driver, 'spec');
  spec['attachRequired'] ??= true;
  for (const field of ['podInfoOnMount', 'storageCapacity', 'requiresRepublish', 'seLinuxMount']) spec[field] ??= false;
  spec['fsGroupPolicy'] ??= 'ReadWriteOnceWithFSType';
  if (texts(spec, 'volumeLifecycleModes').length === 0) spec['volumeLifecycleModes'] = ['Persistent'];
}

/** Of an alpha feature; it stays where it is already. */
const DISABLED = 'preventPodSchedulingIfMissing';

function dropDisabled(driver: JsonObject, old?: JsonObject): void {
  if (!has(objectAt(old, 'spec'), DISABLED)) delete ensure(driver, 'spec')[DISABLED];
}

function validate(driver: JsonObject): FieldError[] {
  const spec = objectAt(driver, 'spec') ?? {};
  const period = integer(spec, 'nodeAllocatableUpdatePeriodSeconds');
  const set = (field: string, shown = field): FieldError[] => (has(spec, field) ? [] : [required(SPEC.child(shown))]);
  const tokens = items(spec, 'tokenRequests');
  const inSecrets = ownField(spec, 'serviceAccountTokenInSecrets');
  return [
    ...set('attachRequired', 'attachedRequired'),
    ...set('podInfoOnMount'),
    ...set('storageCapacity'),
    ...optionalOneOf(spec, 'fsGroupPolicy', SPEC, ['File', 'None', 'ReadWriteOnceWithFSType']),
    ...tokenRequests(tokens),
    ...texts(spec, 'volumeLifecycleModes')
      .filter((mode) => !MODES.includes(mode))
      .map((mode) => notSupported(SPEC.child('volumeLifecycleModes'), mode, MODES)),
    ...set('seLinuxMount'),
    ...(period !== undefined && period < 10
      ? [
          invalid(
            SPEC.child('nodeAllocatableUpdatePeriodSeconds'),
            period,
            'must be greater than or equal to 10 seconds',
          ),
        ]
      : []),
    ...(has(spec, 'serviceAccountTokenInSecrets') && tokens.length === 0
      ? [
          invalid(
            SPEC.child('serviceAccountTokenInSecrets'),
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ];
}

/** One token per audience, for ten minutes at least. */
function tokenRequests(requests: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return each(requests, SPEC.child('tokenRequests'), (request, path) => {
    const audience = text(request, 'audience');
    if (seen.has(audience)) return [duplicate(path.child('audience'), audience)];
    seen.add(audience);
    const seconds = count(request, 'expirationSeconds');
    const where = path.child('expirationSeconds');
    if (!has(request, 'expirationSeconds')) return [];
    if (seconds < 600) return [invalid(where, seconds, 'may not specify a duration less than 10 minutes')];
    return seconds > 2 ** 32 ? [invalid(where, seconds, 'may not specify a duration larger than 2^32 seconds')] : [];
  });
}

function validateUpdate(driver: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectAt(driver, 'spec'), objectAt(old, 'spec')];
  const kept = (field: string, shown: string): FieldError[] => {
    const value = ownField(spec, field) ?? null;
    return semanticEqual(value, ownField(before, field)) ? [] : [invalid(SPEC.child(shown), value, IMMUTABLE)];
  };
  return [
    ...validate(driver),
    ...kept('attachRequired', 'attachedRequired'),
    ...kept('volumeLifecycleModes', 'volumeLifecycleModes'),
  ];
}

const RECOMMENDED =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

/** Upstream's pkg/registry/storage/csidriver. */
export const csiDriverStrategy: KindStrategy = {
  allowUnconditionalUpdate: false,
  default: setDefaults,
  prepareForCreate: (driver) => dropDisabled(driver),
  // Upstream counts the changes of a driver from none, not from one.
  prepareForUpdate(driver, old) {
    dropDisabled(driver, old);
    if (semanticEqual(ownField(driver, 'spec'), ownField(old, 'spec'))) return;
    ensure(driver, 'metadata')['generation'] = Number(count(objectAt(old, 'metadata'), 'generation')) + 1;
  },
  validate,
  validateUpdate,
  warnings(driver, old) {
    const spec = objectAt(driver, 'spec');
    const same = semanticEqual(ownField(spec, 'tokenRequests'), ownField(objectAt(old, 'spec'), 'tokenRequests'));
    const asked = items(spec, 'tokenRequests').length > 0 && !has(spec, 'serviceAccountTokenInSecrets');
    return asked && (old === undefined || !same) ? [RECOMMENDED] : [];
  },
};
