import { describe, expect, test } from 'vitest';
import { corpus, fixtures, SKIPPED } from '#lib/api/fixtures.conformance.ts';
import { discoveredVersions } from './discovered.ts';
import { apiResourceList } from './resource-list.ts';

interface Recorded {
  readonly path: string;
  readonly answer: { readonly body?: { readonly kind: string } };
}

const NONE = { find: async () => undefined, versions: async () => [] };

if (fixtures === undefined) console.log(SKIPPED);

describe.skipIf(fixtures === undefined)('recorded discovery', () => {
  test.each([
    ['/api/v1/', '', 'v1'],
    ['/apis/apps/v1', 'apps', 'v1'],
  ])('%s', async (path, group, version) => {
    const recorded = corpus<Recorded>('protocol').find(
      (it) => it.path === path && it.answer?.body?.kind === 'APIResourceList',
    );
    const found = (await discoveredVersions(NONE)).find((one) => one.group === group && one.version === version);
    expect(found && apiResourceList(found)).toEqual(recorded?.answer.body);
  });
});
