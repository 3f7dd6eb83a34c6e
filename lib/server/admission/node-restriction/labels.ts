const RESTRICTED = 'node-restriction.kubernetes.io';
/** Labels that kubelets set on their own nodes. */
const KUBELET: readonly string[] = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
];
const KUBELET_DOMAINS = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const OURS = ['kubernetes.io', 'k8s.io'];

type Labels = Readonly<Record<string, string>>;

const isWithin = (domain: string, parents: readonly string[]): boolean =>
  parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));

/** Returns the changed labels that a node may not set on itself, sorted. */
export function forbiddenLabels(labels: Labels, before: Labels): string[] {
  const names = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...names].filter((name) => labels[name] !== before[name] && isForbidden(name)).sort();
}

function isForbidden(label: string): boolean {
  const [domain = '', ...rest] = label.split('/');
  if (rest.length === 0) return false;
  if (isWithin(domain, [RESTRICTED])) return true;
  return isWithin(domain, OURS) && !KUBELET.includes(label) && !isWithin(domain, KUBELET_DOMAINS);
}
