import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { residentMemory } from '#bench/server.ts';
import { eventually } from '#test/support/eventually.ts';
import { DataDirectory, DavitProcess } from '../davit-process.ts';
import { type Ending, slowClient, type Target } from './slow-client.ts';

const isFull = process.env['DAVIT_FULL'] !== undefined;
const COUNT = Math.min(isFull ? 10_000 : 1000, openFiles() - 500);
const OPENING = 64;
const MAPS = '/api/v1/namespaces/default/configmaps';
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
const HELLO = Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), Buffer.alloc(100)]);

const head = (line: string, ...more: string[]): string => [`${line} HTTP/1.1`, 'Host: x', ...more, ''].join('\r\n');
const post = (...more: string[]): string => `${head(`POST ${MAPS}`, ...more, 'Content-Length: 1000')}\r\n{`;
const MALLORY = 'Authorization: Bearer mallorys';

interface Kind {
  readonly share: number;
  readonly protocol: 'tcp' | 'http/1.1' | 'h2';
  readonly sent: string | Uint8Array;
  /** Does not read the response until the server must have given up. */
  readonly readsLate?: boolean;
  refused(ending: Ending): boolean;
}

/** The clients that last longest are opened first, so that all of them are open at the same time. */
const KINDS: Readonly<Record<string, Kind>> = {
  'idle HTTP/2': { share: 0.1, protocol: 'h2', sent: PREFACE, refused: ({ bytes }) => bytes < 1000 },
  'a list that nobody reads': {
    share: 0.01,
    protocol: 'http/1.1',
    sent: `${head(`GET ${MAPS}`, MALLORY)}\r\n`,
    readsLate: true,
    refused: ({ told, bytes }) => / (200|429) /.test(status(told)) && bytes < LISTED,
  },
  'a watch that nobody reads': {
    share: 0.01,
    protocol: 'http/1.1',
    sent: `${head(`GET ${MAPS}?watch=1`, MALLORY)}\r\n`,
    readsLate: true,
    refused: ({ told, bytes }) => / (200|429) /.test(status(told)) && bytes < LISTED,
  },
  'a body that does not come, of somebody': {
    share: 0.05,
    protocol: 'http/1.1',
    sent: post(MALLORY),
    refused: ({ told }) => / (408|429|504) /.test(status(told)),
  },
  'a body that does not come, of nobody': {
    share: 0.13,
    protocol: 'http/1.1',
    sent: post(),
    refused: ({ told }) => / (403|429) /.test(status(told)),
  },
  'headers without end': {
    share: 0.25,
    protocol: 'http/1.1',
    sent: head('GET /version'),
    refused: ({ told }) => status(told).includes(' 408 '),
  },
  'half a hello': { share: 0.15, protocol: 'tcp', sent: HELLO, refused: ({ bytes }) => bytes < 100 },
  silence: { share: 0.3, protocol: 'tcp', sent: '', refused: ({ bytes }) => bytes === 0 },
};
const OBJECTS = 30;
const LISTED = OBJECTS * 500_000;

const status = (told: string): string => told.slice(0, told.indexOf('\r\n'));

function openFiles(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 1024);
}

const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

