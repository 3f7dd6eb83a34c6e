import { EMPTY_TABLE, TABLE, type NftChain, type NftSet, type NftTable } from './table.ts';

/** The most elements in a line. */
const CHUNK = 256;
const object = (kind: string, name: string): string => `${kind} inet ${TABLE} ${name}`;

/** The text for `nft -f -` that makes the table anew, whatever is there: one transaction. */
export const replaceTable = (table: NftTable): string =>
  [
    `add table inet ${TABLE}`,
    `delete table inet ${TABLE}`,
    `add table inet ${TABLE}`,
    changeTable(EMPTY_TABLE, table),
  ].join('\n');

/**
 * The text for `nft -f -` that turns one table into another: one transaction, as long as what differs. Empty where
 * nothing does. A set that changes its type has to change its name.
 */
export function changeTable(before: NftTable, after: NftTable): string {
  const made = [...after.sets].filter(([name]) => !before.sets.has(name));
  const lines = [
    ...made.map(([name, set]) => `add ${object(set.kind, name)} { ${declaration(set)} }`),
    ...[...after.chains].flatMap(([name, chain]) => (before.chains.has(name) ? [] : addChain(name, chain))),
    // Verdicts that change go first: an element has one.
    ...[...after.sets].flatMap(([name, set]) => setChanges(name, before.sets.get(name), set)),
    ...[...after.chains].flatMap(([name, chain]) => ruleChanges(name, before.chains.get(name), chain)),
  ];
  const goneChains = [...before.chains.keys()].filter((name) => !after.chains.has(name));
  const goneSets = [...before.sets].filter(([name]) => !after.sets.has(name));
  // A chain is deleted when no rule or element names it, a set when no rule does.
  lines.push(
    ...goneChains.map((name) => `flush ${object('chain', name)}`),
    ...goneSets.map(([name, { kind }]) => `delete ${object(kind, name)}`),
    ...goneChains.map((name) => `delete ${object('chain', name)}`),
  );
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const declaration = ({ type, flags }: NftSet): string =>
  `type ${type};${flags === undefined ? '' : ` flags ${flags};`}`;

const addChain = (name: string, { hook }: NftChain): string[] => [
  `add ${object('chain', name)}${hook === undefined ? '' : ` { ${hook} }`}`,
];

function setChanges(name: string, before: NftSet | undefined, after: NftSet): string[] {
  const old = before?.elements ?? new Map<string, string>();
  if (old === after.elements) return [];
  const gone = [...old].filter(([key, verdict]) => after.elements.get(key) !== verdict);
  const come = [...after.elements].filter(([key, verdict]) => old.get(key) !== verdict);
  return [
    ...elementLines(
      'delete',
      name,
      gone.map(([key]) => key),
    ),
    ...elementLines(
      'add',
      name,
      come.map(([key, verdict]) => (verdict === '' ? key : `${key} : ${verdict}`)),
    ),
  ];
}

function elementLines(verb: 'add' | 'delete', name: string, elements: readonly string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < elements.length; at += CHUNK)
    lines.push(`${verb} ${object('element', name)} { ${elements.slice(at, at + CHUNK).join(', ')} }`);
  return lines;
}

function ruleChanges(name: string, before: NftChain | undefined, { rules }: NftChain): string[] {
  const old = before?.rules ?? [];
  if (old.length === rules.length && old.every((rule, i) => rule === rules[i])) return [];
  return [
    ...(old.length > 0 ? [`flush ${object('chain', name)}`] : []),
    ...rules.map((rule) => `add ${object('rule', name)} ${rule}`),
  ];
}
