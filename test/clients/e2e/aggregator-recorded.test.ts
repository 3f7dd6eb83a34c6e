import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { CASES } from '#test/support/aggregator/cases.ts';
import { comparable, DIFFERENCES } from '#test/support/aggregator/differences.ts';
import { type Played, play } from '#test/support/aggregator/play.ts';

/** The responses of kube-apiserver 1.36.2 to the same cases with the same backend. `test/support/aggregator/record.ts` writes them. */
const recorded = JSON.parse(
  readFileSync(new URL('../../support/aggregator/recorded.json', import.meta.url), 'utf8'),
) as Played;

let server: RunningApiserver;
let own: Played;
beforeAll(async () => {
  const admin = { name: 'admin', uid: 'admin-uid', groups: ['system:masters'] };
  server = await startApiserver({ tokens: new Map([['admin', admin]]), scheduler: false });
  own = await play({ url: server.url, certificateAuthority: server.certificateAuthority, token: 'admin' });
});
afterAll(() => server.close());

test('has a recorded answer for each case, and a case for each difference', () => {
  const titles = CASES.map(({ title }) => title);
  expect(recorded.exchanges.map(({ title }) => title)).toEqual(titles);
  expect(new Set(titles).size).toBe(titles.length);
  expect(Object.keys(DIFFERENCES).filter((title) => !titles.includes(title))).toEqual([]);
});

describe("an aggregated request has kube-aggregator's response", () => {
  test.each(recorded.exchanges.map((it, i) => [it.title, it, i] as const))(
    'equals the recorded one for %s',
    (title, it, i) => {
      const found = own.exchanges[i];
      const { why, apply } = DIFFERENCES[title] ?? { why: 'as recorded', apply: (same) => same };
      expect(found && comparable(found), why).toEqual(apply(comparable(it)));
    },
  );
});

describe("an APIService has kube-aggregator's conditions", () => {
  test.each(Object.entries(recorded.conditions))('equal the recorded ones for %s', (group, expected) => {
    expect(own.conditions[group]).toEqual(expected);
  });
});

describe('discovery with aggregated groups', () => {
  test('lists the same groups, and versions in the same order', () => {
    const byName = (groups: unknown) => (groups as { name: string }[]).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const { groups } = recorded.documents;
    // `local` has no backend, but upstream lists it anyway
    const served = byName(groups).filter(({ name }) => name !== 'local.example.com');
    expect(byName(own.documents.groups)).toEqual(served);
  });

  test('is the same document in its aggregated form, in the same order', () => {
    expect(own.documents.aggregated).toEqual(recorded.documents.aggregated);
  });

  test('lists the same root paths', () => {
    const paths = recorded.documents.rootPaths as string[];
    expect(own.documents.rootPaths).toEqual(paths.filter((path) => !path.includes('local.example.com')));
  });

  test('lists no OpenAPI document of a server that has none', () => {
    expect(own.documents.openApi).toEqual(recorded.documents.openApi);
  });
});
