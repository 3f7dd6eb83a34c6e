import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { inWorld, keptAnswers, TABLES, type Table } from '#test/support/nodes/answers.ts';
import type { Told, Where } from '#test/support/nodes/ask.ts';
import type { Asked } from '#test/support/nodes/asked.ts';

describe.each(Object.keys(TABLES) as Table[])('the recorded requests of the table %s', (table) => {
  const answers = keptAnswers(table);
  let server: RunningApiserver;
  let ask: (asked: Asked) => Promise<Told>;

  beforeAll(async () => {
    const authority = await newAuthority(new Date());
    server = await startApiserver({ controllers: [], scheduler: false, clientCa: authority.certificate });
    const as = async (name: string, organization: string): Promise<Where> => {
      const { certificate: cert, key } = await authority.issue({ name, organizations: [organization] });
      return { url: server.url, options: { ca: server.certificateAuthority, cert, key } };
    };
    ask = await inWorld(await as('admin', 'system:masters'), await as('system:node:n1', 'system:nodes'));
  });
  afterAll(() => server.close());

  describe.each(Object.entries<readonly Asked[]>(TABLES[table]))('the group %s', (group, asked) => {
    const named = asked.map((one, i) => [i, one.method, one.path, one, answers.get(group)?.[i]] as const);

    test.each(named)('%i %s %s', async (_i, _method, _path, one, answer) => {
      expect(await ask(one)).toBe(answer);
    });
  });
});
