import { parse } from 'yaml';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';
import { conversionTestText, conversionText } from './conversion-template.ts';
import { definitionText } from './definition-text.ts';
import type { Files, TemplateOptions } from './files.ts';
import { camel, pascal, pluralOf, upperSnake } from './kind-names.ts';
import { typesOf, withImports } from './type-text.ts';

/**
 * A definition, its types, a reconciler, a webhook for its objects, and a test of all of them. `conversion` adds a webhook that converts
 * between two versions.
 */
export function operator(name: string, { plural = pluralOf(name), conversion = false }: TemplateOptions): Files {
  const definition = definitionText(name, plural, conversion);
  return {
    [`crds/${name}.yaml`]: definition,
    [`api/${name}.ts`]: withImports(typesOf(parse(definition) as JsonObject)),
    'reconciler.ts': reconcilerText(name),
    'webhook.ts': webhookText(name, plural),
    [`${name}.test.ts`]: testText(name),
    ...(conversion
      ? { 'conversion.ts': conversionText(name, plural), 'conversion.test.ts': conversionTestText(name, plural) }
      : {}),
  };
}

const reconcilerText = (name: string): string => `import { CONFIG_MAP, type ConfigMap } from '${PACKAGE_NAME}/api';
import { defineReconciler, setCondition, setControllerReference } from '${PACKAGE_NAME}/controller';
import { ${upperSnake(pascal(name))}, type ${pascal(name)} } from './api/${name}.ts';

/** Keeps a config map with the size of every ${pascal(name)}, and says in its status that it is there. */
export const ${camel(name)}Reconciler = defineReconciler<${pascal(name)}>(
  { name: '${name}', for: ${upperSnake(pascal(name))}, owns: [CONFIG_MAP] },
  async ({ namespace, name }, { client, object, clock }) => {
    const found = await object();
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return undefined;
    const data = { size: String(found.spec.size) };
    const wanted: ConfigMap = { ...CONFIG_MAP, metadata: { namespace, name }, data };
    await client.apply(setControllerReference(found, wanted));
    const before = found.status?.conditions;
    const { generation = 0 } = found.metadata;
    const ready = { type: 'Ready', status: 'True', reason: 'Applied', message: '', observedGeneration: generation } as const;
    const conditions = setCondition(before, ready, clock.now());
    if (conditions !== before) await client.patchStatus(${upperSnake(pascal(name))}, { namespace, name }, { conditions });
    return undefined;
  },
);
`;

const webhookText = (
  name: string,
  plural: string,
): string => `import { defineValidating, denied } from '${PACKAGE_NAME}/webhook';
import type { ${pascal(name)} } from './api/${name}.ts';

const rules = [
  { operations: ['UPDATE' as const], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['${plural}'] },
];

/** Refuses to make a ${pascal(name)} smaller. */
export const ${camel(name)}Rules = defineValidating<${pascal(name)}>({ name: '${name}-rules', rules }, ({ spec }, { request }) => {
  const before = request.oldObject?.spec.size ?? 1;
  if (spec.size < before) throw denied(\`spec.size cannot become smaller: it is \${before}\`);
});
`;

const testText = (name: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_MAP } from '${PACKAGE_NAME}/api';
import { eventually, readManifests, startApiserver } from '${PACKAGE_NAME}/testing';
import { ${upperSnake(pascal(name))}, type ${pascal(name)} } from './api/${name}.ts';
import { ${camel(name)}Reconciler } from './reconciler.ts';
import { ${camel(name)}Rules } from './webhook.ts';

test('a ${pascal(name)} gets its config map, says so, and is not made smaller', async () => {
  const [reconcilers, webhooks] = [[${camel(name)}Reconciler], [${camel(name)}Rules]];
  await using server = await startApiserver({ reconcilers, webhooks });
  const { client } = server;
  for (const definition of await readManifests(new URL('./crds/${name}.yaml', import.meta.url)))
    await client.apply(definition);
  const metadata = { namespace: 'default', name: 'mine' };
  const mine: ${pascal(name)} = { apiVersion: 'example.com/v1', kind: '${pascal(name)}', metadata, spec: { size: 3 } };
  await eventually(() => client.create(mine));
  await eventually(async () => {
    assert.equal((await client.get(CONFIG_MAP, metadata))?.data?.['size'], '3');
    const conditions = (await client.get(${upperSnake(pascal(name))}, metadata))?.status?.conditions;
    assert.equal(conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
  });
  await assert.rejects(client.patch(${upperSnake(pascal(name))}, metadata, { spec: { size: 2 } }), /cannot become smaller/);
});
`;
