import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Reached, type Requester, requester } from '#test/support/requester.ts';

/** The server under test, and the port of a backend on its loopback interface. */
export interface Stage {
  readonly send: Requester;
  readonly list: Requester;
  /** Like `send`, but a PATCH is a server-side apply. */
  readonly apply: Requester;
  readonly port: number;
}

/** One step of a case, which waits for its expected result. */
export type Step = (stage: Stage) => Promise<unknown>;

const REGISTRATION = '/apis/apiregistration.k8s.io/v1/apiservices';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** The media type of aggregated discovery. */
export const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The stage for a server. */
export const stageOn = (server: Reached, port: number): Stage => ({
  send: requester(server),
  list: requester(server, { accept: AGGREGATED }),
  apply: requester(server, { 'content-type': 'application/apply-patch+yaml' }),
  port,
});

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string; readonly freshness?: string; readonly resources: string[] }[];
}

/** The groups of `/apis`. */
export async function legacyGroups({ send }: Stage): Promise<Group[]> {
  const { groups } = (await send('GET', '/apis')).body as unknown as { groups: Omit<Group, 'resources'>[] };
  return groups.map(({ name, versions }) => ({
    name,
    versions: versions.map(({ version }) => ({ version, resources: [] })),
  }));
}

interface Item {
  readonly metadata: { readonly name: string };
  readonly versions: readonly {
    readonly version: string;
    readonly freshness: string;
    readonly resources?: readonly { readonly resource: string }[];
  }[];
}

/** The groups of aggregated discovery. */
export async function aggregatedGroups({ list }: Stage): Promise<Group[]> {
  const { items } = (await list('GET', '/apis')).body as unknown as { items: Item[] };
  return items.map(({ metadata: { name }, versions }) => ({
    name,
    versions: versions.map(({ version, freshness, resources = [] }) => ({
      version,
      freshness,
      resources: resources.map(({ resource }) => resource),
    })),
  }));
}

/** Sorts group versions in the order of a document. */
export const namesIn = (groups: readonly Group[]): string[] =>
  groups.flatMap(({ name, versions }) => versions.map(({ version }) => `${name}/${version}`));

/** How an APIService in the tests differs from one with an unknown Service. */
export interface Registered {
  readonly priorities?: readonly [group: number, version: number];
  /** Defaults to a Service that does not exist. */
  readonly service?: JsonObject;
}

/** Applies the APIService of a group version, which may already exist for a definition. */
export const register =
  (groupVersion: string, { priorities = [1000, 15], service }: Registered = {}): Step =>
  async ({ apply }) => {
    const [group = '', version = ''] = groupVersion.split('/');
    const [groupPriorityMinimum, versionPriority] = priorities;
    const name = `${version}.${group}`;
    const { status, body } = await apply('PATCH', `${REGISTRATION}/${name}?fieldManager=tests&force=true`, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name },
      spec: {
        group,
        version,
        groupPriorityMinimum,
        versionPriority,
        insecureSkipTLSVerify: true,
        service: service ?? { namespace: 'default', name: 'unused' },
      },
    });
    if (status >= 300) throw new Error(`${name}: ${String(body['message'])}`);
  };

/** Deletes the APIService of a group version. */
export const unregister =
  (groupVersion: string): Step =>
  ({ send }) => {
    const [group = '', version = ''] = groupVersion.split('/');
    return send('DELETE', `${REGISTRATION}/${version}.${group}`);
  };

/** Creates the definition of `bars` in a group, or changes its versions. */
export const define =
  (group: string, versions: readonly string[], more: JsonObject = {}): Step =>
  async ({ send }) => {
    const spec = {
      group,
      scope: 'Cluster',
      names: { plural: 'bars', singular: 'bar', kind: 'Bar', listKind: 'BarList', ...more },
      versions: versions.map((name, i) => ({
        name,
        served: true,
        storage: i === 0,
        schema: { openAPIV3Schema: { type: 'object', properties: { data: { type: 'string' } } } },
      })),
    };
    const path = `${DEFINITIONS}/bars.${group}`;
    const { status } = await send('GET', path);
    if (status !== 404) return send('PATCH', path, { spec });
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, testing only' };
    return made(send, DEFINITIONS, { metadata: { name: `bars.${group}`, annotations }, spec });
  };

