import { globSync, readFileSync } from 'node:fs';
import { aPod, shell } from '../builders.ts';

/** A persistent volume of a driver and the claim that it is bound to, both with the spec. */
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

/** A pod whose container has the claim of its name at /data. */
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
