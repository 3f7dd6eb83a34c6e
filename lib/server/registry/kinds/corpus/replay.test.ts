import { describe, expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { STRATEGIES } from '../strategies.ts';
import { type Answer, compare, create, fixtures, type Recorded, recorded, stable } from './replay.conformance.ts';

const shown = Number(process.env['SHOW'] ?? 0);

function show(request: Recorded, answer: Answer): void {
  const got = answer.out === undefined ? answer.message : JSON.stringify(stable(request, answer.out));
  const want = request.out === undefined ? request.message : JSON.stringify(stable(request, request.out));
  console.log(`${request.kind} ${request.mutation ?? ''}\n got ${answer.code} ${got}\nwant ${request.code} ${want}`);
}

/** Errors from admission and the address allocator, which a replay does not run. */
const OF_OTHERS = /must be one of privileged, baseline, restricted$|: failed to allocate IP /;

/** The percentage of equal responses. */
function replay(kind: string): Record<'verdict' | 'object' | 'fields' | 'text', number> {
  const own = recorded(kind).filter(({ message = '' }) => !OF_OTHERS.test(message));
  const results = own.map((request) => ({ request, answer: create(request) }));
  const compared = results.map(({ request, answer }) => ({ request, answer, ...compare(request, answer) }));
  const wrong = compared.filter(({ verdict, object, fields, text }) => !(verdict && object && fields && text));
  for (const { request, answer } of wrong.slice(0, shown)) show(request, answer);
  const right = compared.filter(({ verdict }) => verdict);
  const made = right.filter(({ request }) => request.code < 300);
  const refused = right.filter(({ request }) => request.code === 422);
  const share = (list: typeof compared, by: 'verdict' | 'object' | 'fields' | 'text') =>
    list.length === 0 ? 100 : (100 * list.filter((item) => item[by]).length) / list.length;
  const shares = {
    verdict: share(compared, 'verdict'),
    object: share(made, 'object'),
    fields: share(refused, 'fields'),
    text: share(refused, 'text'),
  };
  const text = Object.entries(shares).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  console.log(`${kind}: ${compared.length} requests, ${text.join(', ')}`);
  return shares;
}

/** Compared with upstream's response to the same request. The keys name the strategies under test. */
const KINDS: readonly (readonly [key: string, kind: string])[] = [
  ['/namespaces', 'v1|Namespace'],
  ['/configmaps', 'v1|ConfigMap'],
  ['/secrets', 'v1|Secret'],
  ['/serviceaccounts', 'v1|ServiceAccount'],
  ['/events', 'v1|Event'],
  ['/endpoints', 'v1|Endpoints'],
  ['/services', 'v1|Service'],
  ['/limitranges', 'v1|LimitRange'],
  ['/resourcequotas', 'v1|ResourceQuota'],
  ['/nodes', 'v1|Node'],
  ['/persistentvolumes', 'v1|PersistentVolume'],
  ['/persistentvolumeclaims', 'v1|PersistentVolumeClaim'],
  ['rbac.authorization.k8s.io/roles', 'rbac.authorization.k8s.io/v1|Role'],
  ['rbac.authorization.k8s.io/clusterroles', 'rbac.authorization.k8s.io/v1|ClusterRole'],
  ['rbac.authorization.k8s.io/rolebindings', 'rbac.authorization.k8s.io/v1|RoleBinding'],
  ['rbac.authorization.k8s.io/clusterrolebindings', 'rbac.authorization.k8s.io/v1|ClusterRoleBinding'],
  ['networking.k8s.io/networkpolicies', 'networking.k8s.io/v1|NetworkPolicy'],
  ['networking.k8s.io/ingresses', 'networking.k8s.io/v1|Ingress'],
  ['networking.k8s.io/ingressclasses', 'networking.k8s.io/v1|IngressClass'],
  ['storage.k8s.io/storageclasses', 'storage.k8s.io/v1|StorageClass'],
  ['storage.k8s.io/csidrivers', 'storage.k8s.io/v1|CSIDriver'],
  ['storage.k8s.io/volumeattachments', 'storage.k8s.io/v1|VolumeAttachment'],
  ['policy/poddisruptionbudgets', 'policy/v1|PodDisruptionBudget'],
  ['autoscaling/horizontalpodautoscalers', 'autoscaling/v2|HorizontalPodAutoscaler'],
  ['autoscaling/horizontalpodautoscalers', 'autoscaling/v1|HorizontalPodAutoscaler'],
  ['scheduling.k8s.io/priorityclasses', 'scheduling.k8s.io/v1|PriorityClass'],
  ['coordination.k8s.io/leases', 'coordination.k8s.io/v1|Lease'],
  ['discovery.k8s.io/endpointslices', 'discovery.k8s.io/v1|EndpointSlice'],
  ['certificates.k8s.io/certificatesigningrequests', 'certificates.k8s.io/v1|CertificateSigningRequest'],
  [
    'admissionregistration.k8s.io/validatingwebhookconfigurations',
    'admissionregistration.k8s.io/v1|ValidatingWebhookConfiguration',
  ],
  [
    'admissionregistration.k8s.io/mutatingwebhookconfigurations',
    'admissionregistration.k8s.io/v1|MutatingWebhookConfiguration',
  ],
  [
    'admissionregistration.k8s.io/validatingadmissionpolicies',
    'admissionregistration.k8s.io/v1|ValidatingAdmissionPolicy',
  ],
  [
    'admissionregistration.k8s.io/validatingadmissionpolicybindings',
    'admissionregistration.k8s.io/v1|ValidatingAdmissionPolicyBinding',
  ],
  ['apiregistration.k8s.io/apiservices', 'apiregistration.k8s.io/v1|APIService'],
  ['flowcontrol.apiserver.k8s.io/flowschemas', 'flowcontrol.apiserver.k8s.io/v1|FlowSchema'],
  [
    'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
    'flowcontrol.apiserver.k8s.io/v1|PriorityLevelConfiguration',
  ],
];

describe(
  'responses of a real server to creates',
  skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'),
  () => {
    test.each(KINDS)('are reproduced for %s as %s', (key, kind) => {
      expect(STRATEGIES[key]).toBeDefined();
      expect(replay(kind)).toEqual({ verdict: 100, object: 100, fields: 100, text: 100 });
    });
  },
);
