import { decodeTyped } from '#lib/api/codec/decode.ts';
import { findResource } from '#lib/api/kinds.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind, GroupVersionResource, ResourceOf } from '#lib/machinery/schema.ts';
import { errorText, type FieldError } from '#lib/machinery/validation/field.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import type { KindStrategy } from '../../strategy.ts';
import { STRATEGIES } from '../strategies.ts';

/** The user and time of every test. */
export const CONTEXT = aRequestContext(
  {},
  { user: { name: 'alice', groups: ['devs'], uid: 'u1' }, now: new Date('2026-01-02T03:04:05Z') },
);

const texts = (errors: readonly FieldError[]): string[] => errors.map(errorText);

const strategyFor = ({ group, resource }: GroupVersionResource): KindStrategy =>
  STRATEGIES[`${group}/${resource}`] ?? {};

/** The storage kind of a resource, which strategies see. */
function hubOf(resource: GroupVersionResource): GroupVersionKind {
  const hub = findResource(resource)?.storage;
  if (hub === undefined) throw new TypeError(`${resource.resource} is not stored`);
  return hub;
}

const decoded = (resource: GroupVersionResource, object: JsonObject): JsonObject =>
  decodeTyped(hubOf(resource), object).object;

/** The object as a create would store it, without the constant defaults of the generated table. */
export function created<T extends JsonObject>(resource: ResourceOf<T>, object: JsonObject): T {
  const strategy = strategyFor(resource);
  const copy = decoded(resource, object);
  strategy.default?.(copy);
  strategy.prepareForCreate?.(copy, CONTEXT);
  return typedObject(resource, copy);
}

/** The errors of a create as text. */
export const refusals = (resource: GroupVersionResource, object: JsonObject): string[] =>
  texts(strategyFor(resource).validate?.(created(resource, object)) ?? []);

/** The object as an update of `old` would store it. */
export function updated<T extends JsonObject>(
  resource: ResourceOf<T>,
  object: JsonObject,
  old: JsonObject,
  subresource = '',
): T {
  const strategy = strategyFor(resource);
  const copy = decoded(resource, object);
  const chosen = subresource === '' ? strategy : strategy.subresources?.[subresource];
  strategy.default?.(copy);
  chosen?.prepareForUpdate?.(copy, decoded(resource, old), CONTEXT);
  return typedObject(resource, copy);
}

/** The errors, as text, of an update of an object created as `before`. */
export function updateRefusals(
  resource: GroupVersionResource,
  object: JsonObject,
  before: JsonObject,
  subresource = '',
): string[] {
  const strategy = strategyFor(resource);
  const old = created(resource, before);
  const chosen = subresource === '' ? strategy : strategy.subresources?.[subresource];
  return texts(chosen?.validateUpdate?.(updated(resource, object, old, subresource), old) ?? []);
}
