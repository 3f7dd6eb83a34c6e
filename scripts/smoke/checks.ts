import { typedObject } from '#lib/api/typed.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { type Deployment, eventually, textOf } from './deployment.ts';
import { type Check, Skipped } from './report.ts';

const core = (resource: string) => ({ group: '', version: 'v1', resource });
const DEPLOYMENTS = { group: 'apps', version: 'v1', resource: 'deployments' };
const REVIEWS = { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews' };
const REPLICAS = 2;
/** The requested length of the watch in seconds. An emulator that buffers delivers the events only at the end of the watch. */
const WATCH_SECONDS = 15;

/** Checks that every control plane must pass, in order. Objects are in `namespace`, which `cleanup` deletes. */
export const checksOf = (deployment: Deployment, namespace: string): readonly Check[] => [
  ...accessChecks(deployment),
  ...workChecks(deployment, namespace),
];

function accessChecks({ client, get, anonymously, withForeignCertificate }: Deployment): readonly Check[] {
  return [
    { says: 'the API server is ready', run: async () => expectStatus(await get('/readyz'), 200) },
    {
      says: 'it tells its version',
      run: async () => stringAt(await client.document('/version'), 'gitVersion'),
    },
    {
      says: 'it serves built-in kinds',
      run: async () => `${arrayAt(await client.document('/api/v1'), 'resources').length} of the core group`,
    },
    {
      says: 'it knows who asks',
      run: async () => {
        const review = await client.create(REVIEWS, { metadata: {} });
        return stringAt(objectAt(objectAt(review, 'status'), 'userInfo'), 'username');
      },
    },
    {
      says: 'it refuses secrets to a client without a token',
      run: async () => expectStatus(await anonymously('/api/v1/secrets'), 401, 403),
    },
    {
      says: 'it refuses a client certificate of another authority',
      run: async () => expectStatus(await withForeignCertificate('/api/v1/secrets'), 401, 403),
    },
  ];
}

/** Checks that a deployment's front door accepts client-certificate headers only from CloudFront. */
export const frontDoorCheck = ({ anonymously }: Deployment): Check => ({
  says: 'it refuses the headers of a client certificate from anyone but CloudFront',
  run: async () => {
    const forged = { 'cloudfront-viewer-cert-present': '1', 'cloudfront-viewer-cert-pem': 'forged' };
    return expectStatus(await anonymously('/api/v1/secrets', forged), 401, 403);
  },
});

function workChecks(deployment: Deployment, namespace: string): readonly Check[] {
  const { client } = deployment;
  const name = 'smoke';
  const ref = { resource: DEPLOYMENTS, namespace, name };
  const pods = (): Promise<JsonObject[]> => client.list(core('pods'), { namespace, labelSelector: `app=${name}` });
  return [
    {
      says: 'a namespace is created',
      run: async () => void (await client.create(core('namespaces'), { metadata: { name: namespace } })),
    },
    { says: 'a watch receives an event', run: () => watched(deployment, namespace) },
    {
      says: 'the reconcilers create the default service account',
      run: async () => {
        const account = { resource: core('serviceaccounts'), namespace, name: 'default' };
        await eventually(
          () => client.get(account),
          () => 'there is none: do the doorbell and the reconcilers run?',
        );
      },
    },
    {
      says: 'a deployment gets its replica set and pods',
      run: async () => {
        await client.create(DEPLOYMENTS, deploymentObject(namespace, name));
        return countOf(pods, REPLICAS);
      },
    },
    { says: 'the scheduler looks at a pod', run: () => scheduled(pods) },
    { says: 'logs of a pod are answered', run: async () => logs(deployment, namespace, await pods()) },
    {
      says: 'a deployment scales down',
      run: async () => {
        await client.patch(ref, { spec: { replicas: 1 } }, 'scale');
        return countOf(pods, 1);
      },
    },
  ];
}

/** Deletes the objects of the checks, regardless of the results. */
export function cleanup({ client }: Deployment, namespace: string): Check {
  const ref = { resource: core('namespaces'), namespace: '', name: namespace };
  return {
    says: 'the namespace goes with all that is in it',
    run: async () => {
      if ((await client.get(ref)) === undefined) throw new Skipped('it was not made');
      await client.delete(ref);
      await eventually(
        async () => ((await client.get(ref)) === undefined ? true : undefined),
        () => `kubectl get namespace ${namespace} says what is left`,
      );
    },
  };
}

const deploymentObject = (namespace: string, name: string): JsonObject => ({
  metadata: { name, namespace },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }] },
    },
  },
});

