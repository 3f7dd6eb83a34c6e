import type { Remembered } from './nftables.ts';
import { type Chain, EMPTY, type NftMap, type NftSet, type Table, type TableName } from './table.ts';

/** The number of elements in one command: enough to be fast, few enough for nft's parser. */
const ELEMENTS = 200;

/** The change from one state of a table to another. */
export interface Change {
  /** Commands for one transaction of `nft -f`. '' without a difference. */
  readonly commands: string;
  /** Chains that the change empties. They can be removed once the kernel has forgotten the references to them. */
  readonly stale: readonly string[];
}

/** Replaces or creates the table. The previous content is lost, except the remembered keys of sets that still exist. */
export function replacement(table: TableName, after: Table, remembered: Remembered = new Map()): string {
  const { family, name } = table;
  const whole = `${family} ${name}`;
  const lines = [`add table ${whole}`, `delete table ${whole}`, `add table ${whole}`];
  return `${lines.join('\n')}\n${between(table, EMPTY, after).commands}${reminders(table, after, remembered)}`;
}

/** The remembered keys of the sets that the kernel fills. */
function reminders({ family, name }: TableName, after: Table, remembered: Remembered): string {
  const lines = [...remembered].flatMap(([set, elements]) =>
    after.sets.get(set)?.flags?.includes('timeout') === true
      ? [...parts(elements)].map((part) => `add element ${family} ${name} ${set} { ${part.join(', ')} }\n`)
      : [],
  );
  return lines.join('');
}

/** Removes chains without references. */
export const removal = ({ family, name }: TableName, chains: readonly string[]): string =>
  chains.map((chain) => `delete chain ${family} ${name} ${chain}\n`).join('');

/**
 * The commands from one state to another, proportional to the difference. Undefined if a part keeps its name but changes its declaration,
 * which requires a replacement.
 */
export function change(table: TableName, before: Table, after: Table): Change | undefined {
  const isOther =
    differs(before.chains, after.chains, (one) => one.hook) ||
    differs(before.sets, after.sets, setDeclaration) ||
    differs(before.maps, after.maps, mapDeclaration);
  return isOther ? undefined : between(table, before, after);
}

function between({ family, name }: TableName, before: Table, after: Table): Change {
  const lines: string[] = [];
  const put = (verb: string, object: string, rest: string): void => {
    lines.push(`${verb} ${object} ${family} ${name} ${rest}`);
  };
  for (const [set, declared] of after.sets) if (!before.sets.has(set)) put('add', 'set', `${set} ${setBody(declared)}`);
  const changed = [...after.chains].filter(([chain, { rules }]) => !isSame(before.chains.get(chain)?.rules, rules));
  for (const [chain, { hook }] of changed)
    if (!before.chains.has(chain)) put('add', 'chain', `${chain}${hookBody(hook)}`);
  for (const [map, declared] of after.maps) if (!before.maps.has(map)) put('add', 'map', `${map} ${mapBody(declared)}`);
  for (const [key, { elements }] of before.maps) elementsOff(put, key, elements, after.maps.get(key)?.elements);
  for (const [key, { elements }] of before.sets)
    if (after.sets.has(key)) putElements(put, 'delete', key, lacking(elements, after.sets.get(key)?.elements));
  for (const [chain] of changed) if (before.chains.has(chain)) put('flush', 'chain', chain);
  for (const [chain, { rules }] of changed) for (const rule of rules) put('add', 'rule', `${chain} ${rule}`);
  for (const [key, { elements }] of after.sets)
    putElements(put, 'add', key, lacking(elements, before.sets.get(key)?.elements));
  for (const [key, { elements }] of after.maps) elementsOn(put, key, before.maps.get(key)?.elements, elements);
  const stale = [...before.chains.keys()].filter((chain) => !after.chains.has(chain));
  for (const chain of stale) put('flush', 'chain', chain);
  for (const map of before.maps.keys()) if (!after.maps.has(map)) put('delete', 'map', map);
  for (const set of before.sets.keys()) if (!after.sets.has(set)) put('delete', 'set', set);
  return { commands: lines.map((line) => `${line}\n`).join(''), stale };
}

type Put = (verb: string, object: string, rest: string) => void;
type Elements = ReadonlyMap<string, string> | undefined;

/** The elements of a set that another set lacks. Most sets are the same object and need no comparison. */
function lacking(all: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): string[] {
  if (all === other) return [];
  const found: string[] = [];
  for (const element of all) if (!other.has(element)) found.push(element);
  return found;
}

function putElements(put: Put, verb: 'add' | 'delete', name: string, elements: readonly string[]): void {
  for (const part of parts(elements)) put(verb, 'element', `${name} { ${part.join(', ')} }`);
}

/** Deletes keys whose values change, which are added again in the same transaction. A map that is deleted as a whole needs no such step. */
function elementsOff(put: Put, name: string, before: Elements, after: Elements): void {
  if (before === after || before === undefined || after === undefined) return;
  const off = [...before].filter(([key, value]) => after.get(key) !== value).map(([key]) => key);
  putElements(put, 'delete', name, off);
}

function elementsOn(put: Put, name: string, before: Elements, after: Elements): void {
  if (before === after || after === undefined) return;
  const on = [...after].filter(([key, value]) => before?.get(key) !== value);
  const texts = on.map(([key, value]) => `${key} : ${value}`);
  putElements(put, 'add', name, texts);
}

function* parts(all: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < all.length; from += ELEMENTS) yield all.slice(from, from + ELEMENTS);
}

const isSame = (one: readonly string[] | undefined, other: readonly string[]): boolean =>
  one === other || (one !== undefined && one.length === other.length && one.every((rule, i) => rule === other[i]));

function differs<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  declaration: (part: T) => unknown,
): boolean {
  for (const [name, part] of after) {
    const known = before.get(name);
    if (known === undefined || known === part) continue;
    if (JSON.stringify(declaration(known)) !== JSON.stringify(declaration(part))) return true;
  }
  return false;
}

const setDeclaration = ({ type, flags, timeout }: NftSet): unknown => [type, flags, timeout];
const mapDeclaration = ({ type, flags }: NftMap): unknown => [type, flags];

const hookBody = (hook: Chain['hook']): string =>
  hook === undefined ? '' : ` { type ${hook.type} hook ${hook.hook} priority ${hook.priority} ; }`;

const mapBody = ({ type, flags }: NftMap): string => `{ type ${type} ;${flagsText(flags)} }`;

const setBody = ({ type, flags, timeout }: NftSet): string =>
  `{ type ${type} ;${flagsText(flags)}${timeout === undefined ? '' : ` timeout ${timeout}s ;`} }`;

const flagsText = (flags: readonly string[] | undefined): string =>
  flags === undefined || flags.length === 0 ? '' : ` flags ${flags.join(', ')} ;`;
