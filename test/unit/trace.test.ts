import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { logLine } from '#adapters/process/log-line.ts';
import { carryingInvocation, collectCommits, duringWork, noteCommit } from '#adapters/process/work.ts';
import { buildApiserver } from '#functions/apiserver/wiring.ts';
import { builtInReconcilers, ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { work } from '#functions/reconcilers/work.ts';
import { linesOf } from '#functions/stream/lines.ts';
import { buildStream } from '#functions/stream/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { encodeMessage, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { builtInHop } from '#lib/controllers/first-hop.ts';
import { referenceOfKey } from '#lib/controllers/objects-of-keys.ts';
import { ensureBootstrapPolicy } from '#lib/controllers/rbac-bootstrap/reconcile.ts';
import { resourceVersionOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import { invocationLines } from '#lib/sdk/invocation/line.ts';
import { invocationRecorder } from '#lib/sdk/invocation/recorder.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { MemoryDeadLetters } from '#lib/stream/memory-dead-letters.ts';

const clock = new ManualClock();
const store = new MemoryStore({ clock, retention: 3_600_000 });
const tokens = new ControllerTokens();
const faults: unknown[] = [];
const apiserver = buildApiserver({
  store,
  clock,
  exclusive: false,
  cacheBytes: 2 ** 26,
  serverAddress: '127.0.0.1:6443',
  tokens: new Map(tokens.users()),
  committed: noteCommit,
  requestLog: { every: false, write: logLine, collect: collectCommits },
  reportFault: (_auditId, error) => faults.push(error),
});
const server = { ...apiserver, handle: carryingInvocation(apiserver.handle) };
const user = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'kubectl' });
const queue: ReconcileMessage[] = [];
const stream = buildStream({
  store,
  clock,
  bus: { send: async () => [] },
  queue: {
    send: async (messages) => {
      queue.push(...messages);
      return [];
    },
  },
  deadLetters: new MemoryDeadLetters(),
  clusterId: 'davit',
  publish: [],
  reconcilers: [builtInHop],
});

/** One invocation of the doorbell, logged as its handler does. */
async function ring(): Promise<void> {
  await duringWork({ requestId: 'ring' }, async () => {
    const outcome = await stream.handle({ ringAll: true }, { hasTime: () => true });
    for (const line of linesOf(outcome, 'doorbell', clock.now())) logLine(line);
  });
}

/** One batch of the built-in reconcilers' queue, processed as their handler does. */
async function reconcile(): Promise<void> {
  const options = {
    authority: 'PEM',
    address: { host: '127.0.0.1', port: 6443 },
    clock,
    events: new EventCorrelator(clock),
    index: store,
    controllers: ['*'],
  };
  const make = () => builtInReconcilers(server, tokens, options);
  const within = <T>(invocation: string, run: () => Promise<T>) => duringWork({ requestId: 'batch', invocation }, run);
  const log = { info: () => undefined, error: () => undefined };
  await work(
    queue.splice(0).map((message, i) => ({ id: `${i}`, body: encodeMessage(message) })),
    { make, lasting: make(), off: new Set(), store, index: store, client: user },
    {
      clock,
      known: new KnownVersions(),
      deadline: clock.monotonic() + 1,
      maxAttempts: 10,
      random: () => 0,
      nonce: newUid,
      onError: (_message, error) => faults.push(error),
      queues: {
        send: async (message) => void queue.push(message),
        later: async () => undefined,
        deadLetter: async (body) => void faults.push(body),
      },
      observe: invocationRecorder({
        clock,
        log,
        sinks: [invocationLines(logLine)],
        nonce: newUid,
        objectOf: referenceOfKey,
        keepsLogs: false,
        within,
      }),
    },
  );
}

interface Line {
  readonly timestamp: string;
  readonly requestId?: string;
  readonly message?: string;
  readonly auditId?: string;
  readonly writes?: readonly string[];
  readonly sequence?: string;
  readonly consumer?: string;
  readonly from?: number;
  readonly to?: number;
  readonly event?: string;
  readonly function?: string;
  readonly change?: string;
  readonly id?: string;
}
const lines: Line[] = [];
let spied: { mockRestore(): void } | undefined;

beforeAll(async () => {
  spied = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(JSON.parse(String(line))) > 0);
  for (const name of ['kube-system', 'kube-public', 'default'])
    await user.create({ group: '', version: 'v1', resource: 'namespaces' }, { metadata: { name } });
  await ensureBootstrapPolicy(user);
  await ring();
  queue.splice(0); // earlier lines are not part of this test
  lines.splice(0);
});
afterAll(() => {
  spied?.mockRestore();
});

test('the audit id of a write appears in the log lines of the doorbell, the reconcilers and the resulting requests', async () => {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
  const create = () => user.create(deployments, { metadata: { name: 'web', namespace: 'default' }, spec });
  const created = await duringWork({ requestId: 'front', invocation: 'audit-1' }, create); // the client sends an audit id
  await ring();
  while (queue.length > 0) await reconcile();
  spied?.mockRestore();

  // 1. the front door
  const [request, ...others] = lines.filter((line) => line.message === 'request' && line.auditId === 'audit-1');
  const position = `main/apps/deployments@${resourceVersionOf(created)}`;
  expect([request, others]).toMatchObject([
    { requestId: 'front', method: 'POST', status: 201, writes: [position] },
    [],
  ]);
  // 2. the doorbell
  const [sequence, version] = [position.split('@')[0], Number(position.split('@')[1])];
  const delivered = lines.filter(
    ({ message, from = 0, to = 0, ...line }) =>
      message === 'delivered' && line.sequence === sequence && from < version && version <= to,
  );
  expect(delivered.map(({ consumer, requestId }) => `${consumer} ${requestId}`).toSorted()).toEqual([
    'events ring',
    'requests ring',
  ]);
  // 3. the reconcilers
  const invocations = lines.filter((line) => line.event === 'invocation' && line.change === position);
  expect(invocations.map((line) => line.function)).toEqual(
    expect.arrayContaining(['built-in', 'deployment-controller']),
  );
  // 4. their own requests
  const { id } = invocations.find((line) => line.function === 'deployment-controller') ?? {};
  const next = lines.filter((line) => line.message === 'request' && line.auditId === id);
  const written = next.flatMap(({ writes = [] }) => writes);
  expect(written).toContainEqual(expect.stringMatching(/^main\/apps\/replicasets@\d+$/));
  expect(next.every(({ requestId }) => requestId === 'batch')).toBe(true);
  expect(lines.every(({ timestamp }) => !Number.isNaN(Date.parse(timestamp)))).toBe(true);
  expect(faults).toEqual([]);
});
