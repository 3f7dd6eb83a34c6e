import { BUSYBOX } from '../images.ts';

const NAMESPACE = 'kube-system';
const READ = ['get', 'list', 'watch'];

/** An RBAC rule: an API group, its resources and the verbs. */
type Rule = readonly [group: string, resources: readonly string[], verbs: readonly string[]];

const STORAGE = 'storage.k8s.io';
const SNAPSHOT = 'snapshot.storage.k8s.io';
const EVENTS: Rule = ['', ['events'], ['list', 'watch', 'create', 'update', 'patch']];
/** The rule of each sidecar in its own namespace: leader election with a Lease. */
const LEASES: Rule = ['coordination.k8s.io', ['leases'], [...READ, 'delete', 'update', 'create']];

/** A sidecar with the rules of its `rbac.yaml`, for all namespaces and for its own. */
interface Sidecar {
  readonly rules: readonly Rule[];
  readonly own?: readonly Rule[];
  readonly flags?: readonly string[];
}

/** The rules of csi-provisioner 6.3, csi-attacher 4.12, csi-resizer 2.2, csi-snapshotter and snapshot-controller 8.5. */
const SIDECARS: Readonly<Record<string, Sidecar>> = {
  'csi-provisioner': {
    rules: [
      ['', ['persistentvolumes'], [...READ, 'create', 'patch', 'delete']],
      ['', ['persistentvolumeclaims'], [...READ, 'update']],
      [STORAGE, ['storageclasses', 'csinodes', 'volumeattachments'], READ],
      EVENTS,
      [SNAPSHOT, ['volumesnapshots'], [...READ, 'update']],
      [SNAPSHOT, ['volumesnapshotcontents'], ['get', 'list']],
      ['', ['nodes'], READ],
    ],
    own: [
      [STORAGE, ['csistoragecapacities'], [...READ, 'create', 'update', 'patch', 'delete']],
      ['', ['pods'], ['get']],
      ['apps', ['replicasets'], ['get']],
    ],
    // The pod itself owns its CSIStorageCapacities.
    flags: [
      '--feature-gates=Topology=true',
      '--extra-create-metadata',
      '--enable-capacity',
      '--capacity-ownerref-level=0',
    ],
  },
  'csi-attacher': {
    rules: [
      ['', ['persistentvolumes'], [...READ, 'patch']],
      [STORAGE, ['csinodes'], READ],
      [STORAGE, ['volumeattachments'], [...READ, 'patch']],
      [STORAGE, ['volumeattachments/status'], ['patch']],
    ],
  },
  'csi-resizer': {
    rules: [
      ['', ['persistentvolumes'], [...READ, 'patch']],
      ['', ['persistentvolumeclaims', 'pods'], READ],
      ['', ['persistentvolumeclaims/status'], ['patch']],
      EVENTS,
      [STORAGE, ['volumeattributesclasses'], READ],
    ],
  },
  'csi-snapshotter': {
    rules: [
      EVENTS,
      [SNAPSHOT, ['volumesnapshotclasses'], READ],
      [SNAPSHOT, ['volumesnapshotcontents'], [...READ, 'update', 'patch']],
      [SNAPSHOT, ['volumesnapshotcontents/status'], ['update', 'patch']],
    ],
  },
  'snapshot-controller': {
    rules: [
      ['', ['persistentvolumes'], READ],
      ['', ['persistentvolumeclaims'], [...READ, 'update']],
      EVENTS,
      [SNAPSHOT, ['volumesnapshotclasses'], READ],
      [SNAPSHOT, ['volumesnapshotcontents', 'volumesnapshots'], [...READ, 'create', 'update', 'delete', 'patch']],
      [SNAPSHOT, ['volumesnapshotcontents/status'], ['patch']],
      [SNAPSHOT, ['volumesnapshots/status'], ['update', 'patch']],
    ],
  },
};

/** The names of the sidecars' pods, which are in kube-system. */
export const SIDECAR_PODS: readonly string[] = Object.keys(SIDECARS);

/** Folders and addresses that sidecars need. */
interface Places {
  /** The folder with the programs. */
  readonly programs: string;
  /** The folder with the driver's socket `csi.sock`. */
  readonly socket: string;
  /** The address of the API server. */
  readonly server: { readonly host: string; readonly port: number };
}

/** The sidecars as pods on a node. Each has a service account with the permissions in upstream's `rbac.yaml`. */
export const sidecarObjects = (node: string, places: Places): object[] =>
  Object.entries(SIDECARS).flatMap(([name, sidecar]) => [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: NAMESPACE } },
    ...granted('ClusterRole', name, sidecar.rules),
    ...granted('Role', name, [LEASES, ...(sidecar.own ?? [])]),
    aSidecar(name, { node, flags: sidecar.flags ?? [], places }),
  ]);

function granted(kind: 'ClusterRole' | 'Role', name: string, rules: readonly Rule[]): object[] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name, ...(kind === 'Role' ? { namespace: NAMESPACE } : {}) };
  return [
    {
      apiVersion,
      kind,
      metadata,
      rules: rules.map(([group, resources, verbs]) => ({ apiGroups: [group], resources, verbs })),
    },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      subjects: [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }],
      roleRef: { kind, name, apiGroup: 'rbac.authorization.k8s.io' },
    },
  ];
}

/**
 * A pod that runs a program of the host. It uses the host's network, because there is no route to the address of the Service `kubernetes`
 * here.
 */
function aSidecar(
  name: string,
  { node, flags, places }: { readonly node: string; readonly flags: readonly string[]; readonly places: Places },
): object {
  const { programs, socket, server } = places;
  const address = name === 'snapshot-controller' ? [] : ['--csi-address=/csi/csi.sock'];
  const own = (fieldPath: string): object => ({ valueFrom: { fieldRef: { fieldPath } } });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      serviceAccountName: name,
      nodeName: node,
      hostNetwork: true,
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: 'main',
          image: BUSYBOX.name,
          command: [`/programs/${name}`, '-v=2', '--leader-election', ...address, ...flags],
          env: [
            { name: 'KUBERNETES_SERVICE_HOST', value: server.host },
            { name: 'KUBERNETES_SERVICE_PORT', value: String(server.port) },
            { name: 'NAMESPACE', ...own('metadata.namespace') },
            { name: 'POD_NAME', ...own('metadata.name') },
          ],
          volumeMounts: [
            { name: 'programs', mountPath: '/programs', readOnly: true },
            { name: 'socket', mountPath: '/csi' },
          ],
        },
      ],
      volumes: [
        { name: 'programs', hostPath: { path: programs, type: 'Directory' } },
        { name: 'socket', hostPath: { path: socket, type: 'DirectoryOrCreate' } },
      ],
    },
  };
}
