import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { systemClock as clock } from '#adapters/clock.ts';
import { Forwarder } from '#adapters/node/dns/forwarder.ts';
import { DnsServer } from '#adapters/node/dns/server.ts';
import { SERVICES } from '#lib/api/types/resources.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { ClusterZone } from '#lib/node/dns/cluster-zone.ts';
import { Responder } from '#lib/node/dns/responder.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { buildCoreDNS } from '#test/support/clients/coredns.ts';
import { askByTcp, askByUdp, compared } from '#test/support/dns/ask.ts';
import { allowCoreDNS, COREDNS, CoreDNS, overHttp } from '#test/support/dns/core-dns.ts';
import { differenceOf, isMeantFault, type Pair } from '#test/support/dns/differences.ts';
import { create, fixedObjects, namesOf, randomObjects } from '#test/support/dns/objects.ts';
import { type Asked, aFaultyMessage, aQuestion, messageOf, recordedQuestions } from '#test/support/dns/questions.ts';
import { outside } from '#test/support/dns/upstream.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { needing, skipUnless } from '#test/support/skip.ts';
import { Draw } from './draw.ts';

const isFull = process.env['DAVIT_FULL'] !== undefined;
const coreDNS = isFull ? await buildCoreDNS() : undefined;
const options = isFull ? needing(coreDNS) : skipUnless(false, 'runs with DAVIT_FULL=1');
const SEEDS = (process.env['DAVIT_DNS_SEEDS'] ?? '1,2,3,4,5,6').split(',').map(Number);
const QUERIES = Number(process.env['DAVIT_DNS_QUERIES'] ?? 500);
const AT_ONCE = 16;

