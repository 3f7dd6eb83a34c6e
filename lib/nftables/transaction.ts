import type { Remembered } from './nftables.ts';
import { EMPTY, type Chain, type NftMap, type NftSet, type Table, type TableName } from './table.ts';

/** Elements of one command: long enough to be quick, short enough for nft's parser. */
const ELEMENTS = 200;

/** The way from one state of a table to another. */
export interface Change {
  /** Commands for `nft -f`, good as one transaction; '' where nothing differs. */
  readonly commands: string;
  /** Chains that are empty from then on, and can be removed once the kernel has forgotten who led to them. */
  readonly stale: readonly string[];
}

/** Replaces the table, or makes it. The content that the kernel had in it is gone, but for the remembered keys of sets that are still there. */
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

/** Removes chains that nothing leads to. */
export const removal = ({ family, name }: TableName, chains: readonly string[]): string =>
  chains.map((chain) => `delete chain ${family} ${name} ${chain}\n`).join('');

/**
 * The commands from one state to another, as long as the difference. Undefined where a part keeps its name and gets another
 * declaration: only a replacement does that.
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
  for (const [key, set] of before.sets)
    if (!isKept(set, after.sets.get(key)))
      elementsOff(put, key, keyed(set.elements), keyed(after.sets.get(key)?.elements));
  for (const [chain] of changed) if (before.chains.has(chain)) put('flush', 'chain', chain);
  for (const [chain, { rules }] of changed) for (const rule of rules) put('add', 'rule', `${chain} ${rule}`);
  for (const [key, set] of after.sets)
    if (!isKept(before.sets.get(key), set))
      elementsOn(put, key, keyed(before.sets.get(key)?.elements), keyed(set.elements));
  for (const [key, { elements }] of after.maps) elementsOn(put, key, before.maps.get(key)?.elements, elements);
  const stale = [...before.chains.keys()].filter((chain) => !after.chains.has(chain));
  for (const chain of stale) put('flush', 'chain', chain);
  for (const map of before.maps.keys()) if (!after.maps.has(map)) put('delete', 'map', map);
  for (const set of before.sets.keys()) if (!after.sets.has(set)) put('delete', 'set', set);
  return { commands: lines.map((line) => `${line}\n`).join(''), stale };
}

type Put = (verb: string, object: string, rest: string) => void;
type Elements = ReadonlyMap<string, string> | undefined;

/** Whether a set has the very same elements: most have, and are not looked at further. */
const isKept = (before: NftSet | undefined, after: NftSet | undefined): boolean =>
  before !== undefined && before.elements === after?.elements;

/** Keys of a set as a map without values. */
const keyed = (elements: ReadonlySet<string> | undefined): Elements =>
  elements && new Map([...elements].map((key) => [key, '']));

/** A key whose value changes goes, and comes back in the same transaction. A map that goes as a whole needs no more. */
function elementsOff(put: Put, name: string, before: Elements, after: Elements): void {
  if (before === after || before === undefined || after === undefined) return;
  const off = [...before].filter(([key, value]) => after.get(key) !== value).map(([key]) => key);
  for (const part of parts(off)) put('delete', 'element', `${name} { ${part.join(', ')} }`);
}

function elementsOn(put: Put, name: string, before: Elements, after: Elements): void {
  if (before === after || after === undefined) return;
  const on = [...after].filter(([key, value]) => before?.get(key) !== value);
  const texts = on.map(([key, value]) => (value === '' ? key : `${key} : ${value}`));
  for (const part of parts(texts)) put('add', 'element', `${name} { ${part.join(', ')} }`);
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
