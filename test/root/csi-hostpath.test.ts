import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { skipUnless } from '#test/support/skip.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import {
  fileOf,
  HOSTPATH,
  HostpathDriver,
  PROGRAMS,
  SOCKET_FOLDER,
  TOPOLOGY,
  volumesOfHostpath,
} from './csi/hostpath.ts';
import { SIDECAR_PODS, sidecarObjects } from './csi/sidecars.ts';
import { leftovers, leftoversSoon } from './leftovers.ts';
import { HOST } from './setup.ts';
import { TestNode } from './test-node.ts';

const needs = skipUnless(PROGRAMS !== '', 'runs with DAVIT_CSI_PROGRAMS');

describe('upstream’s csi-hostpath with its sidecars', needs, () => {
  let node: TestNode;
  let driver: HostpathDriver;

  beforeAll(async () => {
    node = await TestNode.start('--sync-frequency=5s');
    for (const file of globSync(join(PROGRAMS, 'crd/*.yaml'))) await node.output('apply', '-f', file);
    await node.apply(
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: HOSTPATH },
        spec: {
          attachRequired: true,
          podInfoOnMount: true,
          fsGroupPolicy: 'File',
          storageCapacity: true,
          volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        },
      },
      aClass('now', { volumeBindingMode: 'Immediate' }),
      aClass('late'),
      aClass('elsewhere', { allowedTopologies: inTopology('n9') }),
      aClass('here', { allowedTopologies: inTopology('n1') }),
      {
        apiVersion: 'snapshot.storage.k8s.io/v1',
        kind: 'VolumeSnapshotClass',
        metadata: { name: 'snap' },
        driver: HOSTPATH,
        deletionPolicy: 'Delete',
      },
    );
    driver = await HostpathDriver.start('n1');
    const server = { host: HOST, port: node.server.port };
    await node.apply(...sidecarObjects('n1', { programs: PROGRAMS, socket: SOCKET_FOLDER, server }));
    const pods = SIDECAR_PODS.map((name) => `pod/${name}`);
    await node.output('wait', '-n', 'kube-system', '--for=condition=Ready', '--timeout=120s', ...pods);
    await eventually(
      async () => (await output('csinode', 'n1', '.spec.drivers[*].topologyKeys[*]')) === TOPOLOGY,
      () => driver.log,
    );
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await driver[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    for (const kind of ['pods', 'pvc', 'volumesnapshots']) await node.output('delete', kind, '--all', '--timeout=120s');
    await eventually(
      async () => (await left()) === '',
      () => `something is left: ${volumesOfHostpath().join(' ')}\n${node.log.slice(-3000)}`,
    );
  });

  /** The remaining objects and files of volumes. */
  async function left(): Promise<string> {
    const names = await node.output('get', 'pv,volumeattachments,volumesnapshotcontents', '-o', 'name');
    const status = await output('node', 'n1', '.status.volumesInUse[*]');
    return [names, status, ...volumesOfHostpath()].join('');
  }

  const output = (kind: string, name: string, path: string): Promise<string> =>
    node.output('get', kind, name, '-o', `jsonpath={${path}}`);
  const isReady = (name: string): Promise<string> =>
    node.output('wait', '--for=condition=Ready', '--timeout=120s', `pod/${name}`);
  const messages = (): Promise<string> => node.output('get', 'events', '-o', 'jsonpath={.items[*].message}');
  const reasons = (): Promise<string> => node.output('get', 'events', '-o', 'jsonpath={.items[*].reason}');
  const handleOf = async (claim: string): Promise<string> =>
    output('pv', await output('pvc', claim, '.spec.volumeName'), '.spec.csi.volumeHandle');

  test('creates, attaches and mounts a volume, expands it in use, detaches and deletes it', async () => {
    await node.apply(aClaim('one', 'now'), withClaim('one', `echo hello > /data/file; ${FOREVER}`));
    await isReady('one');
    const volume = await output('pvc', 'one', '.spec.volumeName');
    expect(readFileSync(fileOf(await handleOf('one'), 'file'), 'utf8')).toBe('hello\n');
    const finalizers = await output('pv', volume, '.metadata.finalizers');
    for (const name of ['kubernetes.io/pv-protection', 'external-provisioner', 'external-attacher'])
      expect(finalizers).toContain(name);
    expect(await node.output('get', 'volumeattachments', '-o', 'jsonpath={.items[*].status.attached}')).toBe('true');
    expect(await output('node', 'n1', '.status.volumesAttached[*].name')).toContain(HOSTPATH);

    const requests = { resources: { requests: { storage: '3Mi' } } };
    await node.output('patch', 'pvc', 'one', '-p', JSON.stringify({ spec: requests }));
    await eventually(async () => (await output('pvc', 'one', '.status.capacity.storage')) === '3Mi', messagesNow);
    expect(await output('pv', volume, '.spec.capacity.storage')).toBe('3Mi');
    const seen = await reasons();
    for (const reason of ['ProvisioningSucceeded', 'SuccessfulAttachVolume', 'FileSystemResizeSuccessful'])
      expect(seen).toContain(reason);

    await node.output('delete', 'pod', 'one', '--timeout=60s');
    await eventually(async () => expect(await node.output('get', 'volumeattachments', '-o', 'name')).toBe(''));
    expect(await output('node', 'n1', '.status.volumesAttached')).toBe('');
    await node.output('delete', 'pvc', 'one', '--timeout=60s');
    await eventually(async () => expect(await node.output('get', 'pv', '-o', 'name')).toBe(''));
  });

  const messagesNow = (): string => node.log.slice(-3000);

  test('attaches a raw block volume to two pods in turn, and the second reads what the first wrote', async () => {
    const device = (script: string): object =>
      shell(script, { volumeDevices: [{ name: 'data', devicePath: '/dev/raw' }] });
    const first = `echo -n bytes | dd of=/dev/raw conv=notrunc && ${FOREVER}`;
    const second = `test "$(dd if=/dev/raw bs=5 count=1)" = bytes && ${FOREVER}`;
    await node.apply(aClaim('raw', 'now', { volumeMode: 'Block' }));
    await node.apply(withClaim('raw', '', { containers: [device(first)] }));
    await isReady('raw');
    await node.output('delete', 'pod', 'raw', '--timeout=60s');
    await node.apply(withClaim('raw', '', { containers: [device(second)] }));
    await isReady('raw');
  });

  test('mounts an inline volume, which is deleted with the pod', async () => {
    const volumes = [{ name: 'data', csi: { driver: HOSTPATH, volumeAttributes: { size: '1Mi' } } }];
    await node.apply(aPod('inline', '', { containers: [mounting(`echo x > /data/x; ${FOREVER}`)], volumes }));
    await isReady('inline');
    expect(volumesOfHostpath()).toHaveLength(1);
  });

  test('creates the volume of a generic ephemeral claim, which is deleted with the pod', async () => {
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'late',
      resources: { requests: { storage: '1Mi' } },
    };
    const volumes = [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec } } }];
    await node.apply(aPod('generic', '', { containers: [mounting(FOREVER)], volumes }));
    await isReady('generic');
    await node.output('delete', 'pod', 'generic', '--timeout=60s');
    await eventually(async () => expect(await left()).toBe(''));
  });

  test('restores a snapshot and clones a claim', async () => {
    await node.apply(aClaim('source', 'now'), withClaim('source', `echo -n saved > /data/file; ${FOREVER}`));
    await isReady('source');
    await node.apply({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: { name: 'snapshot' },
      spec: { volumeSnapshotClassName: 'snap', source: { persistentVolumeClaimName: 'source' } },
    });
    await eventually(async () => expect(await output('volumesnapshot', 'snapshot', '.status.readyToUse')).toBe('true'));
    const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snapshot' };
    const dataSource = { kind: 'PersistentVolumeClaim', name: 'source' };
    await node.apply(aClaim('restored', 'now', { dataSource: snapshot }), aClaim('clone', 'now', { dataSource }));
    const script = `test "$(cat /data/file)" = saved && ${FOREVER}`;
    await node.apply(withClaim('restored', script), withClaim('clone', script));
    await isReady('restored');
    await isReady('clone');
  });

  test('keeps a ReadWriteOncePod claim for one pod, also against a pod that names its node', async () => {
    await node.apply(aClaim('alone', 'now', { accessModes: ['ReadWriteOncePod'] }), withClaim('alone', FOREVER));
    await isReady('alone');
    await node.apply(
      { ...withClaim('alone', FOREVER), metadata: { name: 'second' } },
      { ...withClaim('alone', FOREVER, { nodeName: 'n1' }), metadata: { name: 'third' } },
    );
    await eventually(async () =>
      expect(await messages()).toContain(
        'volume uses the ReadWriteOncePod access mode and is already in use by another pod',
      ),
    );
    expect(await messages()).toContain('PersistentVolumeClaim with ReadWriteOncePod access mode already in-use');
    await node.output('delete', 'pod', 'alone', 'third', '--timeout=60s');
    await isReady('second');
  });

  test('creates a volume in the topology of its first pod that the class allows', async () => {
    await node.apply(aClaim('late', 'here'), aClaim('never', 'elsewhere'), withClaim('late', FOREVER));
    await node.apply(withClaim('never', FOREVER));
    await isReady('late');
    const [term] = JSON.parse(
      await output(
        'pv',
        await output('pvc', 'late', '.spec.volumeName'),
        '.spec.nodeAffinity.required.nodeSelectorTerms',
      ),
    );
    expect(term).toEqual({ matchExpressions: [{ key: TOPOLOGY, operator: 'In', values: ['n1'] }] });
    expect(await output('pvc', 'late', '.metadata.annotations')).toContain('"volume.kubernetes.io/selected-node":"n1"');
    await eventually(async () =>
      expect(await messages()).toContain("node(s) didn't find available persistent volumes to bind"),
    );
    expect(await output('pvc', 'never', '.status.phase')).toBe('Pending');
  });

  test('does not start a pod whose claim fits on no node, according to the driver’s CSIStorageCapacity', async () => {
    const capacity = (): Promise<string> =>
      node.output(
        'get',
        'csistoragecapacities',
        '-A',
        '-o',
        'jsonpath={.items[?(@.storageClassName=="late")].capacity}',
      );
    await eventually(async () => expect(await capacity()).toBe('1Gi'));
    await node.apply(
      aClaim('huge', 'late', { resources: { requests: { storage: '2Gi' } } }),
      withClaim('huge', FOREVER),
    );
    await eventually(async () => expect(await messages()).toContain('node(s) did not have enough free storage'));
    expect(await output('pvc', 'huge', '.metadata.annotations')).not.toContain('selected-node');
  });

  test('mounts for new pods after a driver with a running pod was killed and restarted', async () => {
    await node.apply(aClaim('first', 'now'), withClaim('first', FOREVER));
    await isReady('first');
    await driver.kill();
    await node.apply(aClaim('next', 'now'), withClaim('next', FOREVER));
    await driver.startAgain();
    await isReady('next');
  });

  test("works with the sidecars' upstream roles, except for an Event of csi-attacher’s Lease", async () => {
    const refused: string[] = [];
    for (const name of SIDECAR_PODS) {
      const as = `--as=system:serviceaccount:kube-system:${name}`;
      expect((await node.kubectl('auth', 'can-i', 'list', 'secrets', '-A', as)).stdout).toBe('no\n');
      const lines = (await node.output('logs', '-n', 'kube-system', name)).split('\n');
      refused.push(...lines.filter((line) => line.includes('forbidden')));
    }
    const isOfLease = /events is forbidden.*csi-attacher.*external-attacher-leader-/;
    expect(refused.filter((line) => !isOfLease.test(line))).toEqual([]);
    await node.output('delete', 'pods', '-n', 'kube-system', '--timeout=60s', ...SIDECAR_PODS);
  });

  test('leaves no files on the machine', () =>
    eventually(
      () => leftoversSoon(leftovers()).length === 0,
      () => leftoversSoon(leftovers()).join('\n'),
    ));
});

const inTopology = (...values: readonly string[]): object => [{ matchLabelExpressions: [{ key: TOPOLOGY, values }] }];

const aClass = (name: string, more: object = {}): object => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: HOSTPATH,
  parameters: { kind: 'slow' },
  volumeBindingMode: 'WaitForFirstConsumer',
  allowVolumeExpansion: true,
  ...more,
});

const aClaim = (name: string, storageClassName: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName,
    resources: { requests: { storage: '1Mi' } },
    ...more,
  },
});

const mounting = (script: string): object => shell(script, { volumeMounts: [{ name: 'data', mountPath: '/data' }] });

/** A pod with the claim's name that mounts the claim. */
const withClaim = (name: string, script: string, more: object = {}): object =>
  aPod(name, '', {
    containers: [mounting(script)],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }],
    ...more,
  });
