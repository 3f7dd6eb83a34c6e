import { findKind, type ResourceFacts, resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { importText, WIDTH } from './imports.ts';

interface Row {
  readonly name: string;
  /** `core.v1.Pod`. */
  readonly type: string;
  /** The members of the constant. */
  readonly members: readonly string[];
}

/**
 * A constant for each served resource with the type of its objects, such as `PODS`. If several resources have the same name, the first in
 * discovery order keeps it. The names of the others include group and version.
 */
export function resourceConstants(): string {
  const rows: Row[] = [];
  const names = new Set<string>();
  for (const facts of servedGroupVersions().flatMap((version) => resourcesOf(version))) {
    const row = rowOf(facts, names);
    names.add(row.name);
    rows.push(row);
  }
  const aliases = new Map(rows.map(({ type }) => [type, aliasOf(type, rows)]));
  return [
    '// Written by `npm run generate`.',
    "import type { ResourceOf } from '#lib/machinery/schema.ts';",
    ...importsOf(aliases),
    '',
    ...rows.map((row) => constantText(row, aliases.get(row.type) ?? '')),
    '',
  ].join('\n');
}

function rowOf(facts: ResourceFacts, taken: ReadonlySet<string>): Row {
  const { group, version, resource } = facts;
  const type = findKind(facts)?.name ?? '';
  const name = constantName(facts);
  const [pkg = ''] = type.split('.');
  return {
    name: taken.has(name) ? `${pkg}${version}_${name}`.toUpperCase() : name,
    type,
    members: [`group: '${group}'`, `version: '${version}'`, `resource: '${resource}'`],
  };
}

function constantText({ name, members }: Row, type: string): string {
  const head = `export const ${name}: ResourceOf<${type}> =`;
  const line = `${head} { ${members.join(', ')} };`;
  return line.length <= WIDTH ? line : `${head} {\n${members.map((one) => `  ${one},\n`).join('')}};`;
}

/** Returns `NETWORK_POLICIES` for `NetworkPolicy` and `networkpolicies`. */
function constantName({ kind, resource }: ResourceFacts): string {
  let common = 0;
  while (common < kind.length && kind.charAt(common).toLowerCase() === resource.charAt(common)) common++;
  const words = kind.slice(0, common).replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2');
  return `${words}${resource.slice(common)}`.toUpperCase();
}

/** The type's name in the file. If two types have the same name, the second name includes group and version. */
function aliasOf(type: string, rows: readonly Row[]): string {
  const [pkg = '', version = '', kind = ''] = type.split('.');
  const first = rows.find((row) => row.type.endsWith(`.${kind}`));
  return first?.type === type ? kind : `${kind}As${pkg.charAt(0).toUpperCase()}${pkg.slice(1)}${version.toUpperCase()}`;
}

function importsOf(aliases: ReadonlyMap<string, string>): string[] {
  const files = Map.groupBy(aliases, ([type]) => type.slice(0, type.lastIndexOf('.')));
  return [...files].sort().map(([file, all]) => {
    const names = all.map(([type, alias]) => [type.slice(type.lastIndexOf('.') + 1), alias] as const).sort();
    return importText(
      names.map(([name, alias]) => (name === alias ? name : `${name} as ${alias}`)),
      `./${file}.ts`,
    );
  });
}
