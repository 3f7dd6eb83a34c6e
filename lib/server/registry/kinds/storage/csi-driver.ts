import type { CSIDriver, TokenRequest } from '#lib/api/types/storage.v1.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { each, optionalOneOf } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
const MODES = ['Persistent', 'Ephemeral'];

function setDefaults({ spec }: CSIDriver): void {
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
}

/** `preventPodSchedulingIfMissing` belongs to an alpha feature. A driver that already has it keeps it. */
function dropDisabled({ spec }: CSIDriver, old?: CSIDriver): void {
  if (old?.spec.preventPodSchedulingIfMissing === undefined) delete spec.preventPodSchedulingIfMissing;
}

function validate({ spec }: CSIDriver): FieldError[] {
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  const set = (value: boolean | undefined, shown: string): FieldError[] =>
    value !== undefined ? [] : [required(SPEC.child(shown))];
  const tokens = spec.tokenRequests ?? [];
  const inSecrets = spec.serviceAccountTokenInSecrets;
  return [
    ...set(spec.attachRequired, 'attachedRequired'),
    ...set(spec.podInfoOnMount, 'podInfoOnMount'),
    ...set(spec.storageCapacity, 'storageCapacity'),
    ...optionalOneOf(spec, 'fsGroupPolicy', SPEC, ['File', 'None', 'ReadWriteOnceWithFSType']),
    ...tokenRequests(tokens),
    ...(spec.volumeLifecycleModes ?? [])
      .filter((mode) => !MODES.includes(mode))
      .map((mode) => notSupported(SPEC.child('volumeLifecycleModes'), mode, MODES)),
    ...set(spec.seLinuxMount, 'seLinuxMount'),
    ...(period !== undefined && period < 10
      ? [
          invalid(
            SPEC.child('nodeAllocatableUpdatePeriodSeconds'),
            period,
            'must be greater than or equal to 10 seconds',
          ),
        ]
      : []),
    ...(inSecrets !== undefined && tokens.length === 0
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

/** Each audience has one token, which is valid for at least ten minutes. */
function tokenRequests(requests: readonly TokenRequest[]): FieldError[] {
  const seen = new Set<string>();
  return each(requests, SPEC.child('tokenRequests'), (request, path) => {
    const audience = request.audience;
    if (seen.has(audience)) return [duplicate(path.child('audience'), audience)];
    seen.add(audience);
    const seconds = request.expirationSeconds;
    const where = path.child('expirationSeconds');
    if (seconds === undefined) return [];
    if (seconds < 600) return [invalid(where, seconds, 'may not specify a duration less than 10 minutes')];
    return seconds > 2 ** 32 ? [invalid(where, seconds, 'may not specify a duration larger than 2^32 seconds')] : [];
  });
}

function validateUpdate(driver: CSIDriver, old: CSIDriver): FieldError[] {
  const [spec, before] = [driver.spec, old.spec];
  const kept = (field: 'attachRequired' | 'volumeLifecycleModes', shown: string): FieldError[] => {
    const value = spec[field] ?? null;
    return semanticEqual(value, before[field]) ? [] : [invalid(SPEC.child(shown), value, IMMUTABLE)];
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
export const csiDriverStrategy: KindStrategy<CSIDriver> = {
  allowUnconditionalUpdate: false,
  default: setDefaults,
  prepareForCreate: (driver) => dropDisabled(driver),
  // Upstream's generation of a driver starts at 0 instead of 1.
  prepareForUpdate(driver, old) {
    dropDisabled(driver, old);
    if (semanticEqual(driver.spec, old.spec)) return;
    driver.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
  },
  validate,
  validateUpdate,
  warnings(driver, old) {
    const spec = driver.spec;
    const same = semanticEqual(spec.tokenRequests, old?.spec.tokenRequests);
    const asked = (spec.tokenRequests ?? []).length > 0 && spec.serviceAccountTokenInSecrets === undefined;
    return asked && (old === undefined || !same) ? [RECOMMENDED] : [];
  },
};
