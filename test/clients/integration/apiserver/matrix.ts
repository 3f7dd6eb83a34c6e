import { afterAll, beforeAll, describe } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { skipUnless } from '#test/support/skip.ts';
import { type Answer, type FrontDoor, json, type Sent } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { functionUrl, restApi } from './lambda-events.ts';
import { http1, http2 } from './sockets.ts';

const DOORS = {
  'in process': inProcess,
  'HTTP/2': http2,
  'HTTP/1.1': http1,
  'a function URL': functionUrl,
  'a REST API': restApi,
};
type Door = keyof typeof DOORS;

/**
 * One front door of this machine's server and one of a function. `transport*.test.ts` test the differences between front doors behind each.
 */
const USUAL: readonly Door[] = ['HTTP/2', 'a function URL'];
const isFull = process.env['DAVIT_FULL'] !== undefined;
const NAMES = Object.keys(DOORS) as Door[];

/** A client with the same behavior behind each front door. */
export interface Api {
  readonly door: FrontDoor;
  send(method: string, path: string, body?: Sent['body'], headers?: Sent['headers']): Promise<Answer>;
  /** The JSON of a response that must be successful. */
  ok(method: string, path: string, body?: Sent['body'], headers?: Sent['headers']): Promise<JsonObject>;
  /** Creates a namespace. */
  namespace(): Promise<string>;
}

type Suite = (api: () => Api) => void;

/**
 * Runs the suite behind every front door, on servers with the CronTab kind. Tests are sequential, but all front doors run concurrently,
 * because some tests wait.
 */
export const describeEveryDoor = (name: string, suite: Suite): void => describeBehind(NAMES, name, suite);

/** Runs the suite behind two of the front doors; with DAVIT_FULL, behind all. */
export const describeMatrix = (name: string, suite: Suite): void => describeBehind(isFull ? NAMES : USUAL, name, suite);

function describeBehind(doors: readonly Door[], name: string, suite: Suite): void {
  for (const title of NAMES)
    describe(`behind ${title}`, {
      concurrent: true,
      ...skipUnless(doors.includes(title), 'runs with DAVIT_FULL=1'),
    }, () => {
      describe(name, { concurrent: false }, () => {
        let api: Api | undefined;
        beforeAll(async () => {
          api = apiOf(await DOORS[title]());
          await defineCronTabs(api);
        });
        afterAll(() => api?.door.close());
        suite(() => api as Api);
      });
    });
}

function apiOf(door: FrontDoor): Api {
  let namespaces = 0;
  const send: Api['send'] = (method, path, body, headers) => door.send({ method, path, ...defined({ body, headers }) });
  const ok: Api['ok'] = async (...args) => {
    const answer = await send(...args);
    const value = json(answer);
    if (answer.status >= 300) throw new Error(`${args[0]} ${args[1]}: ${answer.status} ${String(value['message'])}`);
    return value;
  };
  const namespace = async (): Promise<string> => {
    const name = `ns-${++namespaces}`;
    await ok('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    return name;
  };
  return { door, send, ok, namespace };
}

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Defines the custom kind of `KINDS`. */
export async function defineCronTabs(api: Pick<Api, 'ok'>): Promise<void> {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  await define(api, aDefinition({}, { subresources: { status: {}, scale } }));
}

/** Creates a definition and establishes it, as the controller for names does. */
export async function define({ ok }: Pick<Api, 'ok'>, definition: JsonObject): Promise<void> {
  const { resourceVersion: _, ...metadata } = definition['metadata'] as JsonObject;
  await ok('POST', DEFINITIONS, { ...definition, metadata });
  const names = (definition['spec'] as JsonObject)['names'] as JsonObject;
  const condition = { status: 'True', reason: 'Test', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' };
  const conditions = [
    { ...condition, type: 'NamesAccepted' },
    { ...condition, type: 'Established' },
  ];
  const status = { acceptedNames: names, storedVersions: ['v1'], conditions };
  await ok('PATCH', `${DEFINITIONS}/${String(metadata['name'])}/status`, { status }, MERGE);
}

export const MERGE = { 'content-type': 'application/merge-patch+json' };
export const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
export const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };
export const APPLY = { 'content-type': 'application/apply-patch+yaml' };
