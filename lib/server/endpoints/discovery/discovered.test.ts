import { describe, expect, test } from 'vitest';
import { corpus, fixtures } from '#lib/api/fixtures.conformance.ts';
import { skipUnless } from '#test/support/skip.ts';
import { discoveredVersions } from './discovered.ts';
import { apiResourceList } from './resource-list.ts';

interface Recorded {
  readonly path: string;
  readonly answer: { readonly body?: { readonly kind: string } };
}

const NONE = { find: async () => undefined, versions: async () => [] };

describe('discovery recorded from upstream', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  test.each([
    ['/api/v1/', '', 'v1'],
    ['/apis/apps/v1', 'apps', 'v1'],
  ])('returns the same list at %s', async (path, group, version) => {
    const recorded = corpus<Recorded>('protocol').find(
      (it) => it.path === path && it.answer?.body?.kind === 'APIResourceList',
    );
    const found = (await discoveredVersions(NONE)).find((one) => one.group === group && one.version === version);
    expect(found && apiResourceList(found)).toEqual(recorded?.answer.body);
  });
});