/** Deletes the definition of `bars`. */
export const undefine =
  (group: string): Step =>
  ({ send }) =>
    send('DELETE', `${DEFINITIONS}/bars.${group}`);

async function made(send: Requester, path: string, object: JsonObject): Promise<void> {
  const { status, body } = await send('POST', path, object);
  if (status !== 201) throw new Error(`${path}: ${String(body['message'])}`);
}

/** Waits until both documents list these. */
export const listed =
  (...groupVersions: string[]): Step =>
  (stage) =>
    inBoth(stage, `${groupVersions.join()} listed`, (names) => groupVersions.every((one) => names.includes(one)));

/** Waits until neither document lists any of these. */
export const absent =
  (...groupVersions: string[]): Step =>
  (stage) =>
    inBoth(stage, `${groupVersions.join()} absent`, (names) => !groupVersions.some((one) => names.includes(one)));

async function inBoth(stage: Stage, what: string, holds: (names: readonly string[]) => boolean): Promise<void> {
  const both = [legacyGroups, aggregatedGroups];
  await eventually(
    async () => (await Promise.all(both.map((read) => read(stage)))).every((groups) => holds(namesIn(groups))),
    () => what,
  );
}

/** Waits until aggregated discovery reports this freshness for each. */
export const withFreshness =
  (freshness: 'Current' | 'Stale', ...groupVersions: string[]): Step =>
  (stage) =>
    eventually(
      async () => {
        const groups = await aggregatedGroups(stage);
        const found = groups.flatMap(({ name, versions }) =>
          versions.filter((one) => one.freshness === freshness).map(({ version }) => `${name}/${version}`),
        );
        return groupVersions.every((one) => found.includes(one));
      },
      () => `${groupVersions.join()} ${freshness}`,
    );

/** Waits until exactly these group versions are stale. */
export const onlyStale =
  (...groupVersions: string[]): Step =>
  (stage) =>
    eventually(
      async () => {
        const stale = (await aggregatedGroups(stage)).flatMap(({ name, versions }) =>
          versions.filter(({ freshness }) => freshness === 'Stale').map(({ version }) => `${name}/${version}`),
        );
        return isDeepStrictEqual(stale, groupVersions);
      },
      () => `only ${groupVersions.join() || 'nothing'} stale`,
    );

/** Throws unless both documents list the same group versions in the same order, and that order satisfies the condition. */
export const ordered =
  (what: string, holds: (names: readonly string[]) => boolean): Step =>
  async (stage) => {
    const [legacy, aggregated] = [namesIn(await legacyGroups(stage)), namesIn(await aggregatedGroups(stage))];
    if (!isDeepStrictEqual(legacy, aggregated)) throw new Error(`${legacy.join()} is not ${aggregated.join()}`);
    if (!holds(legacy)) throw new Error(`not ${what}: ${legacy.join()}`);
  };

/** Throws unless aggregated discovery and the version's own list both have a resource, or both lack it. */
export const resource =
  (groupVersion: string, name: string, isThere: boolean): Step =>
  async (stage) => {
    const [group = '', version = ''] = groupVersion.split('/');
    const { body } = await stage.send('GET', `/apis/${groupVersion}`);
    const legacy = (body['resources'] as unknown as { name: string }[]).map((one) => one.name);
    const of = (await aggregatedGroups(stage)).find((one) => one.name === group)?.versions ?? [];
    const aggregated = of.find((one) => one.version === version)?.resources ?? [];
    for (const names of [legacy, aggregated])
      if (names.includes(name) !== isThere) throw new Error(`${groupVersion}: ${names.join()}`);
  };

/** Waits until `/` lists the path, or no longer lists it. */
export const rootPath =
  (path: string, isThere: boolean): Step =>
  ({ send }) =>
    eventually(
      async () => ((await send('GET', '/')).body['paths'] as string[]).includes(path) === isThere,
      () => `${path} ${isThere ? '' : 'not '}in /`,
    );
