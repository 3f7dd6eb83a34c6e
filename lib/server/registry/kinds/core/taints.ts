import type { Taint } from '#lib/api/types/core.v1.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import { each } from '../shared/validate.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Upstream's validateNodeTaints: each pair of key and effect must be unique. */
export function validateTaints(taints: readonly Taint[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return each(taints, path, (taint, where) => {
    const [key, value, effect] = [taint.key, taint.value ?? '', taint.effect];
    const messages = isValidLabelValue(value);
    const pair = `${effect}/${key}`;
    const again = seen.has(pair);
    seen.add(pair);
    return [
      ...validateLabelName(key, where.child('key')),
      ...(messages.length > 0 ? [invalid(where.child('value'), value, messages.join(';'))] : []),
      ...effectErrors(effect, where.child('effect')),
      ...(again ? [{ ...duplicate(where, shown(taint)), detail: 'taints must be unique by key and effect pair' }] : []),
    ];
  });
}

function effectErrors(effect: string, path: FieldPath): FieldError[] {
  if (effect === '') return [required(path)];
  return EFFECTS.includes(effect) ? [] : [notSupported(path, effect, EFFECTS)];
}

/** The taint in the field order of Go's type. */
function shown(taint: Taint): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Key', taint.key],
    ['Value', taint.value ?? ''],
    ['Effect', taint.effect],
    ['TimeAdded', taint.timeAdded ?? null],
  ]);
}
