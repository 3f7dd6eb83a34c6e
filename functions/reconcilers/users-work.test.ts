import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { BatchPorts } from '#lib/client/controller/batch.ts';
import { encodeMessage, messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { afterDeployment, everyObject, workOfUsers } from './users-work.ts';

const QUEUE = 'sites.fifo';
const about = (name: string, version = 2, reconciler = 'sites'): ReconcileMessage =>
  messageOf({ reconciler, queue: QUEUE, cluster: 'main', namespace: 'ns', name, sequence: 'main/x/sites', version });

function aWorld(reconcile: Reconciler['reconcile'] = async () => undefined) {
  const clock = new ManualClock();
  const [worked, waiting, dead] = [new Array<string>(), new Array<ReconcileMessage>(), new Array<string>()];
  const reconciler: Reconciler = {
    name: 'sites',
    keys: () => [],
    all: async () => ['ns/a', 'ns/b', '/wide'],
    reconcile(key, signal) {
      worked.push(key);
      return reconcile(key, signal);
    },
  };
  const ports: Omit<BatchPorts, 'workerOf'> = {
    clock,
    queues: {
      send: async () => undefined,
      later: async (message) => void waiting.push(message),
      deadLetter: async (body) => void dead.push(body),
    },
    known: new KnownVersions(),
    deadline: 60_000,
    maxAttempts: 3,
    random: () => 0,
    nonce: () => 'n',
    onError: () => undefined,
  };
  const batch = (...all: ReconcileMessage[]) =>
    all.map((message, i) => ({ id: String(i), body: encodeMessage(message) }));
  return { reconciler, ports, worked, waiting, dead, batch };
}

test('reconciles each object of a batch once, and skips outdated messages', async () => {
  const { reconciler, ports, worked, batch } = aWorld();
  expect(await workOfUsers(batch(about('a'), about('b'), about('a', 3)), reconciler, ports)).toEqual([]);
  await workOfUsers(batch(about('a', 3)), reconciler, ports);
  expect(worked).toEqual(['ns/a', 'ns/b']);
});

test('sends a later attempt to the same queue', async () => {
  const { reconciler, ports, waiting, batch } = aWorld(async () => ({ requeueAfter: 5000 }));
  await workOfUsers(batch(about('a')), reconciler, ports);
  expect(waiting).toMatchObject([{ reconciler: 'sites', name: 'a', queue: QUEUE, later: 'n' }]);
});

test('treats a message for another reconciler as a failed attempt', async () => {
  const { reconciler, ports, worked, dead, batch } = aWorld();
  await workOfUsers(batch({ ...about('a', 2, 'pages'), attempt: 3 }), reconciler, ports);
  expect({ worked, dead: dead.length }).toEqual({ worked: [], dead: 1 });
});

test('requests every object on a schedule, with messages that are not dropped as duplicates', async () => {
  const { reconciler } = aWorld();
  const sent: ReconcileMessage[] = [];
  await everyObject(reconciler, {
    queue: QUEUE,
    nonce: () => 'n',
    send: async (one) => void sent.push(one),
    later: () => Promise.reject(new Error('nothing waits')),
  });
  expect(sent.map(({ namespace, name, queue, later }) => [namespace, name, queue, later].join())).toEqual([
    'ns,a,sites.fifo,n',
    'ns,b,sites.fifo,n',
    ',wide,sites.fifo,n',
  ]);
});

test.each([
  ['Update', 2, ['a 0', 'b 0', 'wide 1000']],
  ['Update', 1, ['a 0', 'b 1000', 'wide 2000']],
  ['Update', 0, []],
  ['Create', 2, []],
  ['Delete', 2, []],
] as const)(
  'reconciles after a deployment of type %s %i objects per second',
  async (RequestType, perSecond, expected) => {
    const answers: unknown[] = [];
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      answers.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      response.end();
    };
    const cloudFormation = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
    await once(cloudFormation, 'listening');
    const ResponseURL = `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}/`;
    const { reconciler } = aWorld();
    const begun: string[] = [];
    const ids = { StackId: 's', RequestId: '1', LogicalResourceId: 'Deployed' };
    await afterDeployment(
      { RequestType, ResponseURL, ...ids },
      {
        reconciler,
        perSecond,
        queue: QUEUE,
        nonce: () => 'n',
        send: async ({ name }) => void begun.push(`${name} 0`),
        later: async ({ name, queue }, milliseconds) =>
          void begun.push(`${name} ${queue === QUEUE ? milliseconds : queue}`),
      },
    );
    cloudFormation.close();
    expect(begun).toEqual(expected);
    expect(answers).toMatchObject([{ Status: 'SUCCESS', LogicalResourceId: 'Deployed' }]);
  },
);
