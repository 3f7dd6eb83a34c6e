import 'reflect-metadata';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let request: Requester;
const HERE = '/api/v1/namespaces/here';

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  request = requester(server);
  for (const name of ['here', 'limited', 'default']) await made('/api/v1/namespaces', { metadata: { name } });
  for (const name of ['here', 'limited'])
    await made(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  return body;
}

const aPod = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web', ...metadata },
  spec: { containers: [{ name: 'main', image: 'web' }], ...spec },
});
const dryRun = (object: JsonObject, path = `${HERE}/pods`): Promise<Answer> =>
  request('POST', `${path}?dryRun=All`, object);
const messageOf = ({ status, body }: Answer): string => `${status} ${String(body['message'])}`;
const mounts = (pod: JsonObject, field: string): JsonObject[] =>
  items(objectAt(pod, 'spec'), field).flatMap((container) => items(container, 'volumeMounts'));

describe('the plugin NamespaceLifecycle', () => {
  test('rejects a create in a namespace that does not exist', async () => {
    expect(messageOf(await dryRun({ metadata: { name: 'a' } }, '/api/v1/namespaces/absent/configmaps'))).toBe(
      '404 namespaces "absent" not found',
    );
  });

  test('rejects a create in a terminating namespace', async () => {
    await made('/api/v1/namespaces', { metadata: { name: 'ending' } });
    await request('DELETE', '/api/v1/namespaces/ending');
    const { status, body } = await dryRun({ metadata: { name: 'a' } }, '/api/v1/namespaces/ending/configmaps');
    expect(status).toBe(403);
    expect(body).toMatchObject({
      message:
        'configmaps "a" is forbidden: unable to create new content in namespace ending because it is being terminated',
      details: {
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace ending is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
  });

  test('rejects the deletion of the namespace default', async () => {
    expect(messageOf(await request('DELETE', '/api/v1/namespaces/default'))).toBe(
      '403 namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });
});

describe('the plugin ServiceAccount', () => {
  test('assigns the default account to a pod and mounts its token everywhere', async () => {
    const { body } = await dryRun(aPod({ initContainers: [{ name: 'init', image: 'i' }] }));
    const [volume] = items(objectAt(body, 'spec'), 'volumes');
    const name = text(volume, 'name');
    expect(name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
    expect(at(body, 'spec')).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
    const mount = { name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
    expect([...mounts(body, 'initContainers'), ...mounts(body, 'containers')]).toEqual([mount, mount]);
    const sources = items(at(volume, 'projected'), 'sources').map((source) => Object.keys(source)[0]);
    expect(sources).toEqual(['serviceAccountToken', 'configMap', 'downwardAPI']);
  });

  test('accepts a pod that opts out of the token, or brings its own', async () => {
    const { body } = await dryRun(aPod({ automountServiceAccountToken: false }));
    expect(mounts(body, 'containers')).toEqual([]);
    const own = { name: 'own', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
    const spec = {
      containers: [{ name: 'main', image: 'web', volumeMounts: [own] }],
      volumes: [{ name: 'own', emptyDir: {} }],
    };
    expect(mounts((await dryRun(aPod(spec))).body, 'containers')).toEqual([own]);
  });

  test("adds the account's pull secrets", async () => {
    await made(`${HERE}/serviceaccounts`, { metadata: { name: 'puller' }, imagePullSecrets: [{ name: 'registry' }] });
    const { body } = await dryRun(aPod({ serviceAccountName: 'puller' }));
    expect(at(body, 'spec')?.['imagePullSecrets']).toEqual([{ name: 'registry' }]);
  });

  test('rejects an account that does not exist', async () => {
    expect(messageOf(await dryRun(aPod({ serviceAccountName: 'ghost' })))).toBe(
      '403 pods "web" is forbidden: error looking up service account here/ghost: serviceaccount "ghost" not found',
    );
  });

  test("allows only the account's secrets if the account requires it", async () => {
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    await made(`${HERE}/serviceaccounts`, { metadata: { name: 'strict', annotations }, secrets: [{ name: 'mine' }] });
    const reading = (secretName: string) =>
      dryRun(aPod({ serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName } }] }));
    expect((await reading('mine')).status).toBe(201);
    expect(messageOf(await reading('other'))).toBe(
      '403 pods "web" is forbidden: volume with secret.secretName="other" is not allowed because service account strict does not reference that secret',
    );
  });
});

describe('the plugin DefaultTolerationSeconds', () => {
  const added = ['not-ready', 'unreachable'].map((taint) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  const all = { operator: 'Exists' };
  const ready = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
  test.each([
    ['nothing', [], added],
    ['everything', [all], [all]],
    ['one of them', [ready], [ready, added[1]]],
  ])('handles a pod that tolerates %s', async (_title, tolerations, expected) => {
    const { body } = await dryRun(aPod({ tolerations: tolerations as JsonObject[] }));
    expect(at(body, 'spec')?.['tolerations']).toEqual(expected);
  });
});

describe('the plugin Priority', () => {
  const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';
  beforeAll(() => made(CLASSES, { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' }));

  test.each([
    ['no class', {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    ['a class', { priorityClassName: 'high' }, { priority: 1000, preemptionPolicy: 'Never' }],
  ])('accepts a pod with %s', async (_title, spec, expected) => {
    expect(at((await dryRun(aPod(spec))).body, 'spec')).toMatchObject(expected);
  });

  test.each([
    ['a class that is not there', { priorityClassName: 'low' }, 'no PriorityClass with name low was found'],
    [
      'another number than the class',
      { priority: 5 },
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      'another policy than the class',
      { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' },
      'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
    ],
  ])('rejects a pod with %s', async (_title, spec, why) => {
    expect(messageOf(await dryRun(aPod(spec)))).toBe(`403 pods "web" is forbidden: ${why}`);
  });

  test('allows only one default class', async () => {
    await made(CLASSES, { metadata: { name: 'usual' }, value: 7, globalDefault: true });
    const { body } = await dryRun(aPod());
    expect(at(body, 'spec')).toMatchObject({ priorityClassName: 'usual', priority: 7 });
    expect(messageOf(await dryRun({ metadata: { name: 'too' }, value: 8, globalDefault: true }, CLASSES))).toBe(
      '403 priorityclasses.scheduling.k8s.io "too" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    );
    expect((await request('PATCH', `${CLASSES}/usual`, { description: 'x' })).status).toBe(200);
    await request('DELETE', `${CLASSES}/usual`);
  });
});

describe('the plugin RuntimeClass', () => {
  const CLASSES = '/apis/node.k8s.io/v1/runtimeclasses';
  beforeAll(() =>
    made(CLASSES, {
      metadata: { name: 'vm' },
      handler: 'vm',
      overhead: { podFixed: { memory: '120Mi' } },
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    }),
  );

  test('sets overhead, nodes and tolerations of the class', async () => {
    const { body } = await dryRun(aPod({ runtimeClassName: 'vm', nodeSelector: { disk: 'ssd' } }));
    expect(at(body, 'spec')).toMatchObject({ overhead: { memory: '120Mi' }, nodeSelector: { disk: 'ssd', vm: 'yes' } });
    expect(items(at(body, 'spec'), 'tolerations')).toContainEqual({ key: 'vm', operator: 'Exists' });
  });

  test.each([
    ['a class that is not there', { runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
    [
      'another overhead',
      { runtimeClassName: 'vm', overhead: { memory: '1Mi' } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      'an overhead of its own',
      { overhead: { memory: '1Mi' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      'other nodes',
      { runtimeClassName: 'vm', nodeSelector: { vm: 'no' } },
      'conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
    ],
  ])('rejects a pod with %s', async (_title, spec, why) => {
    expect(messageOf(await dryRun(aPod(spec)))).toBe(`403 pods "web" is forbidden: ${why}`);
  });
});

describe('the plugin LimitRanger', () => {
  const PODS = '/api/v1/namespaces/limited/pods';
  const CLAIMS = '/api/v1/namespaces/limited/persistentvolumeclaims';
  const withResources = (resources: JsonObject): JsonObject =>
    aPod({ containers: [{ name: 'main', image: 'web', resources }] });
  const claim = (storage: string): JsonObject => ({
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });

  beforeAll(() =>
    made('/api/v1/namespaces/limited/limitranges', {
      metadata: { name: 'bounds' },
      spec: {
        limits: [
          {
            type: 'Container',
            min: { cpu: '50m' },
            max: { cpu: '2' },
            default: { cpu: '500m' },
            defaultRequest: { cpu: '100m' },
            maxLimitRequestRatio: { cpu: '10' },
          },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } },
        ],
      },
    }),
  );

  test('sets defaults on containers, and an annotation that lists them', async () => {
    const { body } = await dryRun(aPod(), PODS);
    expect(items(at(body, 'spec'), 'containers')[0]).toMatchObject({
      resources: { requests: { cpu: '100m' }, limits: { cpu: '500m' } },
    });
    expect(at(body, 'metadata', 'annotations')).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu request for container main; cpu limit for container main',
    });
  });

  test.each([
    ['too little', { requests: { cpu: '10m' } }, 'minimum cpu usage per Container is 50m, but request is 10m'],
    [
      'too much',
      { limits: { cpu: '3' }, requests: { cpu: '1' } },
      'maximum cpu usage per Container is 2, but limit is 3',
    ],
    [
      'too wide',
      { limits: { cpu: '2' }, requests: { cpu: '100m' } },
      'cpu max limit to request ratio per Container is 10, but provided ratio is 20.000000',
    ],
  ])('rejects a container with %s', async (_title, resources, why) => {
    const message = messageOf(await dryRun(withResources(resources), PODS));
    expect(message).toContain('403 pods "web" is forbidden: ');
    expect(message).toContain(why);
  });

  test.each([
    ['512Mi', 'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 512Mi'],
    ['11Gi', 'maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 11Gi'],
  ])('rejects a claim of %s', async (storage, why) => {
    expect(messageOf(await dryRun(claim(storage), CLAIMS))).toBe(`403 persistentvolumeclaims "c" is forbidden: ${why}`);
  });
});

describe('storage and other defaulting plugins', () => {
  const CLAIMS = `${HERE}/persistentvolumeclaims`;
  const CLASSES = '/apis/storage.k8s.io/v1/storageclasses';
  const claim = (name: string, spec: JsonObject = {}): JsonObject => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };

  test('adds a finalizer to a claim with StorageObjectInUseProtection', async () => {
    const { body } = await dryRun(claim('c'), CLAIMS);
    expect(at(body, 'metadata')?.['finalizers']).toEqual(['kubernetes.io/pvc-protection']);
  });

  test('sets the default class on a claim without one with DefaultStorageClass', async () => {
    await made(CLASSES, { metadata: { name: 'fast', annotations }, provisioner: 'x', allowVolumeExpansion: true });
    expect(at((await dryRun(claim('c'), CLAIMS)).body, 'spec')).toMatchObject({ storageClassName: 'fast' });
    const none = await dryRun(claim('c', { storageClassName: '' }), CLAIMS);
    expect(at(none.body, 'spec')).toMatchObject({ storageClassName: '' });
  });

  test('allows only a bound claim of an expandable class to grow with PersistentVolumeClaimResize', async () => {
    const grown = { spec: { resources: { requests: { storage: '2Gi' } } } };
    const bind = (name: string) => request('PATCH', `${CLAIMS}/${name}/status`, { status: { phase: 'Bound' } });
    await made(CLASSES, { metadata: { name: 'fixed' }, provisioner: 'x' });
    await made(CLAIMS, claim('loose', { storageClassName: 'fast' }));
    await made(CLAIMS, claim('stiff', { storageClassName: 'fixed' }));
    for (const name of ['loose', 'stiff']) expect((await bind(name)).status).toBe(200);
    expect(messageOf(await request('PATCH', `${CLAIMS}/stiff`, grown))).toBe(
      '403 persistentvolumeclaims "stiff" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
    expect((await request('PATCH', `${CLAIMS}/loose`, grown)).status).toBe(200);
  });
});

test('sets the newest default class with DefaultIngressClass', async () => {
  const INGRESSES = '/apis/networking.k8s.io/v1/namespaces/here/ingresses';
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
  await made('/apis/networking.k8s.io/v1/ingressclasses', {
    metadata: { name: 'edge', annotations },
    spec: { controller: 'example.com/edge' },
  });
  const spec = { defaultBackend: { service: { name: 'web', port: { number: 80 } } } };
  const { body } = await dryRun({ metadata: { name: 'i' }, spec }, INGRESSES);
  expect(at(body, 'spec')).toMatchObject({ ingressClassName: 'edge' });
  const old = { 'kubernetes.io/ingress.class': 'other' };
  const named = await dryRun({ metadata: { name: 'i', annotations: old }, spec }, INGRESSES);
  expect(at(named.body, 'spec')).not.toHaveProperty('ingressClassName');
});

test('taints a new node with TaintNodesByCondition', async () => {
  const { body } = await dryRun({ metadata: { name: 'n' } }, '/api/v1/nodes');
  expect(at(body, 'spec')?.['taints']).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
});

test('copies the zone of its node to a pod with PodTopologyLabels', async () => {
  const labels = { 'topology.kubernetes.io/zone': 'a', other: 'x' };
  await made('/api/v1/nodes', { metadata: { name: 'n1', labels } });
  const { body } = await dryRun(aPod({ nodeName: 'n1' }));
  expect(at(body, 'metadata', 'labels')).toEqual({ 'topology.kubernetes.io/zone': 'a' });
});

describe('the plugin CertificateSubjectRestriction', () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const signing = async (subject: string): Promise<Answer> => {
    const keys = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
    const csr = await Pkcs10CertificateRequestGenerator.create({ name: subject, keys, signingAlgorithm: algorithm });
    const spec = {
      request: Buffer.from(csr.toString('pem')).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    };
    return dryRun({ metadata: { name: 'csr' }, spec }, '/apis/certificates.k8s.io/v1/certificatesigningrequests');
  };

  test('rejects a certificate request for the superuser', async () => {
    expect((await signing('CN=me, O=developers')).status).toBe(201);
    expect(messageOf(await signing('CN=me, O=developers, O=system:masters'))).toBe(
      '403 certificatesigningrequests.certificates.k8s.io "csr" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    );
  });
});

describe('the plugin DeviceAdminAccess', () => {
  const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/here/resourceclaims';
  const exactly = { deviceClassName: 'gpu.example.com', adminAccess: true };
  const claim: JsonObject = { metadata: { name: 'c' }, spec: { devices: { requests: [{ name: 'r', exactly }] } } };

  test('allows admin access only in labelled namespaces', async () => {
    expect(messageOf(await dryRun(claim, CLAIMS))).toBe(
      '422 ResourceClaim.resource.k8s.io "c" is invalid: spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
    );
    const labels = { 'resource.kubernetes.io/admin-access': 'true' };
    await request('PATCH', HERE, { metadata: { labels } });
    expect((await dryRun(claim, CLAIMS)).status).toBe(201);
  });
});
