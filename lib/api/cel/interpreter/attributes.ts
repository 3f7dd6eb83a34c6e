import { CelError, Optional, type Result, type Value } from '../values/value.ts';
import { attribute, type Frame, type Plan, readOf, type Step, stepOf } from './frame.ts';
import { isPresent, qualify, qualifyOptional } from './qualify.ts';

/** Any other node becomes an attribute when a field of it is selected. */
function target(operand: Plan): { read: Step; conditional: boolean } {
  const conditional = operand.kind === 'attribute' && operand.conditional;
  return { read: operand.kind === 'attribute' ? operand.read : stepOf(operand), conditional };
}

/** `operand.field`, `operand[constant]` and their optional forms. The step costs one. */
export function select(operand: Plan, key: Value, optional: boolean): Plan {
  const { read, conditional } = target(operand);
  const apply = optional ? qualifyOptional : qualify;
  return attribute((frame) => {
    const object = read(frame);
    if (object instanceof CelError) return object;
    return charged(frame, object, apply(object, key), optional);
  }, conditional);
}

/** `operand[index]`. If the index is itself an attribute, its own charge is omitted. */
export function index(operand: Plan, key: Plan, optional: boolean): Plan {
  if (key.kind === 'constant') return select(operand, key.value, optional);
  const { read, conditional } = target(operand);
  const readKey = readOf(key);
  const apply = optional ? qualifyOptional : qualify;
  return attribute((frame) => {
    const object = read(frame);
    if (object instanceof CelError) return object;
    if (object === Optional.none) return object;
    const at = readKey(frame);
    const result = at instanceof CelError ? at : apply(object, at);
    return charged(frame, object, result, optional);
  }, conditional);
}

/** Charges for a step, unless it finds no value and the result is optional. */
function charged(frame: Frame, object: Value, result: Result, optional: boolean): Result {
  const absent = result === Optional.none && (optional || object instanceof Optional);
  if (!absent) frame.charge(1);
  return result;
}

/** `has(operand.field)`. Only the last step costs one. The attribute itself is free. */
export function presence(operand: Plan, field: string): Plan {
  const { read, conditional } = target(operand);
  return {
    kind: 'call',
    read: (frame) => {
      const object = read(frame);
      if (object instanceof CelError) return object;
      const result = isPresent(object, field);
      frame.charge(conditional ? 0 : 1);
      return result;
    },
  };
}
