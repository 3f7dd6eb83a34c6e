import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';
import { aggregatedApi } from './aggregated-api-template.ts';
import { definitionText } from './definition-text.ts';
import type { Files, TemplateOptions } from './files.ts';
import { camel, pascal, pluralOf } from './kind-names.ts';
import { operator } from './operator-template.ts';

/** A reconciler that maintains a report for each labelled config map, and a test of it. */
const reconciler = (name: string): Files => ({
  [`${name}.ts`]: `import { CONFIG_MAP, type ConfigMap } from '${PACKAGE_NAME}/api';
import { defineReconciler, setControllerReference } from '${PACKAGE_NAME}/controller';

/** Keeps a report beside every config map that has the label. */
export const ${camel(name)}Reconciler = defineReconciler<ConfigMap>(
  {
    name: '${name}',
    for: CONFIG_MAP,
    predicates: { labelSelector: '${name}=yes', changed: ['any'] },
    owns: [CONFIG_MAP],
  },
  async ({ namespace, name }, { client, object }) => {
    const found = await object();
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return undefined;
    const report: ConfigMap = {
      ...CONFIG_MAP,
      metadata: { namespace, name: \`\${name}-report\` },
      data: { keys: String(Object.keys(found.data ?? {}).length) },
    };
    await client.apply(setControllerReference(found, report));
    return undefined;
  },
);
`,
  [`${name}.test.ts`]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_MAP, type ConfigMap } from '${PACKAGE_NAME}/api';
import { eventually, startApiserver } from '${PACKAGE_NAME}/testing';
import { ${camel(name)}Reconciler } from './${name}.ts';

test('a config map with the label gets a report', async () => {
  await using server = await startApiserver({ reconcilers: [${camel(name)}Reconciler] });
  const metadata = { namespace: 'default', name: 'mine', labels: { '${name}': 'yes' } };
  await server.client.create<ConfigMap>({ ...CONFIG_MAP, metadata, data: { a: '1', b: '2' } });
  await eventually(async () => {
    const report = await server.client.get(CONFIG_MAP, { namespace: 'default', name: 'mine-report' });
    assert.equal(report?.data?.keys, '2');
  });
});
`,
});

/** A mutating and a validating webhook for config maps, and a test of them. */
const webhook = (name: string): Files => ({
  [`${name}.ts`]: `import type { ConfigMap } from '${PACKAGE_NAME}/api';
import { defineMutating, defineValidating, denied } from '${PACKAGE_NAME}/webhook';

const about = {
  rules: [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
  objectSelector: { matchLabels: { '${name}': 'yes' } },
};

/** Fills in what is not said. */
export const ${camel(name)}Defaults = defineMutating<ConfigMap>({ name: '${name}-defaults', ...about }, (map) => ({
  ...map,
  data: { colour: 'blue', ...map.data },
}));

/** Refuses what must not be. */
export const ${camel(name)}Rules = defineValidating<ConfigMap>({ name: '${name}-rules', ...about }, ({ data }) => {
  if (data?.['colour'] === 'red') throw denied('red is not for config maps');
});
`,
  [`${name}.test.ts`]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_MAP, type ConfigMap } from '${PACKAGE_NAME}/api';
import { startApiserver } from '${PACKAGE_NAME}/testing';
import { ${camel(name)}Defaults, ${camel(name)}Rules } from './${name}.ts';

test('a config map with the label is filled in, and judged', async () => {
  await using server = await startApiserver({ webhooks: [${camel(name)}Defaults, ${camel(name)}Rules] });
  const make = (name: string, data: Record<string, string>) =>
    server.client.create<ConfigMap>({
      ...CONFIG_MAP,
      metadata: { namespace: 'default', name, labels: { '${name}': 'yes' } },
      data,
    });
  assert.deepEqual((await make('one', { size: '1' })).data, { colour: 'blue', size: '1' });
  await assert.rejects(make('two', { colour: 'red' }), /red is not for config maps/);
});
`,
});

/** A definition and a test of it. */
const crd = (name: string, { plural = pluralOf(name) }: TemplateOptions): Files => {
  const kind = pascal(name);
  return {
    [`${name}.crd.yaml`]: definitionText(name, plural),
    [`${name}.test.ts`]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, readManifests, startApiserver } from '${PACKAGE_NAME}/testing';

test('a ${kind} is defaulted, and a size that is none refused', async () => {
  await using server = await startApiserver();
  for (const object of await readManifests(new URL('./${name}.crd.yaml', import.meta.url)))
    await server.client.create(object);
  const one = { apiVersion: 'example.com/v1', kind: '${kind}', metadata: { namespace: 'default', name: 'one' } };
  const made = await eventually(() => server.client.create({ ...one, spec: {} }));
  assert.deepEqual(made.spec, { size: 1 });
  const none = { ...one, metadata: { ...one.metadata, name: 'none' }, spec: { size: 0 } };
  await assert.rejects(server.client.create(none), /spec.size/);
});
`,
  };
};

/** The templates, by name. */
export const TEMPLATES: Readonly<
  Record<
    'operator' | 'reconciler' | 'webhook' | 'crd' | 'aggregated-api',
    (name: string, options: TemplateOptions) => Files
  >
> = {
  operator,
  reconciler,
  webhook,
  crd,
  'aggregated-api': aggregatedApi,
};