function expectStatus({ status }: { readonly status: number }, ...wanted: readonly number[]): string {
  if (!wanted.includes(status)) throw new TypeError(`the answer is ${status}, not ${wanted.join(' or ')}`);
  return `${status}`;
}

async function countOf(pods: () => Promise<JsonObject[]>, wanted: number): Promise<string> {
  let count = 0;
  const living = async (): Promise<true | undefined> => {
    const all = await pods();
    count = all.filter((pod) => !isDeleting(pod)).length;
    return count === wanted ? true : undefined;
  };
  await eventually(living, () => `there are ${count} pods, not ${wanted}`);
  return `${wanted} pods`;
}

async function scheduled(pods: () => Promise<JsonObject[]>): Promise<string> {
  const look = async (): Promise<string | undefined> => {
    for (const pod of (await pods()).map((one) => typedObject(PODS, one))) {
      const node = nodeNameOf(pod);
      if (node !== '') return `on node ${node}`;
      const condition = findCondition(pod.status.conditions, 'PodScheduled');
      if (condition !== undefined) return condition.message?.slice(0, 80);
    }
    return undefined;
  };
  return eventually(look, () => 'no pod has a node or a reason: with scheduler=false, --skip scheduler');
}

/** The status of a request for logs of a pod without a node, and for a pod whose container has not started. */
const NO_NODE = 204;
const WAITING = 400;

/** Logs exist once a container has started. A 503 means that the server cannot reach the pod's node. */
async function logs({ get }: Deployment, namespace: string, pods: readonly JsonObject[]): Promise<string> {
  const pod = pods.find((one) => nodeNameOf(typedObject(PODS, one)) !== '') ?? pods[0];
  if (pod === undefined) throw new Skipped('there is no pod');
  const answer = await get(`/api/v1/namespaces/${namespace}/pods/${nameOf(pod)}/log`);
  const text = await textOf(answer);
  if (answer.status === 200) return 'the logs';
  if (answer.status === NO_NODE) return '204: the pod has no node';
  const { value } = decodeJson(Buffer.from(text));
  const status = isObject(value) ? value : {};
  if (stringAt(status, 'kind') !== 'Status') throw new TypeError(`the answer ${answer.status} is no Status: ${text}`);
  const said = `${answer.status}: ${stringAt(status, 'message')?.slice(0, 80)}`;
  if (answer.status === WAITING) return said;
  throw new TypeError(`${said}; if no node runs containers, --skip logs`);
}

/** Creates an object while a watch is open, and waits for its event. A watch that ends early is reopened at its starting version. */
async function watched({ client, get }: Deployment, namespace: string): Promise<string> {
  const maps = core('configmaps');
  const before = await client.create(maps, { metadata: { name: 'before', namespace } });
  const query = `watch=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${resourceVersionOf(before)}`;
  const ending = new AbortController();
  let text = '';
  const look = async (): Promise<string | undefined> => {
    const answer = await get(`/api/v1/namespaces/${namespace}/configmaps?${query}`, {}, ending.signal);
    const { status, body } = answer;
    if (status !== 200 || typeof body === 'string' || body instanceof Uint8Array)
      throw new TypeError(`the answer to a watch is ${status}: ${await textOf(answer)}`);
    text = '';
    for await (const chunk of body) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"name":"smoke"')) return 'ADDED';
    }
    if (text.includes('"type":"ERROR"')) throw new TypeError(`the watch ended with an error: ${text}`);
    return undefined;
  };
  try {
    const waits = eventually(look, () => `watches end without the event: ${text}`);
    const [event] = await Promise.all([waits, client.create(maps, { metadata: { name: 'smoke', namespace } })]);
    return event;
  } finally {
    ending.abort();
  }
}
