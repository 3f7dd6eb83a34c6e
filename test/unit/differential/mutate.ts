import { isObject, type Json } from '#lib/machinery/json-value.ts';
import type { Draw } from './draw.ts';

/** Values that may be invalid at their position: types, bounds, formats, names. */
const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  65_536,
  2_147_483_648,
  1.5,
  '',
  'x',
  'X_',
  'a.b',
  'a/b',
  '-a',
  'a-',
  '1',
  '25%',
  '101%',
  '100m',
  '1Gi',
  '-1',
  '1e3',
  '10.0.0.1',
  '10.0.0.1/33',
  '2001:db8::1',
  'http',
  'Never',
  'Always',
  '2026-01-02T03:04:05Z',
  'a'.repeat(64),
  'a'.repeat(254),
  [],
  [''],
  ['a', 'a'],
  {},
  { a: 'b' },
  { '': 'b' },
];
const NAMES = ['a', '', 'A b', 'kubernetes.io/x', 'x/y/z', 'name', 'spec', 'unknownField', '__proto__', 'app'];

type Path = readonly (string | number)[];

/** The path of every part of a value, except the value itself. */
function places(value: Json, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => [[...path, i], ...places(item, [...path, i])]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => [[...path, name], ...places(part, [...path, name])]);
}

function holderOf(root: Json, path: Path): Record<string | number, Json> {
  return path
    .slice(0, -1)
    .reduce<Json>((at, step) => (at as Record<string | number, Json>)[step] as Json, root) as never;
}

type Fault = (draw: Draw, holder: Record<string | number, Json>, key: string | number, root: Json) => void;

const FAULTS: readonly Fault[] = [
  (draw, holder, key) => void (holder[key] = structuredClone(draw.pick(VALUES))),
  (draw, holder, key) => void (holder[key] = structuredClone(draw.pick(VALUES))),
  (_, holder, key) => (Array.isArray(holder) ? void holder.splice(Number(key), 1) : void delete holder[key]),
  // A repeated item, the usual fault in lists with keys.
  (_, holder, key) => void (Array.isArray(holder) && holder.push(structuredClone(holder[Number(key)] as Json))),
  (draw, holder, key) => {
    const value = holder[key];
    if (isObject(value)) value[draw.pick(NAMES)] = structuredClone(draw.pick(VALUES));
  },
  // A value from elsewhere in the object, which is valid there but may be invalid here.
  (draw, holder, key, root) => {
    const from = draw.pick(places(root));
    holder[key] = structuredClone(holderOf(root, from)[from.at(-1) as string] as Json);
  },
  (draw, holder, key) => {
    const value = holder[key];
    if (typeof value === 'string')
      holder[key] = draw.pick([value.toUpperCase(), `${value}_`, ` ${value}`, value.slice(1), `${value}é`]);
    if (typeof value === 'number') holder[key] = draw.pick([-value, value + 1, value * 1_000_000, String(value)]);
  },
];

/** A copy with this many faults. Kind and version stay unchanged, because another suite tests those. */
export function mutated<T extends Json>(draw: Draw, object: T, faults: number): T {
  const root = structuredClone(object);
  for (let i = 0; i < faults; i += 1) {
    const all = places(root).filter(([first]) => first !== 'apiVersion' && first !== 'kind');
    if (all.length === 0) return root;
    const path = draw.pick(all);
    draw.pick(FAULTS)(draw, holderOf(root, path), path.at(-1) as string, root);
  }
  return root;
}
