import type { JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text, texts } from '#lib/machinery/unstructured.ts';
import { FieldPath, duplicate, notSupported, required, type FieldError } from '#lib/machinery/validation/field.ts';
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

function validate(storageClass: JsonObject): FieldError[] {
  const policy = text(storageClass, 'reclaimPolicy');
  const supported = policy === '' || RECLAIM.includes(policy);
  return [
    ...validateProvisioner(text(storageClass, 'provisioner'), FieldPath.of('provisioner')),
    ...validateParameters(storageClass, true),
    ...(supported ? [] : [notSupported('reclaimPolicy', policy, RECLAIM)]),
    ...bindingMode(storageClass),
    ...allowedTopologies(items(storageClass, 'allowedTopologies')),
  ];
}

function bindingMode(storageClass: JsonObject): FieldError[] {
  const mode = text(storageClass, 'volumeBindingMode');
  if (!has(storageClass, 'volumeBindingMode')) return [required('volumeBindingMode')];
  return BINDING.includes(mode) ? [] : [notSupported('volumeBindingMode', mode, BINDING)];
}

/**
 * Two terms may not say the same; the order of keys and values does not count. Upstream compares with as many empty terms as
 * there are terms, too, so that an empty one is always a repetition.
 */
function allowedTopologies(terms: readonly JsonObject[]): FieldError[] {
  const said = terms.map(() => '[]');
  return each(terms, TOPOLOGIES, (term, path) => {
    const where = path.child('matchLabelExpressions');
    const expressions = items(term, 'matchLabelExpressions');
    const says = meaningOf(expressions);
    const again = said.filter((one) => one === says).map(() => duplicate(where, ''));
    said.push(says);
    return [...expressionErrors(expressions, where), ...again];
  });
}

/** The last expression of a key counts. */
function meaningOf(expressions: readonly JsonObject[]): string {
  const values = new Map(expressions.map((one) => [text(one, 'key'), [...new Set(texts(one, 'values'))].sort()]));
  return JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function expressionErrors(expressions: readonly JsonObject[], path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return each(expressions, path, (expression, where) => {
    const [key, values] = [text(expression, 'key'), texts(expression, 'values')];
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
const warnings = (storageClass: JsonObject): string[] =>
  items(storageClass, 'allowedTopologies').flatMap((term, i) =>
    items(term, 'matchLabelExpressions').flatMap((expression, j) => {
      const path = TOPOLOGIES.index(i).child('matchLabelExpressions').index(j).child('key');
      const message = REPLACED_NODE_LABELS.get(text(expression, 'key'));
      return message === undefined ? [] : [`${path}: ${message}`];
    }),
  );

const FIXED = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'];

/** Upstream's pkg/registry/storage/storageclass. */
export const storageClassStrategy: KindStrategy = {
  default(storageClass) {
    storageClass['reclaimPolicy'] ??= 'Delete';
    storageClass['volumeBindingMode'] ??= 'Immediate';
  },
  validate,
  warnings,
  validateUpdate: (storageClass, old) => [
    ...validate(storageClass),
    ...FIXED.flatMap((field) => immutable(storageClass, old, field, ROOT, 'storage.v1.StorageClass')),
  ],
};