function asked(target: Target, path: string, { agent, body }: { agent?: Agent; body?: object } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port: target.port,
      ca: target.certificateAuthority,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: 'Bearer admins', 'content-type': 'application/json' },
      agent: agent ?? false,
    });
    sent.on('error', reject).on('response', (response) => {
      response
        .resume()
        .on('error', reject)
        .on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function prepare(target: Target): Promise<void> {
  const GROUP = 'rbac.authorization.k8s.io';
  const role = { metadata: { name: 'maps' }, rules: [{ verbs: ['*'], apiGroups: [''], resources: ['configmaps'] }] };
  const subjects = [{ apiGroup: GROUP, kind: 'Group', name: 'dev' }];
  const binding = {
    metadata: { name: 'dev' },
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'maps' },
    subjects,
  };
  const made = [await asked(target, `/apis/${GROUP}/v1/clusterroles`, { body: role })];
  made.push(await asked(target, `/apis/${GROUP}/v1/clusterrolebindings`, { body: binding }));
  await eventually(async () => expect(await asked(target, '/api/v1/namespaces/default')).toBe(200));
  for (let i = 0; i < OBJECTS; i++)
    made.push(await asked(target, MAPS, { body: { metadata: { name: `m-${i}` }, data: { a: 'x'.repeat(500_000) } } }));
  expect(new Set(made)).toEqual(new Set([201]));
}

/** Sends requests repeatedly, both over one persistent connection and over new ones. */
async function goodClient(
  target: Target,
  until: { over: boolean },
): Promise<readonly [told: number | string, took: number][]> {
  const agent = new Agent({ keepAlive: true });
  const answers: [number | string, number][] = [];
  while (!until.over) {
    const begun = performance.now();
    const by = answers.length % 4 === 0 ? {} : { agent };
    const code = await asked(target, '/api/v1/namespaces/default', by).catch(String);
    answers.push([code, performance.now() - begun]);
    await sleep(200);
  }
  agent.destroy();
  return answers;
}

test(`${COUNT} slow clients are all disconnected and delay no other client`, { timeout: 400_000 }, async () => {
  using data = new DataDirectory();
  const tokens = join(data.path, 'tokens.csv');
  writeFileSync(tokens, 'admins,root,1,system:masters\nmallorys,mallory,2,dev\n');
  await using davit = await DavitProcess.start(data.path, 0, ['--token-auth-file', tokens]);
  const ca = /certificate-authority-data: (\S+)/.exec(readFileSync(davit.kubeconfig, 'utf8'))?.[1] ?? '';
  const target: Target = { port: davit.port, certificateAuthority: Buffer.from(ca, 'base64').toString() };
  const pid = davit.program.child.pid ?? 0;
  await prepare(target);
  const [files, memory] = [filesOf(pid), residentMemory(pid)];

  const until = { over: false };
  const good = goodClient(target, until);
  const begun = performance.now();
  const late = Promise.withResolvers<void>();
  const readsAfter = late.promise;
  const endings = new Map<string, Promise<Ending>[]>();
  for (const [name, { share, protocol, sent, readsLate = false }] of Object.entries(KINDS)) {
    const all: Promise<Ending>[] = [];
    endings.set(name, all);
    let left = Math.round(COUNT * share);
    const open = async (): Promise<void> => {
      while (left-- > 0) {
        const client = await slowClient(target, { protocol, sent, ...(readsLate ? { readsAfter } : {}) });
        all.push(client.ending);
      }
    };
    await Promise.all(Array.from({ length: OPENING }, open));
  }
  const opened = performance.now() - begun;
  const most = filesOf(pid) - files;
  setTimeout(() => late.resolve(), 75_000);
  const told: string[] = [];
  for (const [name, { refused }] of Object.entries(KINDS)) {
    const all = await Promise.all(endings.get(name) ?? []);
    const times = all.map(({ milliseconds }) => milliseconds / 1000);
    const wrong = all.filter((ending) => !refused(ending));
    told.push(`${name}: ${all.length}, after ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} s`);
    expect(wrong.slice(0, 3), name).toEqual([]);
  }
  until.over = true;
  const answers = await good;
  const took = answers.map(([, milliseconds]) => milliseconds).toSorted((a, b) => a - b);
  const peak = residentMemory(pid, 'VmHWM');
  console.log(
    [
      `${COUNT} slow clients in ${(opened / 1000).toFixed(0)} s, ${most} connections open at once; memory ${memory.toFixed(0)} MiB, at most ${peak.toFixed(0)}`,
      ...told,
      `a good client: ${took.length} answers, p50 ${at(took, 0.5)} ms, p99 ${at(took, 0.99)} ms, longest ${at(took, 1)} ms`,
    ].join('\n'),
  );
  expect(new Set(answers.map(([code]) => code))).toEqual(new Set([200]));
  expect(at(took, 1)).toBeLessThan(30_000);
  expect(peak - memory).toBeLessThan(200 + COUNT * 0.08);
  await eventually(() => expect(filesOf(pid)).toBeLessThan(files + 20));
});

const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
