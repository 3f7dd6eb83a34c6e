import { describe, expect, test } from 'vitest';
import { resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { decodedAs } from '#lib/api/testing.ts';
import { FLOW_SCHEMAS } from '#lib/api/types/resources.ts';
import { type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { printerOf } from './printers.ts';

const NOW = new Date('2024-01-01T01:00:00Z');
const START = '2024-01-01T00:00:00Z';

/** The cells between name and age. If the last column is not the age, all cells after the name. */
function cellsOf(name: string, object: JsonObject): Json[] {
  const metadata = { name: 'x', creationTimestamp: START, ...objectAt(object, 'metadata') };
  const cells = printed(name, { ...object, metadata }).slice(1);
  return cells.at(-1) === '60m' ? cells.slice(0, -1) : cells;
}

const served = servedGroupVersions().flatMap((gv) => resourcesOf(gv).filter(({ storage }) => storage !== undefined));

/** The cells of an object with `fields` of the resource `group/resource`. */
function printed(name: string, fields: JsonObject): Json[] {
  const facts = served.find(({ group, resource }) => `${group}/${resource}` === name);
  if (facts === undefined) throw new TypeError(`no resource ${name}`);
  return printerOf(facts).cells(decodedAs<JsonObject>(facts, fields), NOW);
}

describe('the printer of every stored kind', () => {
  test.each(served.map((facts) => [`${facts.group}/${facts.version} ${facts.resource}`, facts] as const))(
    '%s prints a cell per column for an empty object',
    (_, facts) => {
      const { columns, cells } = printerOf(facts);
      const given = cells(decodedAs<JsonObject>(facts, {}), NOW);
      expect(given.length).toBe(facts.resource === 'ipaddresses' ? 3 : columns.length);
      expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
    },
  );

  test.each(['rbac.authorization.k8s.io/roles', '/limitranges', 'storage.k8s.io/csistoragecapacities'])(
    '%s shows the creation time by default',
    (name) => expect(cellsOf(name, {})).toEqual([START]),
  );
});

const param = (paramRef: JsonObject): JsonObject => ({ spec: { policyName: 'p', paramRef } });
const csr = (certificate: string, ...types: string[]): JsonObject => ({
  spec: { signerName: 's', username: 'u', expirationSeconds: 3600 * 24 },
  status: { certificate, conditions: types.map((type) => ({ type, status: 'True' })) },
});
const claim = (spec: JsonObject, status: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata,
  spec,
  status,
});
const binding = 'admissionregistration.k8s.io/validatingadmissionpolicybindings';
const available = (status: string, reason: string): JsonObject => ({
  status: { conditions: [{ type: 'Available', status, reason }] },
});
const BOUND = { accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOnce'], capacity: { storage: '5Gi' } };
const TERMINATING = { deletionTimestamp: START };

describe('the printer of a kind shows its spec and status', () => {
  test.each<[string, JsonObject, Json[]]>([
    ['/namespaces', { status: { phase: 'Terminating' } }, ['Terminating']],
    ['/configmaps', { data: { a: '', b: '' }, binaryData: { c: '' } }, [3]],
    [
      '/replicationcontrollers',
      { spec: { replicas: 3 }, status: { replicas: 2, readyReplicas: 1 } },
      [3, 2, 1, '60m', '', '', '<none>'],
    ],
    [
      'apps/deployments',
      { spec: { replicas: 3 }, status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 } },
      ['1/3', 2, 1, '60m', '', '', ''],
    ],
    [
      'apps/deployments',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Odd' }] } } },
      ['0/0', 0, 0, '60m', '', '', '<invalid>'],
    ],
    [
      'apps/replicasets',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Odd' }] } } },
      [0, 0, 0, '60m', '', '', '<error>'],
    ],
    ['apps/statefulsets', { spec: { replicas: 2 }, status: { readyReplicas: 1 } }, ['1/2', '60m', '', '']],
    [
      'apps/daemonsets',
      {
        status: {
          desiredNumberScheduled: 5,
          currentNumberScheduled: 4,
          numberReady: 3,
          updatedNumberScheduled: 2,
          numberAvailable: 1,
        },
      },
      [5, 4, 3, 2, 1, '<none>', '60m', '', '', '<none>'],
    ],
    [
      'apps/controllerrevisions',
      {
        metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', controller: true }] },
        revision: 4,
      },
      ['daemonset.apps/d', 4],
    ],
    [
      '/persistentvolumes',
      claim({ capacity: { storage: '1Gi' } }, { phase: 'Failed', reason: 'Lost' }),
      ['1Gi', '', '', 'Failed', '', '', '<unset>', 'Lost', '60m', '<unset>'],
    ],
    [
      '/persistentvolumes',
      claim(
        { claimRef: { namespace: 'n', name: 'c' }, accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] },
        {},
        TERMINATING,
      ),
      ['0', 'ROX,RWOP', '', 'Terminating', 'n/c', '', '<unset>', '', '60m', '<unset>'],
    ],
    [
      '/persistentvolumeclaims',
      claim({ storageClassName: 's' }, { phase: 'Pending' }),
      ['Pending', '', '', '', 's', '<unset>', '60m', '<unset>'],
    ],
    [
      '/persistentvolumeclaims',
      claim({ volumeName: 'v', volumeMode: 'Block' }, { phase: 'Bound', ...BOUND }),
      ['Bound', 'v', '5Gi', 'RWO,RWX', '', '<unset>', '60m', 'Block'],
    ],
    [
      '/persistentvolumeclaims',
      claim(
        { volumeName: 'v' },
        {},
        { ...TERMINATING, annotations: { 'volume.beta.kubernetes.io/storage-class': 'b' } },
      ),
      ['Terminating', 'v', '0', '', 'b', '<unset>', '60m', '<unset>'],
    ],
    [
      '/resourcequotas',
      {
        status: {
          hard: { pods: '10', 'limits.cpu': '4', cpu: '2', 'limits.memory': '1Gi' },
          used: { cpu: '500m', 'limits.cpu': '1' },
        },
      },
      ['cpu: 500m/2, pods: 0/10', 'limits.cpu: 1/4, limits.memory: 0/1Gi'],
    ],
    ['/endpoints', {}, ['<none>']],
    [
      '/endpoints',
      { subsets: [{ addresses: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }], ports: [{ port: 80 }, { port: 443 }] }] },
      ['10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 1 more...'],
    ],
    ['/endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }] }] }, ['10.0.0.1']],
    ['discovery.k8s.io/endpointslices', { addressType: 'IPv4' }, ['IPv4', '<unset>', '<unset>']],
    [
      'discovery.k8s.io/endpointslices',
      {
        addressType: 'IPv4',
        ports: [{ port: 80 }, { name: 'web' }, {}, {}],
        endpoints: [{ addresses: ['1', '2'] }, { addresses: ['3'] }],
      },
      ['IPv4', '80,web,* + 1 more...', '1,2,3'],
    ],
    [
      'networking.k8s.io/ingresses',
      {
        spec: { rules: ['a', '', 'b', 'c', 'd'].map((host) => ({ host })), tls: [{}] },
        status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }, { hostname: 'h' }] } },
      },
      ['<none>', 'a,b,c + 2 more...', '192.0.2.1,h', '80, 443'],
    ],
    ['networking.k8s.io/servicecidrs', { spec: { cidrs: ['10.0.0.0/24', 'fd00::/112'] } }, ['10.0.0.0/24,fd00::/112']],
    [
      'networking.k8s.io/ipaddresses',
      { spec: { parentRef: { resource: 'services', namespace: 'n', name: 's' } } },
      ['services/n/s'],
    ],
    [
      'networking.k8s.io/ipaddresses',
      { spec: { parentRef: { group: 'g', resource: 'Gateways', name: 's' } } },
      ['gateways.g/s'],
    ],
    [
      'policy/poddisruptionbudgets',
      { spec: { maxUnavailable: '10%' }, status: { disruptionsAllowed: 2 } },
      ['N/A', '10%', 2],
    ],
    ['policy/poddisruptionbudgets', { spec: { minAvailable: 0 } }, ['0', 'N/A', 0]],
    ['certificates.k8s.io/certificatesigningrequests', csr(''), ['60m', 's', 'u', '24h', 'Pending']],
    [
      'certificates.k8s.io/certificatesigningrequests',
      csr('Zm9v', 'Approved'),
      ['60m', 's', 'u', '24h', 'Approved,Issued'],
    ],
    [
      'certificates.k8s.io/certificatesigningrequests',
      csr('', 'Approved', 'Failed'),
      ['60m', 's', 'u', '24h', 'Approved,Failed'],
    ],
    [
      'certificates.k8s.io/certificatesigningrequests',
      csr('', 'Approved', 'Denied'),
      ['60m', 's', 'u', '24h', 'Denied'],
    ],
    ['coordination.k8s.io/leases', { spec: { holderIdentity: 'me' } }, ['me']],
    [
      'flowcontrol.apiserver.k8s.io/flowschemas',
      {
        spec: { matchingPrecedence: 5, distinguisherMethod: { type: 'ByUser' } },
        status: { conditions: [{ type: 'Dangling', status: 'False' }] },
      },
      ['', 5, 'ByUser', '60m', 'False'],
    ],
    [
      'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
      { spec: { type: 'Exempt' } },
      ['Exempt', '<none>', '<none>', '<none>', '<none>'],
    ],
    [
      'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
      { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } } } },
      ['Limited', 0, '<none>', '<none>', '<none>'],
    ],
    [
      'admissionregistration.k8s.io/mutatingadmissionpolicies',
      { spec: { mutations: [{}], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } },
      [1, 'v1/ConfigMap'],
    ],
    [binding, param({ name: 'n', namespace: 's' }), ['p', 's/n']],
    [binding, param({ name: 'n' }), ['p', '*/n']],
    [binding, param({}), ['p', '<unset>']],
    [
      binding,
      param({
        selector: {
          matchLabels: { b: '2', a: '1' },
          matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
        },
      }),
      [
        'p',
        '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}',
      ],
    ],
    ['apiregistration.k8s.io/apiservices', available('True', 'Passed'), ['Local', 'True']],
    [
      'apiregistration.k8s.io/apiservices',
      available('False', 'MissingEndpoints'),
      ['Local', 'False (MissingEndpoints)'],
    ],
    ['apiregistration.k8s.io/apiservices', available('False', ''), ['Local', 'False']],
    ['resource.k8s.io/resourceclaims', {}, ['pending']],
    ['resource.k8s.io/resourceclaims', { metadata: TERMINATING }, ['deleted']],
    [
      'resource.k8s.io/resourceclaims',
      { metadata: TERMINATING, status: { allocation: {}, reservedFor: [{}] } },
      ['deleted,allocated,reserved'],
    ],
    ['resource.k8s.io/resourceclaims', { status: { allocation: {} } }, ['allocated']],
    ['resource.k8s.io/resourceslices', { spec: { nodeName: 'n', driver: 'd', pool: { name: 'p' } } }, ['n', 'd', 'p']],
    ['resource.k8s.io/deviceclasses', {}, []],
    [
      'scheduling.k8s.io/priorityclasses',
      { value: 7, globalDefault: true, preemptionPolicy: 'Never' },
      [7, true, '60m', 'Never'],
    ],
    ['node.k8s.io/runtimeclasses', { handler: 'kata' }, ['kata']],
    ['storage.k8s.io/csinodes', { spec: { drivers: [{}, {}] } }, [2]],
    ['storage.k8s.io/csidrivers', {}, [true, false, false, '<unset>', false, '<none>']],
    [
      'storage.k8s.io/volumeattachments',
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } }, status: { attached: true } },
      ['a', 'v', 'n', true],
    ],
    ['storage.k8s.io/volumeattributesclasses', { driverName: 'd' }, ['d']],
  ])('the printer of %s prints %j', (name, object, cells) => expect(cellsOf(name, object)).toEqual(cells));

  test.each([
    ['storage.k8s.io/storageclasses', 'storageclass.beta.kubernetes.io/is-default-class'],
    ['networking.k8s.io/ingressclasses', 'ingressclass.kubernetes.io/is-default-class'],
  ])('%s marks the default object', (name, annotation) => {
    expect(printed(name, { metadata: { name: 'x', annotations: { [annotation]: 'true' } } })[0]).toBe('x (default)');
  });

  test('the printer of flow schemas lists them in matching order', () => {
    const schema = (name: string, matchingPrecedence: number) =>
      decodedAs(FLOW_SCHEMAS, { metadata: { name }, spec: { matchingPrecedence } });
    const { compare } = printerOf({ group: 'flowcontrol.apiserver.k8s.io', resource: 'flowschemas' });
    const sorted = [schema('a', 9), schema('c', 2), schema('b', 2)].sort(compare);
    expect(sorted.map(nameOf)).toEqual(['b', 'c', 'a']);
  });
});
