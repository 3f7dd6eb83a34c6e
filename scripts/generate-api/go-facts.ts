import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '#lib/machinery/defined.ts';

/** Facts about a field that the published documents lack. A missing fact means that the documents are right. */
export interface GoField {
  readonly go?: string;
  readonly pointer?: boolean;
  readonly always?: boolean;
  readonly omitZero?: boolean;
}

interface TypeFacts {
  readonly typeMeta: boolean;
  readonly group: string | undefined;
  readonly order: readonly number[];
  readonly fields: ReadonlyMap<string, GoField>;
  readonly jsonNames: ReadonlyMap<string, string>;
  readonly unpublished: ReadonlySet<string>;
  readonly embedded: ReadonlySet<string>;
}

/**
 * The manually maintained tables in `lib/api/facts`. Each line has a type's name and the deviations of its fields. A field is `name:flags`
 * or `name:flags=GoType`. Flags: `*` pointer, `-` no pointer, `!` encoded when empty, `?` omitted when empty, `z` omitted when zero, `x`
 * not published, `^` an embedded struct. `name<protoName` renames. `@meta` marks an unpublished type with kind and apiVersion.
 * `@kind=group` marks a kind of that group, in the version of its name. `@order=a,b` lists the field numbers in encoding order if they do
 * not ascend.
 */
export class GoFacts {
  readonly #types = new Map<string, TypeFacts>();

  constructor(folder: string) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
      for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
        const [name = '', ...words] = line.split(' ').filter((word) => word !== '');
        if (name !== '' && !name.startsWith('#')) this.#types.set(name, parse(words));
      }
    }
  }

  field(type: string, name: string): GoField {
    return this.#types.get(type)?.fields.get(name) ?? {};
  }

  jsonName(type: string, protoName: string): string {
    return this.#types.get(type)?.jsonNames.get(protoName) ?? protoName;
  }

  unpublished(type: string, name: string): boolean {
    return this.#types.get(type)?.unpublished.has(name) ?? false;
  }

  /** Whether the documents inline the fields of this embedded struct. */
  embedded(type: string, name: string): boolean {
    return this.#types.get(type)?.embedded.has(name) ?? false;
  }

  /** Unpublished kinds: type and group. */
  kinds(): (readonly [string, string])[] {
    return [...this.#types].flatMap(([name, { group }]) => (group === undefined ? [] : [[name, group] as const]));
  }

  /** Protobuf numbers in encoding order; empty if they ascend. */
  order(type: string): readonly number[] {
    return this.#types.get(type)?.order ?? [];
  }

  hasTypeMeta(type: string): boolean {
    return this.#types.get(type)?.typeMeta ?? false;
  }
}

function parse(words: readonly string[]): TypeFacts {
  const fields = new Map<string, GoField>();
  const jsonNames = new Map<string, string>();
  const unpublished = new Set<string>();
  const embedded = new Set<string>();
  let order: number[] = [];
  let group: string | undefined;
  for (const word of words) {
    if (word.startsWith('@order=')) order = word.slice('@order='.length).split(',').map(Number);
    if (word.startsWith('@kind=')) group = word.slice('@kind='.length);
    if (word.startsWith('@')) continue;
    const rename = /^(.+)<(.+)$/.exec(word);
    const [, name = '', flags = '', go] = /^(.+?):([*\-!?zx^]*)(?:=(.+))?$/.exec(word) ?? [];
    if (rename !== null) jsonNames.set(rename[2] as string, rename[1] as string);
    else if (flags.includes('x')) unpublished.add(name);
    else if (flags.includes('^')) embedded.add(name);
    else if (name !== '') fields.set(name, fieldFacts(flags, go));
  }
  const typeMeta = group !== undefined || words.includes('@meta');
  return { fields, jsonNames, unpublished, embedded, order, group, typeMeta };
}

function fieldFacts(flags: string, go: string | undefined): GoField {
  return {
    ...defined({ go }),
    ...(flags.includes('*') ? { pointer: true } : flags.includes('-') ? { pointer: false } : {}),
    ...(flags.includes('!') ? { always: true } : flags.includes('?') ? { always: false } : {}),
    ...(flags.includes('z') ? { omitZero: true } : {}),
  };
}
