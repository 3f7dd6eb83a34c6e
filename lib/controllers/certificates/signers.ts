import type { RequestedNames } from './certificate-request.ts';

/** The signer of certificates that kubelets present to the API server. */
export const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
/** The signer of certificates that kubelets present to their clients. */
export const KUBELET_SERVING = 'kubernetes.io/kubelet-serving';
/** The group of all nodes. */
export const NODE_GROUP = 'system:nodes';
/** The prefix of a node's user name, followed by the name of the node. */
export const NODE = 'system:node:';
const SIGNING = 'digital signature';
const ENCIPHERING = 'key encipherment';

type Check = (names: RequestedNames, usages: readonly string[]) => string | undefined;

/** The signers of the control plane and their checks of a request, the same as upstream's. Other signers are separate programs. */
const SIGNERS: Readonly<Record<string, Check>> = {
  'kubernetes.io/kube-apiserver-client': clientFault,
  [KUBELET_CLIENT]: kubeletClientFault,
  [KUBELET_SERVING]: kubeletServingFault,
  'kubernetes.io/legacy-unknown': () => undefined,
};

/** Whether the control plane itself is the signer. */
export const isOurs = (signerName: string): boolean => Object.hasOwn(SIGNERS, signerName);

/** The reason why a signer refuses a request. Undefined if it accepts the request. */
export const signerFault = (signerName: string, ...asked: Parameters<Check>): string | undefined =>
  SIGNERS[signerName]?.(...asked);

function clientFault(_: RequestedNames, usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => ![SIGNING, ENCIPHERING, 'client auth'].includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

/** The reason why these names and usages are invalid for a kubelet's client certificate. Undefined if they are valid. */
export function kubeletClientFault(names: RequestedNames, usages: readonly string[]): string | undefined {
  if (!isNodes(names)) return NOT_NODES;
  if (names.dns.length > 0) return 'DNS subjectAltNames are not allowed';
  if (names.email.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.ip.length > 0) return 'IP subjectAltNames are not allowed';
  if (names.url.length > 0) return 'URI subjectAltNames are not allowed';
  if (!names.commonName.startsWith(NODE)) return NOT_NODE;
  return usagesFault(usages, 'client auth');
}

/** The reason why these names and usages are invalid for a kubelet's serving certificate. Undefined if they are valid. */
export function kubeletServingFault(names: RequestedNames, usages: readonly string[]): string | undefined {
  if (!isNodes(names)) return NOT_NODES;
  if (names.dns.length === 0 && names.ip.length === 0) return 'DNS or IP subjectAltName is required';
  if (names.email.length > 0) return 'Email subjectAltNames are not allowed';
  if (names.url.length > 0) return 'URI subjectAltNames are not allowed';
  const fault = usagesFault(usages, 'server auth');
  if (fault !== undefined) return fault;
  return names.commonName.startsWith(NODE) ? undefined : NOT_NODE;
}

const NOT_NODES = `subject organization is not ${NODE_GROUP}`;
const NOT_NODE = `subject common name does not begin with ${NODE}`;

const isNodes = ({ organizations }: RequestedNames): boolean =>
  organizations.length === 1 && organizations[0] === NODE_GROUP;

/** Key encipherment is optional, for RSA keys. */
function usagesFault(usages: readonly string[], purpose: string): string | undefined {
  const given = new Set(usages);
  const allowed = [SIGNING, ENCIPHERING, purpose];
  const fits = given.has(SIGNING) && given.has(purpose) && [...given].every((usage) => allowed.includes(usage));
  return fits ? undefined : `usages did not match [${allowed.toSorted().join(' ')}]`;
}
