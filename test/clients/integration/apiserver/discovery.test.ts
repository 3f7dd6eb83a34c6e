import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { skipUnless } from '#test/support/skip.ts';
import { describeMatrix } from './matrix.ts';

const AGGREGATED = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json' };
const fixtures = process.env['DAVIT_FIXTURES'];

const nameOf = (group: JsonObject): string => String((group['metadata'] as JsonObject | undefined)?.['name'] ?? '');
const versionsOf = (group: JsonObject): JsonObject[] => group['versions'] as JsonObject[];

/** Stable resources by `group/version/resource`, which every server of this release has. */
function stable(groups: readonly JsonObject[]): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const group of groups) {
    for (const version of versionsOf(group).filter(({ version: name }) => /^v\d+$/.test(String(name)))) {
      for (const resource of version['resources'] as JsonObject[]) {
        found.set(`${nameOf(group)}/${String(version['version'])}/${String(resource['resource'])}`, resource);
      }
    }
  }
  return found;
}

describeMatrix('discovery', (api) => {
  test(
    'lists stable groups like upstream',
    skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'),
    async () => {
      const file = join(fixtures ?? '', 'data/aggregated_v2.json');
      const want = stable((JSON.parse(readFileSync(file, 'utf8')) as JsonObject)['items'] as JsonObject[]);
      const lists = [
        await api().ok('GET', '/api', undefined, AGGREGATED),
        await api().ok('GET', '/apis', undefined, AGGREGATED),
      ];
      const got = stable(lists.flatMap((list) => list['items'] as JsonObject[]));
      const missing = [...want.keys()].filter((name) => !got.has(name));
      expect(missing).toEqual([]);
      for (const [name, resource] of want) {
        expect({ name, ...got.get(name) }).toEqual({ name, ...resource });
      }
    },
  );

  test('lists groups, versions and resources in its parts', async () => {
    const { ok } = api();
    expect(await ok('GET', '/api')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const groups = (await ok('GET', '/apis'))['groups'] as JsonObject[];
    expect(groups.map(({ name }) => name)).toEqual(expect.arrayContaining(['apps', 'example.com']));
    expect(await ok('GET', '/apis/apps')).toMatchObject({
      kind: 'APIGroup',
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
    const core = await ok('GET', '/api/v1');
    expect(core).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
    expect(core['apiVersion']).toBeUndefined();
    const custom = await ok('GET', '/apis/example.com/v1');
    expect((custom['resources'] as JsonObject[]).map(({ name }) => name)).toEqual([
      'crontabs',
      'crontabs/status',
      'crontabs/scale',
    ]);
  });

  test.each(['/apis/nope', '/apis/nope/v1', '/apis/apps/v9', '/apis/example.com/v9'])(
    'returns 404 for %s',
    async (path) => {
      expect((await api().send('GET', path)).status).toBe(404);
    },
  );

  test('/version names the release', async () => {
    expect(await api().ok('GET', '/version')).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: expect.stringMatching(/^v1\.36\.\d+\+davit\./),
    });
  });
});
