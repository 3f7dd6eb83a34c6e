import { expect, test } from 'vitest';
import { typedSchema } from './kind-schema.ts';
import type { TypedSchema } from './schema.ts';

/** Returns the type at a path of fields and, for `*`, of items or values. */
function at(kind: string, group: string, ...path: string[]): TypedSchema | undefined {
  let type: TypedSchema | undefined = typedSchema({ group, version: 'v1', kind });
  for (const name of path)
    type = name === '*' ? (type?.list?.items ?? type?.map?.values) : type?.map?.fields.get(name)?.type;
  return type;
}

test.each<[string, TypedSchema | undefined, readonly string[]]>([
  ['a text', at('Service', '', 'spec', 'clusterIP'), ['string']],
  ['a number', at('Service', '', 'spec', 'ports', '*', 'port'), ['numeric']],
  ['a time', at('Service', '', 'metadata', 'creationTimestamp'), ['untyped']],
  ['a quantity', at('ResourceQuota', '', 'spec', 'hard', '*'), ['untyped']],
  [
    'what is published without a type',
    at('Service', '', 'spec', 'ports', '*', 'targetPort'),
    ['untyped', 'list', 'map'],
  ],
  ['raw JSON', at('ControllerRevision', 'apps', 'data'), ['untyped', 'list', 'map']],
])('allows these forms for %s', (_, type, forms) => {
  const takes = [type?.scalar, type?.list && 'list', type?.map && 'map'].filter((form) => form !== undefined);
  expect(takes).toEqual(forms);
});
