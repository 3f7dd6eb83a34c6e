import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { Peer } from '#test/unit/differential/peer.ts';
import { recordedCases } from '#test/unit/differential/record.ts';

/** Generated requests with the responses of kube-apiserver 1.36.2. `npm run differential -- --record` writes them. */
const cases = recordedCases(
  readFileSync(new URL('../../../support/fixtures/answers/made-up.jsonl', import.meta.url), 'utf8'),
);
const named = cases.map((it, i): [string, (typeof cases)[number]] => [`${i} ${it.name}`, it]);

let server: RunningApiserver;
let peer: Peer;
beforeAll(async () => {
  // No controllers for objects, because the recorded server had none.
  server = await startApiserver({ controllers: [], scheduler: false });
  peer = new Peer(server.url, { ca: server.certificateAuthority }, () => Promise.resolve(server.adminToken));
  for (const namespace of new Set(cases.map((it) => it.namespace))) {
    const create = (path: string, name: string) =>
      peer.ask(
        {
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json' },
          body: `{"metadata":{"name":"${name}"}}`,
        },
        namespace,
      );
    await create('/api/v1/namespaces', namespace);
    await create('/api/v1/namespaces/{ns}/serviceaccounts', 'default');
  }
});
afterAll(async () => {
  peer[Symbol.dispose]();
  await server.close();
});

test.each(named)('returns for %s the response of kube-apiserver', async (_, { namespace, steps }) => {
  for (const { answer, ...step } of steps) {
    const own = await peer.ask(step, namespace);
    if (answer !== undefined) expect(own).toEqual(answer);
  }
});
