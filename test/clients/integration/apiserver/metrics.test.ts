import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { events } from './events.ts';
import { text } from './front-door.ts';
import { type Api, DEFINITIONS, describeMatrix, MERGE } from './matrix.ts';

/** The samples of one metric in a scrape: values by labels in text form. */
async function scraped({ send }: Api, metric: string): Promise<Record<string, number>> {
  const lines = text(await send('GET', '/metrics')).split('\n');
  const values = lines.flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === metric ? [[labels, Number(value)] as const] : [];
  });
  return Object.fromEntries(values);
}

const served = (verb: string, resource: string, scope: string, rest = ''): string =>
  `verb="${verb}",dry_run="",group="",version="v1",resource="${resource}",subresource="",scope="${scope}",component="apiserver"${rest}`;

describeMatrix('metrics', (api) => {
  test('are in the text format, for users with the right', async () => {
    const answer = await api().send('GET', '/metrics');
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect((await api().send('GET', '/metrics', undefined, { authorization: null })).status).toBe(403);
  });

  test('are all documented', async () => {
    const documented = readFileSync(join(import.meta.dirname, '../../../../docs/metrics.md'), 'utf8');
    const names = [...text(await api().send('GET', '/metrics')).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  test('count requests by verb, resource, scope and code', async () => {
    const { send, ok, namespace } = api();
    const path = `/api/v1/namespaces/${await namespace()}/secrets`;
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    await ok('POST', path, secret);
    await send('POST', path, secret);
    await ok('GET', path);
    await ok('PATCH', `${path}/a?dryRun=All`, {}, MERGE);
    const total = await scraped(api(), 'apiserver_request_total');
    expect(total[served('POST', 'secrets', 'resource', ',code="201"')]).toBe(1);
    expect(total[served('POST', 'secrets', 'resource', ',code="409"')]).toBe(1);
    expect(total[served('LIST', 'secrets', 'namespace', ',code="200"')]).toBe(1);
    const dry = served('PATCH', 'secrets', 'resource', ',code="200"').replace('dry_run=""', 'dry_run="All"');
    expect(total[dry]).toBe(1);
    const counts = await scraped(api(), 'apiserver_request_duration_seconds_count');
    expect(counts[served('POST', 'secrets', 'resource')]).toBe(2);
    const sizes = await scraped(api(), 'apiserver_response_sizes_sum');
    expect(sizes[served('LIST', 'secrets', 'namespace').replace('dry_run="",', '')]).toBeGreaterThan(100);
  });

  test('count a watch while it is open, and time it when it ends', async () => {
    const { door, namespace } = api();
    const path = `/api/v1/namespaces/${await namespace()}/endpoints`;
    const labels = served('WATCH', 'endpoints', 'namespace').replace('dry_run="",', '');
    const stream = await door.stream({ path: `${path}?watch=1&timeoutSeconds=1` });
    expect((await scraped(api(), 'apiserver_longrunning_requests'))[labels]).toBe(1);
    expect(await events(stream)).toEqual([]);
    expect((await scraped(api(), 'apiserver_longrunning_requests'))[labels]).toBe(0);
    const total = await scraped(api(), 'apiserver_request_total');
    expect(total[served('WATCH', 'endpoints', 'namespace', ',code="200"')]).toBe(1);
  });

  test('count the events of watches, and time their initial lists', async () => {
    const { ok, door, namespace } = api();
    const path = `/api/v1/namespaces/${await namespace()}/limitranges`;
    await ok('POST', path, { metadata: { name: 'a' }, spec: { limits: [] } });
    const query =
      'watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const sent = await events(await door.stream({ path: `${path}?${query}` }));
    expect(sent.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'BOOKMARK']);
    const labels = 'group="",version="v1",resource="limitranges"';
    expect((await scraped(api(), 'apiserver_watch_events_total'))[labels]).toBe(3);
    expect((await scraped(api(), 'apiserver_watch_events_sizes_sum'))[labels]).toBeGreaterThan(200);
    const listed = await scraped(api(), 'apiserver_watch_list_duration_seconds_count');
    expect(listed[`${labels},scope="namespace"`]).toBe(1);
    expect(Object.keys(await scraped(api(), 'kubernetes_build_info'))[0]).toContain('major="1",minor="36"');
  });

  test('create no series for resources that are not served', async () => {
    for (const path of [
      '/api/v1/mallory',
      '/apis/mallory/v1/things',
      '/mallory',
      '/api/v1/namespaces/x/pods/y/mallory',
    ]) {
      expect((await api().send('GET', path)).status).toBe(404);
    }
    expect(text(await api().send('GET', '/metrics'))).not.toContain('mallory');
  });

  test('count non-resource paths by path, and requests under way', async () => {
    await api().send('GET', '/version');
    const total = await scraped(api(), 'apiserver_request_total');
    const labels =
      'verb="GET",dry_run="",group="",version="",resource="",subresource="/version",scope="",component="apiserver",code="200"';
    expect(total[labels]).toBe(1);
    expect(await scraped(api(), 'apiserver_current_inflight_requests')).toMatchObject({ 'request_kind="readOnly"': 1 });
  });

  describe('count objects by resource', () => {
    test('including custom ones', async () => {
      const { ok, namespace } = api();
      const path = `/api/v1/namespaces/${await namespace()}/podtemplates`;
      const template = { spec: { containers: [{ name: 'c', image: 'i' }] } };
      for (const name of ['a', 'b', 'c'])
        await ok('POST', path, { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name }, template });
      const objects = await scraped(api(), 'apiserver_storage_objects');
      expect(objects['resource="podtemplates"']).toBe(3);
      expect(objects['resource="customresourcedefinitions.apiextensions.k8s.io"']).toBe(
        ((await ok('GET', DEFINITIONS))['items'] as unknown[]).length,
      );
      const grouped = await scraped(api(), 'apiserver_resource_objects');
      expect(grouped['group="",resource="podtemplates"']).toBe(3);
    });
  });
});
