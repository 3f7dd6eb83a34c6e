import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';
import type { Connection } from './connection.ts';

const GROUP = 'bench.davit.dev';
const DEFINITION = simpleDefinition({
  group: GROUP,
  plural: 'widgets',
  kind: 'Widget',
  properties: {
    spec: {
      type: 'object',
      required: ['color'],
      properties: {
        color: { type: 'string', enum: ['red', 'green', 'blue'] },
        size: { type: 'integer', minimum: 0, default: 1 },
        notes: { type: 'string' },
      },
    },
  },
});

/** A namespace full of custom objects on one server, deleted at the end. */
export class Widgets {
  readonly api: Connection;
  readonly namespace: string;

  constructor(api: Connection, namespace: string) {
    this.api = api;
    this.namespace = namespace;
  }

  get path(): string {
    return `/apis/${GROUP}/v1/namespaces/${this.namespace}/widgets`;
  }

  async begin(): Promise<void> {
    await this.api.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
    await this.api.request('POST', '/api/v1/namespaces', { metadata: { name: this.namespace } });
    while ((await this.api.ask('GET', this.path)).status !== 200) await sleep(20);
  }

  async end(): Promise<void> {
    await this.api.request('DELETE', `/api/v1/namespaces/${this.namespace}`);
    await this.api.request('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${GROUP}`);
  }

  /** An object of approximately the given size in bytes. */
  object(name: string, bytes = 700): JsonObject {
    const metadata = { name, labels: { app: 'bench' } };
    return { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata, spec: { color: 'red', notes: 'x'.repeat(bytes) } };
  }

  create(name: string, bytes?: number): Promise<Buffer> {
    return this.api.request('POST', this.path, this.object(name, bytes));
  }

  async get(name: string): Promise<JsonObject> {
    return JSON.parse((await this.api.request('GET', `${this.path}/${name}`)).toString()) as JsonObject;
  }

  /** Updates an object. Returns false if its resourceVersion was no longer current. */
  async put(object: JsonObject, size: number): Promise<boolean> {
    const spec = { ...objectAt(object, 'spec'), size };
    const { status } = await this.api.ask('PUT', `${this.path}/${nameIn(object)}`, { ...object, spec });
    if (status !== 200 && status !== 409) throw new Error(`PUT: ${status}`);
    return status === 200;
  }

  async update(name: string, size: number): Promise<void> {
    while (!(await this.put(await this.get(name), size)));
  }

  apply(name: string, size: number): Promise<Buffer> {
    const object = { ...this.object(name), spec: { color: 'blue', size } };
    const path = `${this.path}/${name}?fieldManager=bench&force=true`;
    return this.api.request('PATCH', path, object, 'application/apply-patch+yaml');
  }
}

export const nameIn = (object: JsonObject): string => stringAt(objectAt(object, 'metadata'), 'name') ?? '';
