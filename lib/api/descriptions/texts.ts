import { schemaName } from '../openapi/names.ts';
import meta from './meta.v1.json' with { type: 'json' };

/** What a type means (under the empty name) and what its fields mean. */
export type TypeTexts = Readonly<Record<string, string>>;

/** By short type name: `meta.v1.ObjectMeta`. */
export const TEXTS: Readonly<Record<string, TypeTexts>> = { ...meta };

const byFullName = new Map(Object.entries(TEXTS).map(([type, texts]) => [schemaName(type), texts]));

/** The texts of a type by the name that documents have for it. */
export const typeTexts = (name: string): TypeTexts | undefined => byFullName.get(name);

/** What query and path parameters mean, by name. */
export const PARAMETERS: TypeTexts = {
  ...meta['meta.v1.ListOptions'],
  ...meta['meta.v1.DeleteOptions'],
  ...meta['meta.v1.PatchOptions'],
  name: 'The name of the object.',
  namespace: 'The namespace of the object.',
  path: 'The path to pass on.',
  pretty: 'With "true", JSON is indented for people to read.',
};
