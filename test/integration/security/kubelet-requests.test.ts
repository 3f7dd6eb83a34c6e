import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { newAuthority } from '#local/certs.ts';
import { startApiserver, type RunningApiserver } from '#local/start-apiserver.ts';
import { recordedAnswers } from '#test/nodes/answers.ts';
import { Asker, type Known } from '#test/nodes/ask.ts';
import { REQUESTS } from '#test/nodes/requests.ts';
import { world } from '#test/nodes/world.ts';

const answers = recordedAnswers();
const known: Known = { uid: new Map(), version: new Map() };
let server: RunningApiserver;
/** The kubelet of n1, by its certificate. */
let kubelet: Asker;

beforeAll(async () => {
  const authority = await newAuthority(new Date());
  server = await startApiserver({ controllers: [], scheduler: false, clientCa: authority.certificate });
  const asking = ({ certificate, key }: KeyPair): Asker =>
    new Asker({ url: server.url, options: { ca: server.certificateAuthority, cert: certificate, key } }, known);
  const admin = asking(await authority.issue({ name: 'admin', organizations: ['system:masters'] }));
  kubelet = asking(await authority.issue({ name: 'system:node:n1', organizations: ['system:nodes'] }));
  for (const [path, body] of world())
    expect([path, await admin.ask({ method: 'POST', path, body })]).toEqual([path, '201']);
});
afterAll(() => server.close());

describe.each(Object.entries(REQUESTS))('a kubelet asks: %s', (group, asked) => {
  const named = asked.map((one, i) => [i, one.method, one.path, one, answers.get(group)?.[i]] as const);

  test.each(named)('%i %s %s', async (_i, _method, _path, one, answer) => {
    expect(await kubelet.ask(one)).toBe(answer);
  });
});
