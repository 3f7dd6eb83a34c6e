import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '#lib/api/types/core.v1.ts';
import type { StorageClass } from '#lib/api/types/storage.v1.ts';
import { duplicate, type FieldError, FieldPath, notSupported, required } from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { REPLACED_NODE_LABELS } from '../shared/node-labels.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { immutable } from '../shared/semantic.ts';
import { each } from '../shared/validate.ts';
import { validateParameters, validateProvisioner } from './parameters.ts';

const ROOT = FieldPath.of('');
const RECLAIM = ['Delete', 'Retain'];
const BINDING = ['Immediate', 'WaitForFirstConsumer'];
const TOPOLOGIES = FieldPath.of('allowedTopologies');

function validate(storageClass: StorageClass): FieldError[] {
  const policy = storageClass.reclaimPolicy ?? '';
  const supported = policy === '' || RECLAIM.includes(policy);
  return [
    ...validateProvisioner(storageClass.provisioner, FieldPath.of('provisioner')),
    ...validateParameters(storageClass, true),
    ...(supported ? [] : [notSupported('reclaimPolicy', policy, RECLAIM)]),
    ...bindingMode(storageClass),
    ...allowedTopologies(storageClass.allowedTopologies ?? []),
  ];
}

function bindingMode(storageClass: StorageClass): FieldError[] {
  const mode = storageClass.volumeBindingMode ?? '';
  if (storageClass.volumeBindingMode === undefined) return [required('volumeBindingMode')];
  return BINDING.includes(mode) ? [] : [notSupported('volumeBindingMode', mode, BINDING)];
}

/**
 * Terms must be unique, regardless of the order of keys and values. Upstream also compares each term with that many empty terms, so an
 * empty term is always a duplicate.
 */
function allowedTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  const said = terms.map(() => '[]');
  return each(terms, TOPOLOGIES, (term, path) => {
    const where = path.child('matchLabelExpressions');
    const expressions = term.matchLabelExpressions ?? [];
    const says = meaningOf(expressions);
    const again = said.filter((one) => one === says).map(() => duplicate(where, ''));
    said.push(says);
    return [...expressionErrors(expressions, where), ...again];
  });
}

/** A canonical form of the term. The last expression of a key takes precedence. */
function meaningOf(expressions: readonly TopologySelectorLabelRequirement[]): string {
  const values = new Map(expressions.map((one) => [one.key, [...new Set(one.values ?? [])].sort()]));
  return JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function expressionErrors(expressions: readonly TopologySelectorLabelRequirement[], path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return each(expressions, path, (expression, where) => {
    const [key, values] = [expression.key, expression.values ?? []];
    const again = keys.has(key) ? [duplicate(where.child('key'), key)] : [];
    keys.add(key);
    return [
      ...(values.length === 0 ? [required(where.child('values'))] : []),
      ...repeatedAt(values).map((i) => duplicate(where.child('values').index(i), values[i])),
      ...validateLabelName(key, where.child('key')),
      ...again,
    ];
  });
}

/** Upstream's GetWarningsForStorageClass. */
const warnings = (storageClass: StorageClass): string[] =>
  (storageClass.allowedTopologies ?? []).flatMap((term, i) =>
    (term.matchLabelExpressions ?? []).flatMap((expression, j) => {
      const path = TOPOLOGIES.index(i).child('matchLabelExpressions').index(j).child('key');
      const message = REPLACED_NODE_LABELS.get(expression.key);
      return message === undefined ? [] : [`${path}: ${message}`];
    }),
  );

const FIXED = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const;

/** Upstream's pkg/registry/storage/storageclass. */
export const storageClassStrategy: KindStrategy<StorageClass> = {
  default(storageClass) {
    storageClass.reclaimPolicy ??= 'Delete';
    storageClass.volumeBindingMode ??= 'Immediate';
  },
  validate,
  warnings,
  validateUpdate: (storageClass, old) => [
    ...validate(storageClass),
    ...FIXED.flatMap((field) => immutable(storageClass, old, field, ROOT, 'storage.v1.StorageClass')),
  ],
};
