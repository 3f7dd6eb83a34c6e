import type { Namespace } from '#lib/api/types/core.v1.ts';
import { setField } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { nameIsDNSLabel } from '#lib/machinery/validation/names.ts';
import { validateFinalizerName } from '#lib/machinery/validation/object-meta.ts';
import type { KindStrategy } from '../../strategy.ts';
import { keepField } from '../shared/status.ts';

const FINALIZERS = FieldPath.of('spec', 'finalizers');
const PHASE = FieldPath.of('status', 'Phase');
const NAME_LABEL = 'kubernetes.io/metadata.name';
const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** Labels every namespace with its name, so that selectors can match it. */
function labelWithName(namespace: Namespace): void {
  const name = namespace.metadata.name ?? '';
  if (name !== '') setField((namespace.metadata.labels ??= {}), NAME_LABEL, name);
}

function finalizerErrors(name: string, path: FieldPath): FieldError[] {
  const errors = validateFinalizerName(name, path);
  if (name.includes('/') || STANDARD_FINALIZERS.includes(name)) return errors;
  return [...errors, invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified')];
}

function validate(namespace: Namespace): FieldError[] {
  return (namespace.spec.finalizers ?? []).flatMap((name) => finalizerErrors(name, FINALIZERS));
}

/** The phase must match whether the namespace is being deleted. */
function validateStatus(namespace: Namespace): FieldError[] {
  const deleting = isDeleting(namespace);
  const phase = namespace.status.phase ?? '';
  const expected = deleting ? 'Terminating' : 'Active';
  if (phase === expected) return [];
  const empty = deleting ? 'is not empty' : 'is empty';
  return [invalid(PHASE, phase, `may only be '${expected}' if \`deletionTimestamp\` ${empty}`)];
}

/** Upstream's pkg/registry/core/namespace. A delete first marks the namespace. It disappears once spec.finalizers are empty too. */
export const namespaceStrategy: KindStrategy<Namespace> = {
  validateName: nameIsDNSLabel,
  hasGeneration: false,
  default(namespace) {
    labelWithName(namespace);
    namespace.status.phase ??= 'Active';
  },
  prepareForCreate(namespace) {
    labelWithName(namespace);
    namespace.status = { phase: 'Active' };
    const { spec } = namespace;
    const finalizers = spec.finalizers ?? [];
    if (!finalizers.includes('kubernetes')) spec.finalizers = [...finalizers, 'kubernetes'];
  },
  prepareForUpdate(namespace, old) {
    labelWithName(namespace);
    keepField(namespace, old, 'spec');
    keepField(namespace, old, 'status');
  },
  validate,
  validateUpdate: validate,
  beginDeletion(namespace, { now }) {
    namespace.metadata.deletionTimestamp = timeOf(now);
    namespace.status.phase = 'Terminating';
  },
  holdsDeletion: (namespace) => !isDeleting(namespace) || (namespace.spec.finalizers ?? []).length > 0,
  selectableFields: (namespace) => ({ 'status.phase': namespace.status.phase ?? '' }),
  subresources: {
    status: {
      prepareForUpdate: (namespace, old) => keepField(namespace, old, 'spec'),
      validateUpdate: validateStatus,
    },
    finalize: {
      prepareForUpdate: (namespace, old) => keepField(namespace, old, 'status'),
      validateUpdate: (namespace) =>
        (namespace.spec.finalizers ?? []).flatMap((name, i) => finalizerErrors(name, FINALIZERS.index(i))),
    },
  },
};
