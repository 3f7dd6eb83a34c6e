import type { PriorityClass } from '#lib/api/types/scheduling.v1.ts';
import { type FieldError, FieldPath, forbidden, notSupported, required } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';

const NAME = FieldPath.of('metadata', 'name');
const SYSTEM = 'system-';
/** The highest priority that users may define. System priorities are higher. */
const HIGHEST = 1_000_000_000;
const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};
const POLICIES = ['PreemptLowerPriority', 'Never'];

function validate(priority: PriorityClass): FieldError[] {
  return [...valueErrors(priority), ...policyErrors(priority)];
}

function valueErrors(priority: PriorityClass): FieldError[] {
  const name = priority.metadata.name ?? '';
  const value = priority.value;
  if (name.startsWith(SYSTEM)) {
    const error = systemError(name, value, priority.globalDefault ?? false);
    if (error === undefined) return [];
    return [
      forbidden(NAME, `priority class names with '${SYSTEM}' prefix are reserved for system use only. error: ${error}`),
    ];
  }
  if (value <= HIGHEST) return [];
  return [forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST}`)];
}

function systemError(name: string, value: number | bigint, globalDefault: boolean): string | undefined {
  const known = Object.hasOwn(SYSTEM_CLASSES, name) ? SYSTEM_CLASSES[name] : undefined;
  if (known === undefined) return `${name} is not a known system priority class`;
  if (Number(value) !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function policyErrors(priority: PriorityClass): FieldError[] {
  const policy = priority.preemptionPolicy ?? '';
  if (priority.preemptionPolicy === undefined || POLICIES.includes(policy)) return [];
  return [policy === '' ? required('preemptionPolicy') : notSupported('preemptionPolicy', policy, POLICIES)];
}

/** Upstream's pkg/registry/scheduling/priorityclass. The generation never changes. */
export const priorityClassStrategy: KindStrategy<PriorityClass> = {
  default(priority) {
    priority.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  prepareForCreate(priority) {
    priority.metadata.generation = 1;
  },
  validate,
  validateUpdate: (priority, old) => [
    ...(priority.value === old.value ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...immutable(priority, old, 'preemptionPolicy', FieldPath.of('')),
  ],
};
