import { elementsOf } from '../values/list.ts';
import { keyOf } from '../values/map.ts';
import { CelError, type ListValue, Uint, type Value } from '../values/value.ts';
import { type Plan, stepOf } from './frame.ts';

/** Plans `x in [constants]` as a free lookup in a set. Undefined if an element is not a plain value. */
export function membership(argument: Plan, list: ListValue): Plan | undefined {
  if (list.size === 0) return { kind: 'constant', value: false };
  const elements = elementsOf(list);
  if (!elements.every(isPlain)) return undefined;
  const set = new Set<unknown>();
  for (const element of elements) {
    if (!Number.isNaN(element)) set.add(formOf(element));
  }
  const step = stepOf(argument);
  return {
    kind: 'call',
    read: (frame) => {
      const value = step(frame);
      return value instanceof CelError ? value : set.has(formOf(value));
    },
  };
}

function isPlain(value: Value): boolean {
  return ['string', 'boolean', 'bigint', 'number'].includes(typeof value) || value instanceof Uint;
}

function formOf(value: Value): unknown {
  return keyOf(value) ?? value;
}
