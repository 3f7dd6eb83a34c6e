import type { Quantity } from '#lib/api/types/scalars.ts';
import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
import {
  canonicalQuantity,
  compareQuantities,
  differenceOfQuantities,
  signOf,
  sumOfQuantities,
} from '#lib/machinery/resource/quantities.ts';
import { entries } from '#lib/machinery/unstructured.ts';

/** Quantities by resource name: upstream's ResourceList. */
export type Usage = ReadonlyMap<string, string>;

/** An empty usage. */
export const NOTHING: Usage = new Map();

/** A resource list, sorted by name. */
export const usageOf = (list: Readonly<Record<string, Quantity>> | undefined): Usage =>
  new Map(Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The resource list at `field`. */
export const usageAt = (object: JsonObject | undefined, field: string): Usage => new Map(entries(object, field));

/** Converts a usage to a resource list as stored in objects: sorted by name, with canonical quantities. */
export function asObject(usage: Usage): Record<string, Quantity> {
  const object: Record<string, Quantity> = {};
  for (const [name, value] of [...usage].sort(([a], [b]) => (a < b ? -1 : 1)))
    setField(object, name, canonicalQuantity(value));
  return object;
}

/** Adds two usages. */
export function sum(a: Usage, b: Usage): Usage {
  const total = new Map(a);
  for (const [name, value] of b)
    total.set(name, total.has(name) ? sumOfQuantities(total.get(name) ?? '0', value) : value);
  return total;
}

/** `a` minus `b`, never below zero. */
export function increase(a: Usage, b: Usage): Usage {
  const names = new Set([...a.keys(), ...b.keys()]);
  return new Map(
    [...names].map((name) => {
      const more = differenceOfQuantities(a.get(name) ?? '0', b.get(name) ?? '0');
      return [name, signOf(more) > 0 ? more : '0'];
    }),
  );
}

/** The entries of a usage with these names. */
export function mask(usage: Usage, names: Iterable<string>): Usage {
  const wanted = new Set(names);
  return new Map([...usage].filter(([name]) => wanted.has(name)));
}

/** The entries of a usage that are not zero. */
export const withoutZeros = (usage: Usage): Usage => new Map([...usage].filter(([, value]) => signOf(value) !== 0));

/** The names of resources whose usage is above their limit. */
export const exceeding = (usage: Usage, hard: Usage): string[] =>
  [...hard].filter(([name, limit]) => compareQuantities(usage.get(name) ?? '-1', limit) > 0).map(([name]) => name);

/** Whether both have the same names and equal quantities: `1` equals `1000m`. */
export const sameUsage = (a: Usage, b: Usage): boolean =>
  a.size === b.size &&
  [...a].every(([name, value]) => b.has(name) && compareQuantities(b.get(name) ?? '0', value) === 0);

/** Formats a usage as in rejection messages: `cpu=1,pods=2`. */
export const usageText = (usage: Usage): string =>
  [...usage]
    .map(([name, value]) => `${name}=${canonicalQuantity(value)}`)
    .sort((a, b) => (a.slice(0, a.indexOf('=')) < b.slice(0, b.indexOf('=')) ? -1 : 1))
    .join(',');
