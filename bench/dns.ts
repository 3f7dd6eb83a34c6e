import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { encode, type RecordType } from 'dns-packet';
import { systemClock as clock } from '#adapters/clock.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { buildCoreDNS } from '#test/support/clients/coredns.ts';
import { askByTcp, compared } from '#test/support/dns/ask.ts';
import { CoreDNS, overHttp } from '#test/support/dns/core-dns.ts';
import { create } from '#test/support/dns/objects.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { DNS_SERVICES, manyObjects } from './dns-objects.ts';
import { quantile } from './samples.ts';

const ROUNDS = 7;
/** The length of a round in ms. */
const TURN = 2000;
const SOCKETS = 4;
/** The number of outstanding queries per socket. */
const AT_ONCE = 16;
/** Clock ticks per second in /proc. */
const TICKS = 100;

/** A DNS server to measure. */
interface Side {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
}

/** The result of one round for one server: queries per second, and microseconds of processor time per query. */
interface Sample {
  readonly rate: number;
  readonly processor: number;
}

/**
 * Prints the queries per second that the node agent's DNS and CoreDNS answer over UDP, and the processor time per query. Rounds alternate
 * between the two, which serve the same 1,000 Services with ten endpoints each.
 */
export async function measureDns(): Promise<void> {
  const program = new RunningProgram(process.execPath, ['bench/dns-server.ts']);
  await using stack = new AsyncDisposableStack();
  stack.use(program);
  await eventually(
    () => program.stdout.includes('\n'),
    () => program.stderr,
  );
  const sides: Side[] = [{ name: 'agent', port: Number(program.stdout.trim()), pid: program.child.pid ?? 0 }];
  const built = await buildCoreDNS();
  if ('path' in built) sides.push(await coreDNS(built.path, stack));
  else console.log(`no CoreDNS beside it: ${built.missing}`);
  const mixes: [name: string, queries: Buffer[]][] = [
    [
      'A of a Service',
      queries(
        (i) => [`s${i}.default.svc.cluster.local`, 'A'],
        (i) => i % 10 !== 0,
      ),
    ],
    [
      'SRV of a headless Service',
      queries(
        (i) => [`_http._tcp.s${i}.default.svc.cluster.local`, 'SRV'],
        (i) => i % 10 === 0,
      ),
    ],
    ['the search path of a pod: 3 unknown names, 1 known', searches()],
  ];
  for (const [name, messages] of mixes) await compare(name, messages, sides);
  console.log(
    `load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}`,
  );
}

async function coreDNS(path: string, stack: AsyncDisposableStack): Promise<Side> {
  const { server } = serverInProcess({
    clock,
    tokens: new Map([['admin', { name: 'admin', groups: [SYSTEM_MASTERS] }]]),
  });
  stack.defer(() => server.close());
  const client = apiClient({ handle: server.handle.bind(server), token: 'admin', userAgent: 'bench' });
  await create(client, manyObjects());
  const api = stack.adopt(await overHttp(server, 'admin'), (one) => {
    one.close();
    one.closeAllConnections();
  });
  const bound = api.address();
  const port = await freePort();
  const ports = { dns: port, api: typeof bound === 'object' ? (bound?.port ?? 0) : 0, upstream: 9 };
  const { program } = stack.use(new CoreDNS(path, ports));
  const last = encode({
    type: 'query',
    questions: [{ name: `s${DNS_SERVICES - 1}.default.svc.cluster.local`, type: 'A' }],
  });
  await eventually(
    async () => compared(await askByTcp(port, last).catch(() => Buffer.alloc(12))).answers.length > 0,
    () => program.stderr,
  );
  return { name: 'CoreDNS', port, pid: program.child.pid ?? 0 };
}

type Named = readonly [name: string, type: RecordType];

const messageOf = ([name, type]: Named): Buffer =>
  encode({ type: 'query', flags: 0x0100, questions: [{ name, type }] });

const queries = (named: (i: number) => Named, isTaken: (i: number) => boolean): Buffer[] =>
  Array.from({ length: DNS_SERVICES }, (_, i) => i)
    .filter(isTaken)
    .map((i) => messageOf(named(i)));

/** Uses `ndots:5` and a pod's search path for a name in another namespace. */
const searches = (): Buffer[] =>
  Array.from({ length: DNS_SERVICES }, (_, i) => `s${i}.default.svc.cluster.local`).flatMap((name) =>
    ['.kube-system.svc.cluster.local', '.svc.cluster.local', '.cluster.local', ''].map((search) =>
      messageOf([name + search, 'A']),
    ),
  );

async function compare(name: string, messages: readonly Buffer[], sides: readonly Side[]): Promise<void> {
  const samples = sides.map((): Sample[] => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, side] of sides.entries()) {
      const sample = await ask(side, messages);
      if (round > 0) samples[at]?.push(sample); // the first round is a warm-up
    }
  const medians = samples.map((all) => ({
    rate: quantile(
      all.map(({ rate }) => rate),
      0.5,
    ),
    processor: quantile(
      all.map(({ processor }) => processor),
      0.5,
    ),
  }));
  console.log(name);
  for (const [at, side] of sides.entries()) {
    const { rate = 0, processor = 0 } = medians[at] ?? {};
    console.log(
      `  ${side.name}: ${rate.toFixed(0)} queries a second, ${processor.toFixed(1)} µs of processor time each, ${memory(side.pid)} MiB`,
    );
  }
  const ratios = (pick: (sample: Sample) => number): string =>
    quantile(
      (samples[0] ?? []).map((own, i) => pick(own) / pick(samples[1]?.[i] ?? own)),
      0.5,
    ).toFixed(2);
  if (sides.length > 1)
    console.log(
      `  agent / CoreDNS: rate ${ratios(({ rate }) => rate)}, processor time ${ratios(({ processor }) => processor)}`,
    );
}

/** Sends queries for one round, as fast as responses arrive. */
async function ask({ port, pid }: Side, messages: readonly Buffer[]): Promise<Sample> {
  let answered = 0;
  let next = 0;
  const send = (socket: Socket): void => socket.send(messages[next++ % messages.length] ?? '');
  const sockets = await Promise.all(
    Array.from({ length: SOCKETS }, async () => {
      const socket = createSocket('udp4');
      socket.on('error', () => undefined);
      socket.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.on('message', () => {
        answered++;
        send(socket);
      });
      return socket;
    }),
  );
  const [began, before] = [performance.now(), processorTime(pid)];
  for (const socket of sockets) for (let i = 0; i < AT_ONCE; i++) send(socket);
  await sleep(TURN);
  const [seconds, processor] = [(performance.now() - began) / 1000, processorTime(pid) - before];
  for (const socket of sockets) socket.close();
  return { rate: answered / seconds, processor: (processor * 1000) / answered };
}

/** Processor time of a process so far, in milliseconds. */
function processorTime(pid: number): number {
  const [utime, stime] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ').slice(11, 13);
  return ((Number(utime) + Number(stime)) * 1000) / TICKS;
}

const memory = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
