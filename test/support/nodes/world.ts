import type { JsonObject } from '#lib/machinery/json-value.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/**
 * The objects that exist before a kubelet's first request: pods of n1, of n2 and of no node, and their dependencies. The administrator
 * creates them in this order.
 */
export const world = (): readonly (readonly [path: string, object: JsonObject])[] => [
  ['/api/v1/namespaces', named('here')],
  ['/api/v1/nodes', named('n2')],
  ...['robot', 'idle', 'other'].map(of('/api/v1/namespaces/here/serviceaccounts')),
  ...['seen', 'pulled', 'staged', 'unseen'].map(of('/api/v1/namespaces/here/secrets')),
  ...['seen', 'mapped', 'unseen'].map(of('/api/v1/namespaces/here/configmaps')),
  ...WHOSE.map((name) => aVolume(name)),
  ...WHOSE.map((name) => aClaim(name)),
  ['/api/v1/namespaces/here/persistentvolumeclaims', { ...named('unbound'), spec: CLAIMED }],
  ...WHOSE.map((name) => aDeviceClaim(name)),
  ['/api/v1/namespaces/here/pods', aPod('mine', 'n1')],
  ['/api/v1/namespaces/here/pods', aPod('ending', 'n1')],
  ['/api/v1/namespaces/here/pods', aPod('evicted', 'n1')],
  [
    '/api/v1/namespaces/here/pods',
    aPodWith('lacking', claimed('none'), claimed('unbound'), inline('none.example.com')),
  ],
  ['/api/v1/namespaces/here/pods', aPodWith('lacking-once', claimed('none'), inline('disk.example.com'))],
  ['/api/v1/namespaces/here/pods', aPodWith('inline', inline('disk.example.com'), BUILT_IN)],
  ['/api/v1/namespaces/here/pods', aPod('theirs', 'n2')],
  ['/api/v1/namespaces/here/pods', aPod('free', '')],
  ['/apis/storage.k8s.io/v1/volumeattachments', anAttachment('mine', 'n1')],
  ['/apis/storage.k8s.io/v1/volumeattachments', anAttachment('theirs', 'n2')],
  ['/apis/resource.k8s.io/v1/resourceslices', aSlice('theirs', 'n2')],
  ['/apis/storage.k8s.io/v1/csinodes', { ...named('n2'), spec: { drivers: [] } }],
  ['/apis/storage.k8s.io/v1/csidrivers', aDriver('disk.example.com', 'disks')],
  ['/apis/storage.k8s.io/v1/csidrivers', aDriver('ebs.csi.aws.com', 'blocks')],
  ['/apis/node.k8s.io/v1/runtimeclasses', { ...named('fast'), handler: 'fast' }],
  [`${RBAC}/clusterroles`, aRole('scraper', ['nodes/metrics', 'nodes/healthz'])],
  [`${RBAC}/clusterrolebindings`, aBinding('prober', 'system:kubelet-api-admin')],
  [`${RBAC}/clusterrolebindings`, aBinding('scraper', 'scraper')],
  [
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
    { ...named('n2'), spec: { holderIdentity: 'n2' } },
  ],
];

export function named(name: string): JsonObject {
  return { metadata: { name } };
}

function of(path: string) {
  return (name: string): readonly [string, JsonObject] => [path, named(name)];
}

function aRole(name: string, resources: string[]): JsonObject {
  return { ...named(name), rules: [{ apiGroups: [''], resources, verbs: ['get'] }] };
}

function aBinding(name: string, role: string): JsonObject {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    ...named(`${name}-binding`),
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'User', name }],
  };
}

const OWNER = { mine: 'claim', theirs: 'foreign' } as const;
type Whose = keyof typeof OWNER;
const WHOSE = ['mine', 'theirs'] as const;

function aVolume(whose: Whose): readonly [string, JsonObject] {
  const csi = {
    driver: 'disk.example.com',
    volumeHandle: whose,
    nodeStageSecretRef: { namespace: 'here', name: whose === 'mine' ? 'staged' : 'unseen' },
  };
  const claimRef = { namespace: 'here', name: OWNER[whose] };
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: '', claimRef, csi };
  return ['/api/v1/persistentvolumes', { ...named(whose), spec }];
}

const CLAIMED = {
  accessModes: ['ReadWriteOnce'],
  storageClassName: '',
  resources: { requests: { storage: '1Gi' } },
};

const claimed = (claimName: string): JsonObject => ({ persistentVolumeClaim: { claimName } });
const inline = (driver: string): JsonObject => ({ csi: { driver } });
/** A volume of a plugin that used to be built in. */
const BUILT_IN = { awsElasticBlockStore: { volumeID: 'vol-1' } };

function aPodWith(name: string, ...sources: JsonObject[]): JsonObject {
  const volumes = sources.map((source, i) => ({ name: `v${i}`, ...source }));
  const spec = { nodeName: 'n1', serviceAccountName: 'robot', automountServiceAccountToken: false, volumes };
  return { ...named(name), spec: { ...spec, containers: [{ name: 'main', image: 'i' }] } };
}

function aDriver(name: string, audience: string): JsonObject {
  return { ...named(name), spec: { tokenRequests: [{ audience }] } };
}

function aClaim(whose: Whose): readonly [string, JsonObject] {
  const spec = { ...CLAIMED, volumeName: whose };
  return ['/api/v1/namespaces/here/persistentvolumeclaims', { ...named(OWNER[whose]), spec }];
}

function aDeviceClaim(whose: Whose): readonly [string, JsonObject] {
  const requests = [{ name: 'one', exactly: { deviceClassName: 'gpu.example.com' } }];
  return [
    '/apis/resource.k8s.io/v1/namespaces/here/resourceclaims',
    { ...named(whose), spec: { devices: { requests } } },
  ];
}

function anAttachment(name: string, nodeName: string): JsonObject {
  return { ...named(name), spec: { attacher: 'disk.example.com', nodeName, source: { persistentVolumeName: name } } };
}

/** A ResourceSlice of the node. */
export function aSlice(name: string, nodeName: string): JsonObject {
  const pool = { name: nodeName, generation: 1, resourceSliceCount: 1 };
  return { ...named(name), spec: { driver: 'gpu.example.com', pool, nodeName } };
}

function aPod(name: string, nodeName: string): JsonObject {
  const isMine = nodeName === 'n1';
  const [whose, secret]: [Whose, string] = isMine ? ['mine', 'seen'] : ['theirs', 'unseen'];
  return {
    ...named(name),
    spec: {
      ...(nodeName === '' ? {} : { nodeName }),
      serviceAccountName: isMine ? 'robot' : 'other',
      automountServiceAccountToken: false,
      ...(isMine ? { imagePullSecrets: [{ name: 'pulled' }] } : {}),
      containers: [
        {
          name: 'main',
          image: 'i',
          env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: isMine ? 'mapped' : 'unseen', key: 'k' } } }],
          resources: { claims: [{ name: 'device' }] },
        },
      ],
      resourceClaims: [{ name: 'device', resourceClaimName: whose }],
      volumes: [
        { name: 'secret', secret: { secretName: secret } },
        { name: 'map', configMap: { name: secret } },
        { name: 'claim', persistentVolumeClaim: { claimName: OWNER[whose] } },
        { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'vault' } }] } },
      ],
    },
  };
}