/** Both servers with the objects of a seed. CoreDNS lists and watches them at an API server. */
async function bothServers(seed: number) {
  await using stack = new AsyncDisposableStack();
  const tokens = new Map([
    ['admin', { name: 'admin', groups: [SYSTEM_MASTERS] }],
    [COREDNS, { name: COREDNS, groups: [] }],
  ]);
  const { server } = serverInProcess({ clock, tokens });
  stack.defer(() => server.close());
  const client = apiClient({ handle: server.handle.bind(server), token: 'admin', userAgent: 'test' });
  await allowCoreDNS(client);
  await create(client, [...fixedObjects(), ...randomObjects(new Draw(seed))]);
  const api = stack.adopt(await overHttp(server, COREDNS), (one) => {
    one.close();
    one.closeAllConnections();
  });
  const others = stack.use(await outside());
  const theirs = await freePort();
  const bound = api.address();
  const ports = {
    dns: theirs,
    api: typeof bound === 'object' && bound !== null ? bound.port : 0,
    upstream: others.port,
  };
  const coredns = stack.use(new CoreDNS(coreDNS !== undefined && 'path' in coreDNS ? coreDNS.path : '', ports));
  const servers = Object.values(networkInterfaces()).flatMap((all = []) => all.filter(({ internal }) => !internal));
  const settings = {
    domain: 'cluster.local',
    servers: servers.map(({ address }) => address),
    serial: () => 1,
    isSynced: () => true,
  };
  const forwarder = new Forwarder(async () => [{ address: '127.0.0.1', port: others.port }]);
  const own = stack.use(new DnsServer(new Responder(new ClusterZone(await namesOf(client), settings), forwarder)));
  const ours = await own.listen('127.0.0.1', 0);
  await knows(theirs, 'web.default.svc.cluster.local', 1, coredns);
  const moved = stack.move();
  return { ours, theirs, client, coredns, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

const aName = (name: string): Asked => ({
  name,
  type: 'A',
  edns: undefined,
  isDnssec: false,
  flags: 0,
  transport: 'udp',
});

/** Resolves when a server returns this many addresses for a name. */
const knows = (port: number, name: string, count: number, { program }: CoreDNS): Promise<void> =>
  eventually(
    async () =>
      compared(await askByTcp(port, messageOf(aName(name), 1)).catch(() => Buffer.alloc(12))).answers.length === count,
    () => program.stdout + program.stderr,
  );

async function compare(
  asked: Asked,
  id: number,
  ports: { readonly ours: number; readonly theirs: number },
): Promise<Pair> {
  const ask = asked.transport === 'tcp' ? askByTcp : askByUdp;
  const message = messageOf(asked, id);
  const [ours, theirs] = await Promise.all([ask(ports.ours, message), ask(ports.theirs, message)]);
  return { asked, ours: compared(ours), theirs: compared(theirs) };
}

/** Runs a function for each number below the count, with limited concurrency. */
async function each(count: number, one: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

test.each(SEEDS)('responds like CoreDNS on the objects of seed %i', { ...options, timeout: 300_000 }, async (seed) => {
  await using servers = await bothServers(seed);
  const draw = new Draw(seed);
  const questions = Array.from({ length: QUERIES }, () => aQuestion(draw));
  const differences: Pair[] = [];
  const meant = new Map<string, number>();
  await each(QUERIES, async (id) => {
    const [asked] = questions.slice(id, id + 1);
    if (asked === undefined) return;
    const pair = await compare(asked, id, servers);
    const name = differenceOf(pair);
    if (name === '') differences.push(pair);
    else if (name !== undefined) meant.set(name, (meant.get(name) ?? 0) + 1);
  });
  console.log(`${QUERIES} questions; meant differences:`, Object.fromEntries(meant));
  const file = process.env['DAVIT_DNS_OUT'];
  if (file !== undefined) writeFileSync(`${file}.${seed}`, differences.map((one) => JSON.stringify(one)).join('\n'));
  expect(differences).toEqual([]);
});

test('responds to malformed messages like CoreDNS', { ...options, timeout: 300_000 }, async () => {
  await using servers = await bothServers(1);
  const draw = new Draw(7);
  const differences: object[] = [];
  const messages = Array.from({ length: QUERIES }, (_, id) => aFaultyMessage(draw, id));
  await each(QUERIES, async (id) => {
    const [message = Buffer.alloc(0)] = messages.slice(id, id + 1);
    const [ours, theirs] = await Promise.all([askByTcp(servers.ours, message), askByTcp(servers.theirs, message)]);
    const [own, other] = [ours, theirs].map((one) =>
      one.length < 12 ? 'none' : `${(one[3] ?? 0) & 15} ${((one[2] ?? 0) & 0x79).toString(16)}`,
    );
    if (own !== other && !isMeantFault(message)) differences.push({ message: message.toString('hex'), own, other });
  });
  const file = process.env['DAVIT_DNS_OUT'];
  if (file !== undefined) writeFileSync(`${file}.faults`, differences.map((one) => JSON.stringify(one)).join('\n'));
  expect(differences).toEqual([]);
});

test('CoreDNS follows the Services of the server by its watches', { ...options, timeout: 60_000 }, async () => {
  await using servers = await bothServers(1);
  const late: Client = servers.client;
  const metadata = { name: 'late', namespace: 'default' };
  await late.create(SERVICES, { metadata, spec: { clusterIP: '10.96.0.99', ports: [{ port: 1 }] } });
  await knows(servers.theirs, 'late.default.svc.cluster.local', 1, servers.coredns);
  await late.delete({ resource: SERVICES, ...metadata });
  await knows(servers.theirs, 'late.default.svc.cluster.local', 0, servers.coredns);
});

test('the recorded responses of CoreDNS are up to date', { ...options, timeout: 60_000 }, async () => {
  await using servers = await bothServers(1);
  const recorded = await Promise.all(
    recordedQuestions().map(async (asked, id) => {
      const { theirs } = await compare(asked, id, servers);
      return { name: asked.name, type: asked.type, ...theirs };
    }),
  );
  await expect(`[\n${recorded.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`).toMatchFileSnapshot(
    'core-dns.json',
  );
});
