import { textsOf } from '#lib/api/descriptions/texts.ts';
import { findKind, resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { SERVED_TYPE_NAMES } from '#lib/api/types.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { importText, WIDTH } from './imports.ts';

interface Kind {
  /** The interface's name: the kind, followed by group and version if an earlier group has a kind with the same name. */
  readonly name: string;
  /** `core.v1.Pod`. */
  readonly type: string;
  readonly kind: string;
  readonly apiVersion: string;
}

/**
 * The module `@davit-dev/davit/api`. It has an interface and a constant for each built-in kind that is served. The types of their parts are
 * grouped by the usual Go package names (`corev1.Container`).
 */
export function exportedKinds(): string {
  const packages = [...new Set(SERVED_TYPE_NAMES.map(groupVersionOf))].filter((name) => name.includes('.')).sort();
  return [
    '// Written by `npm run generate`.',
    ...packages.map((file) => `import type * as ${packageName(file)} from '#lib/api/types/${file}.ts';`),
    "import type { BuiltIn, Kind } from '#lib/client/typed-client.ts';",
    '',
    "export type * from '#lib/api/types/scalars.ts';",
    "export type { ApplyConfiguration, Kind, KubernetesObject } from '#lib/client/typed-client.ts';",
    importText(packages.map(packageName), '').replace('import', 'export').replace(" from ''", ''),
    '',
    servedKinds().map(kindText).join('\n'),
  ].join('\n');
}

function servedKinds(): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const facts of servedGroupVersions().flatMap((served) => resourcesOf(served))) {
    const type = findKind(facts)?.name ?? '';
    const of = { type, kind: facts.kind, apiVersion: apiVersion(facts) };
    const isTaken = [...kinds.values()].some(({ name }) => name === facts.kind);
    if (!kinds.has(type)) kinds.set(type, { name: isTaken ? `${pascal(type)}${facts.kind}` : facts.kind, ...of });
  }
  return [...kinds.values()];
}

function kindText({ name, type, kind, apiVersion: version }: Kind): string {
  const args = [`${packageName(groupVersionOf(type))}.${kind}`, `'${version}'`, `'${kind}'`];
  const members = [`apiVersion: '${version}'`, `kind: '${kind}'`];
  return [
    `/** ${textsOf(type)[''] ?? ''} */`,
    fitting(`export type ${name} = BuiltIn<`, args, '>;'),
    `/** The kind of a ${kind} in ${version}, for clients. */`,
    fitting(`export const ${upperSnake(name)}: Kind<${name}> = {`, members, '};'),
    '',
  ].join('\n');
}

/** Formats a list on one line if it is short enough, as the formatter does. */
function fitting(head: string, parts: readonly string[], end: string): string {
  const space = head.endsWith('{') ? ' ' : '';
  const line = `${head}${space}${parts.join(', ')}${space}${end}`;
  const comma = space === '' ? '' : ',';
  return line.length <= WIDTH ? line : `${head}\n  ${parts.join(',\n  ')}${comma}\n${end}`;
}

/** Extracts `core.v1` from `core.v1.PodSpec`. */
const groupVersionOf = (type: string): string => type.slice(0, type.lastIndexOf('.'));
const packageName = (file: string): string => file.replace('.', '');

/** Converts `events.v1.Event` to `EventsV1`. */
const pascal = (type: string): string =>
  groupVersionOf(type)
    .split('.')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

const upperSnake = (name: string): string =>
  name.replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2').toUpperCase();
