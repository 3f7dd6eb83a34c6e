import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';
import { camel, pascal, upperSnake } from './kind-names.ts';

/** A conversion webhook between the two versions of a definition. */
export function conversionText(name: string, plural: string): string {
  const [type, constant] = [pascal(name), upperSnake(pascal(name))];
  return `import { defineConversion } from '${PACKAGE_NAME}/webhook';
import { ${constant}, ${constant}_V1BETA1, type ${type}, type ${type}V1beta1 } from './api/${name}.ts';

/** Converts between v1beta1, which calls the number count, and v1, which is stored. */
export const ${camel(name)}Versions = defineConversion<${type}V1beta1, ${type}>(
  { name: '${name}-versions', definition: '${plural}.example.com' },
  {
    from: ${constant}_V1BETA1,
    to: ${constant},
    convertTo: ({ spec, ...rest }) => ({ ...rest, ...${constant}, spec: { size: spec.count } }),
    convertFrom: ({ spec, ...rest }) => ({ ...rest, ...${constant}_V1BETA1, spec: { count: spec.size } }),
  },
);
`;
}

/** A test of the conversion webhook. */
export function conversionTestText(name: string, plural: string): string {
  const [type, constant] = [pascal(name), upperSnake(pascal(name))];
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CUSTOM_RESOURCE_DEFINITION } from '${PACKAGE_NAME}/api';
import { eventually, readManifests, startApiserver } from '${PACKAGE_NAME}/testing';
import { ${constant}, ${constant}_V1BETA1, type ${type}V1beta1 } from './api/${name}.ts';
import { ${camel(name)}Versions } from './conversion.ts';

test('a ${type} of v1beta1 is read as v1 and as v1beta1', async () => {
  await using server = await startApiserver({ webhooks: [${camel(name)}Versions] });
  const { client } = server;
  for (const definition of await readManifests(new URL('./crds/${name}.yaml', import.meta.url)))
    await client.apply(definition);
  await eventually(async () => {
    const found = await client.get(CUSTOM_RESOURCE_DEFINITION, { namespace: '', name: '${plural}.example.com' });
    assert.equal(found?.spec.conversion?.strategy, 'Webhook');
  });
  const metadata = { namespace: 'default', name: 'mine' };
  const mine: ${type}V1beta1 = { apiVersion: 'example.com/v1beta1', kind: '${type}', metadata, spec: { count: 3 } };
  await client.create(mine);
  assert.equal((await client.get(${constant}, metadata))?.spec.size, 3);
  assert.equal((await client.get(${constant}_V1BETA1, metadata))?.spec.count, 3);
});
`;
}
