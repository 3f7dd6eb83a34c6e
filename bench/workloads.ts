import { setTimeout as sleep } from 'node:timers/promises';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { Connection } from './connection.ts';
import { forEachOf } from './samples.ts';
import { processorTime, residentMemory, ServerProcess } from './server.ts';

const DEPLOYMENTS = 1_000;
const REPLICAS = 3;
const OBJECTS = 5_000;
const NAMESPACE = 'bench';
const PATIENCE = 600_000;

/** Prints how long many deployments take to get their pods, which become ready immediately. */
export async function measureDeployments(): Promise<void> {
  const many = Number(process.env['DAVIT_BENCH_DEPLOYMENTS'] ?? DEPLOYMENTS);
  await using server = new ServerProcess();
  await server.start();
  const api = new Connection(server.access);
  const kubelet = new Connection(server.access);
  await begin(api);
  await simulatePods(kubelet);
  const isSettled = await availability(api, many);
  const requests = await requestsOf(api);
  const began = start(server);
  await forEachOf(many, 16, (i) =>
    api.request('POST', `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, aDeployment(i)),
  );
  const created = performance.now() - began.at;
  await until(async () => isSettled());
  console.log(`${many} deployments of ${REPLICAS}: created in ${seconds(created)}, settled in ${spent(server, began)}`);
  const each = ((await requestsOf(api)) - requests) / many;
  console.log(
    `requests for each deployment: ${each.toFixed(1)}, of which the user's and its pods' nodes' are ${1 + REPLICAS}`,
  );
  const idle = start(server);
  await sleep(10_000);
  console.log(
    `ten seconds in which nothing changes: ${spent(server, idle)}; ${residentMemory(server.pid).toFixed(0)} MiB`,
  );
  api.close();
  kubelet.close();
  complain(server);
}

/** Prints how long the deletion of a namespace with many objects takes. */
export async function measureNamespace(): Promise<void> {
  await using server = new ServerProcess();
  await server.start();
  const api = new Connection(server.access);
  await begin(api);
  for (const resource of ['configmaps', 'secrets'])
    await forEachOf(OBJECTS / 2, 16, (i) =>
      api.request('POST', `/api/v1/namespaces/${NAMESPACE}/${resource}`, { metadata: { name: `o-${i}` } }),
    );
  const began = start(server);
  await api.request('DELETE', `/api/v1/namespaces/${NAMESPACE}`);
  await until(async () => (await api.ask('GET', `/api/v1/namespaces/${NAMESPACE}`)).status === 404);
  console.log(`a namespace of ${OBJECTS} objects is gone in ${spent(server, began)}`);
  api.close();
  complain(server);
}

async function begin(api: Connection): Promise<void> {
  await api.request('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  await until(
    async () => (await api.ask('GET', `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default`)).status === 200,
  );
}

const aDeployment = (i: number): JsonObject => ({
  metadata: { name: `d-${i}` },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { app: `d-${i}` } },
    template: { metadata: { labels: { app: `d-${i}` } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

/** Makes pods ready as soon as they exist. */
async function simulatePods(api: Connection): Promise<void> {
  const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
  await api.watch(`${pods}?watch=true`, (line) => {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: JsonObject };
    if (type !== 'ADDED' || isDeleting(object)) return;
    const conditions = [
      { type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString().slice(0, 19) + 'Z' },
    ];
    const status = { phase: 'Running', conditions };
    void api.ask('PATCH', `${pods}/${nameOf(object)}/status`, { status }, 'application/merge-patch+json');
  });
}

/** Watches deployments. The returned function reports whether this many are fully available. */
async function availability(api: Connection, many: number): Promise<() => boolean> {
  const done = new Set<string>();
  await api.watch(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments?watch=true`, (line) => {
    const { object } = JSON.parse(line) as { readonly object: JsonObject };
    const isDone = arrayAt(objectAt(object, 'status'), 'conditions').some(
      (c) => isObject(c) && stringAt(c, 'reason') === 'NewReplicaSetAvailable',
    );
    if (isDone) done.add(nameOf(object));
  });
  return () => done.size === many;
}

/** Requests that the server has served so far, including those of its own controllers. */
async function requestsOf(api: Connection): Promise<number> {
  const text = (await api.request('GET', '/metrics')).toString();
  const counts = text.matchAll(/^apiserver_request_total\{.*\} (\d+)$/gm);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE; !(await isDone()); await sleep(250))
    if (performance.now() > end) throw new Error('it takes too long');
}

const start = ({ pid }: ServerProcess) => ({ at: performance.now(), used: processorTime(pid) });

const spent = ({ pid }: ServerProcess, since: ReturnType<typeof start>): string =>
  `${seconds(performance.now() - since.at)}, ${(processorTime(pid) - since.used).toFixed(1)} s of processor time`;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

function complain({ complaints }: ServerProcess): void {
  if (complaints !== '') console.error(complaints.slice(0, 2000));
}
