import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';
import type { Files, TemplateOptions } from './files.ts';
import { camel, pascal, pluralOf } from './kind-names.ts';

/** An aggregated API of one kind whose objects are kept in memory, and a test of it. */
export const aggregatedApi = (name: string, { plural = pluralOf(name) }: TemplateOptions): Files => ({
  [`${name}.ts`]: `${kindText(name, plural)}${storageText(name)}${apiText(name)}`,
  [`${name}.test.ts`]: testText(name, plural),
});

const kindText = (name: string, plural: string): string => {
  const kind = pascal(name);
  return `import {
  alreadyExists,
  conflict,
  defineAggregatedApi,
  defineAggregatedResource,
  type CallContext,
  type KubernetesObject,
  type ObjectList,
  type ResourceStorage,
} from '${PACKAGE_NAME}/aggregated';

/** A ${kind}, as clients see it. */
export interface ${kind} extends KubernetesObject {
  readonly spec: { readonly size: number };
}

const RESOURCE = { group: '${plural}.example.com', resource: '${plural}' };

`;
};

const storageText = (name: string): string => {
  const kind = pascal(name);
  return `/**
 * Keeps objects in memory, until you save a file of the folder. Put what you have in its place: a table, a file, another service.
 * \`kubectl get --watch\` and \`kubectl wait\` need the method \`watch\` too.
 */
class ${kind}Storage implements ResourceStorage<${kind}> {
  readonly #objects = new Map<string, ${kind}>();
  #version = 0;

  async get(name: string, { namespace }: CallContext): Promise<${kind} | undefined> {
    return this.#objects.get(\`\${namespace}/\${name}\`);
  }

  async list({ namespace }: CallContext): Promise<ObjectList<${kind}>> {
    const all = [...this.#objects.values()];
    const items = all.filter(({ metadata }) => namespace === '' || metadata.namespace === namespace);
    return { items, resourceVersion: String(this.#version) };
  }

  async create(object: ${kind}): Promise<${kind}> {
    const { name = '' } = object.metadata;
    if (this.#objects.has(keyOf(object))) throw alreadyExists(RESOURCE, name);
    return this.#put(object);
  }

  async update(object: ${kind}, { current }: { readonly current: ${kind} }): Promise<${kind}> {
    const kept = this.#objects.get(keyOf(object));
    if (kept?.metadata.resourceVersion !== current.metadata.resourceVersion)
      throw conflict(RESOURCE, object.metadata.name ?? '', 'the object has changed');
    return this.#put(object);
  }

  async delete(_: string, { current }: { readonly current: ${kind} }): Promise<void> {
    this.#objects.delete(keyOf(current));
  }

  #put(object: ${kind}): ${kind} {
    const kept = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#objects.set(keyOf(object), kept);
    return kept;
  }
}

const keyOf = ({ metadata: { namespace = '', name = '' } }: ${kind}): string => \`\${namespace}/\${name}\`;
`;
};

const apiText = (name: string): string => {
  const kind = pascal(name);
  return `
export const ${camel(name)}Api = defineAggregatedApi({
  name: '${name}',
  group: RESOURCE.group,
  version: 'v1',
  resources: [
    defineAggregatedResource<${kind}>({
      name: RESOURCE.resource,
      kind: '${kind}',
      schema: {
        type: 'object',
        required: ['spec'],
        properties: {
          spec: { type: 'object', required: ['size'], properties: { size: { type: 'integer', minimum: 1 } } },
        },
      },
      storage: new ${kind}Storage(),
      columns: [{ name: 'Size', type: 'integer', value: ({ spec }) => spec.size }],
    }),
  ],
});
`;
};

const testText = (name: string, plural: string): string => {
  const kind = pascal(name);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApiserver } from '${PACKAGE_NAME}/testing';
import { ${camel(name)}Api, type ${kind} } from './${name}.ts';

const KIND = { apiVersion: '${plural}.example.com/v1', kind: '${kind}' };
const one: ${kind} = { ...KIND, metadata: { namespace: 'default', name: 'one' }, spec: { size: 1 } };

test('a ${kind} is kept, and a size that is none refused', async () => {
  await using server = await startApiserver({ aggregatedApis: [${camel(name)}Api] });
  await server.client.create(one);
  assert.equal((await server.client.get<${kind}>(KIND, { namespace: 'default', name: 'one' }))?.spec.size, 1);
  const none = { ...one, metadata: { ...one.metadata, name: 'none' }, spec: { size: 0 } };
  await assert.rejects(server.client.create(none), /spec.size/);
});
`;
};
