import { guessResource } from '#lib/client/guess-resource.ts';
import { StartFault } from '../start-fault.ts';

/** What `davit new` writes: the name of each file and its text. */
export type Files = Readonly<Record<string, string>>;

/** `red-site` as `redSite`, and as `RedSite`. */
const camel = (name: string): string => name.replace(/-([a-z0-9])/g, (_, c: string) => c.toUpperCase());
const pascal = (name: string): string => name.charAt(0).toUpperCase() + camel(name).slice(1);

/** A reconciler that keeps a report of each config map with its label, and a test of it. */
const reconciler = (name: string): Files => ({
  [`${name}.ts`]: `import { defineReconciler, setControllerReference, type KubernetesObject } from 'davit/controller';

export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;

/** Keeps a report beside every config map that has the label. */
export const ${camel(name)} = defineReconciler<ConfigMap>(
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
import { eventually, startApiserver } from 'davit/testing';
import { CONFIG_MAP, ${camel(name)}, type ConfigMap } from './${name}.ts';

test('a config map with the label gets a report', async () => {
  await using server = await startApiserver({ reconcilers: [${camel(name)}] });
  const metadata = { namespace: 'default', name: 'mine', labels: { '${name}': 'yes' } };
  await server.client.create<ConfigMap>({ ...CONFIG_MAP, metadata, data: { a: '1', b: '2' } });
  await eventually(async () => {
    const report = await server.client.get<ConfigMap>(CONFIG_MAP, { namespace: 'default', name: 'mine-report' });
    assert.equal(report?.data?.keys, '2');
  });
});
`,
});

/** A pair of webhooks about config maps, and a test of them. */
const webhook = (name: string): Files => ({
  [`${name}.ts`]: `import { defineMutating, defineValidating, denied, type KubernetesObject } from 'davit/webhook';

export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

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
import { startApiserver } from 'davit/testing';
import { ${camel(name)}Defaults, ${camel(name)}Rules, type ConfigMap } from './${name}.ts';

test('a config map with the label is filled in, and judged', async () => {
  await using server = await startApiserver({ webhooks: [${camel(name)}Defaults, ${camel(name)}Rules] });
  const make = (name: string, data: Record<string, string>) =>
    server.client.create<ConfigMap>({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name, labels: { '${name}': 'yes' } },
      data,
    });
  assert.deepEqual((await make('one', { size: '1' })).data, { colour: 'blue', size: '1' });
  await assert.rejects(make('two', { colour: 'red' }), /red is not for config maps/);
});
`,
});

/** The plural that a kind of this name is guessed to have. Throws StartFault where the name looks like a plural itself. */
export function pluralOf(name: string): string {
  if (!/[^aius]s$/.test(name)) return guessResource(name.replaceAll('-', ''));
  const singular = name.replace(/ies$/, 'y').replace(/(x|z|ch|sh|ss)es$|s$/, '$1');
  throw new StartFault(
    `a kind has the name of one object: ${singular}? If one is called ${name}, say many by --plural`,
  );
}

/** A definition with a schema, a status and columns, and a test of it. */
const crd = (name: string, plural = pluralOf(name)): Files => {
  const kind = pascal(name);
  return {
    [`${name}.crd.yaml`]: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: ${plural}
    singular: ${kind.toLowerCase()}
    kind: ${kind}
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
      additionalPrinterColumns:
        - name: Size
          type: integer
          jsonPath: .spec.size
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              properties:
                size:
                  type: integer
                  minimum: 1
                  default: 1
            status:
              type: object
              properties:
                conditions:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [type]
                  items:
                    type: object
                    required: [type, status]
                    properties:
                      type:
                        type: string
                      status:
                        type: string
                        enum: ['True', 'False', Unknown]
                      reason:
                        type: string
                      message:
                        type: string
                      lastTransitionTime:
                        type: string
                        format: date-time
                      observedGeneration:
                        type: integer
                        format: int64
`,
    [`${name}.test.ts`]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, readManifests, startApiserver } from 'davit/testing';

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

/** What can be made, by its name. */
export const TEMPLATES: Readonly<Record<'reconciler' | 'webhook' | 'crd', (name: string, plural?: string) => Files>> = {
  reconciler,
  webhook,
  crd,
};
