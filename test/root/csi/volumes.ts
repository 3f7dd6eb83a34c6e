import { globSync, readFileSync } from 'node:fs';
import { eventually } from '#test/support/eventually.ts';
import { aPod, shell } from '../builders.ts';
import { TestNode } from '../test-node.ts';
import { FolderDriver } from './driver.ts';

/** A JSONPath for kubectl's output. */
export const at = (path: string): string => `jsonpath={${path}}`;

/** A node where a folder driver is registered. `await using` ends both. */
export class DriverNode implements AsyncDisposable {
  readonly node: TestNode;
  readonly driver: FolderDriver;

  private constructor(node: TestNode, driver: FolderDriver) {
    this.node = node;
    this.driver = driver;
  }

  /** Starts a node, and a driver whose CSIDriver has this spec. Its volumes are not attached. */
  static async start(name: string, spec: object): Promise<DriverNode> {
    const node = await TestNode.start('--sync-frequency=5s');
    const started = new DriverNode(node, await FolderDriver.start(name));
    await node.apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name },
      spec: { attachRequired: false, ...spec },
    });
    await eventually(async () => (await started.drivers()) === name);
    return started;
  }

  /** The drivers that the CSINode lists. */
  drivers(): Promise<string> {
    return this.node.output('get', 'csinode', 'n1', '-o', at('.spec.drivers[*].name'));
  }

  /** Creates a persistent volume of the driver and the claim that it is bound to. */
  volume(name: string, more: Parameters<typeof boundVolume>[2] = {}): Promise<void> {
    return this.node.apply(...boundVolume(this.driver.name, name, more));
  }

  /** Resolves when a pod is Ready. */
  async isReady(pod: string): Promise<void> {
    await this.node.output('wait', '--for=condition=Ready', '--timeout=60s', `pod/${pod}`);
  }

  /** Makes the driver behave correctly again, and deletes all pods and volumes. Throws if anything remains. */
  async clear(): Promise<void> {
    const { node, driver } = this;
    for (const faults of [driver.held, driver.hanging, driver.failing, driver.lying]) faults.clear();
    await node.output('delete', 'pods', '--all', '--grace-period=1', '--timeout=90s');
    await eventually(
      () => leftVolumes().length === 0,
      () => `nothing is left: ${leftVolumes().join('\n')}\n${node.log.slice(-3000)}`,
    );
    driver.calls.length = 0;
    await node.output('delete', 'pvc', '--all', '--timeout=30s');
    await node.output('delete', 'pv', '--all', '--timeout=30s');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.node[Symbol.asyncDispose]();
    await this.driver[Symbol.asyncDispose]();
  }
}

/** A persistent volume of a driver and the claim that it is bound to, both with this spec. */
export function boundVolume(driver: string, name: string, { spec = {}, csi = {} } = {}): object[] {
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: '', ...spec };
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pv-${name}` },
      spec: {
        ...common,
        capacity: { storage: '1Mi' },
        claimRef: { name, namespace: 'default' },
        persistentVolumeReclaimPolicy: 'Retain',
        csi: { driver, volumeHandle: `handle-${name}`, ...csi },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: { ...common, volumeName: `pv-${name}`, resources: { requests: { storage: '1Mi' } } },
    },
  ];
}

/** A pod whose container mounts the claim with the pod's name at /data. */
export const claimed = (name: string, script: string, more: object = {}): object =>
  aPod(name, '', {
    containers: [shell(script, { volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }],
    ...more,
  });

/** The traces of CSI volumes on this machine. */
export const leftVolumes = (): string[] => [
  ...globSync('/var/lib/kubelet/plugins/kubernetes.io/csi/*/*').filter((path) => !path.includes('/volumeDevices/')),
  ...globSync('/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/*/*'),
  ...globSync('/var/lib/kubelet/pods/*/volumes/kubernetes.io~csi/*'),
  ...readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => /kubernetes\.io[~/]csi/.test(line)),
];
