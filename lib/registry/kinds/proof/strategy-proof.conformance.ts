import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { errorText, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy, StrategyContext } from '../../strategy.ts';

/** Who proves a strategy, and when. */
export const CONTEXT: StrategyContext = {
  namespace: 'default',
  user: 'alice',
  requester: { name: 'alice', groups: ['devs'], uid: 'u1' },
  now: new Date('2026-01-02T03:04:05Z'),
};

const texts = (errors: readonly FieldError[]): string[] => errors.map(errorText);

/** The object as a create would store it. */
export function created(strategy: KindStrategy, object: JsonObject): JsonObject {
  const copy = clone(object);
  strategy.default?.(copy);
  strategy.prepareForCreate?.(copy, CONTEXT);
  return copy;
}

/** What a create is refused for. */
export const refusals = (strategy: KindStrategy, object: JsonObject): string[] =>
  texts(strategy.validate?.(created(strategy, object)) ?? []);

/** The object as an update of `old` would store it. */
export function updated(strategy: KindStrategy, object: JsonObject, old: JsonObject, subresource = ''): JsonObject {
  const copy = clone(object);
  const chosen = subresource === '' ? strategy : strategy.subresources?.[subresource];
  strategy.default?.(copy);
  chosen?.prepareForUpdate?.(copy, old, CONTEXT);
  return copy;
}

/** What an update of an object that was created as `before` is refused for. */
export function updateRefusals(
  strategy: KindStrategy,
  object: JsonObject,
  before: JsonObject,
  subresource = '',
): string[] {
  const old = created(strategy, before);
  const chosen = subresource === '' ? strategy : strategy.subresources?.[subresource];
  return texts(chosen?.validateUpdate?.(updated(strategy, object, old, subresource), old) ?? []);
}
