/** The parts of a cluster that a kubeconfig names. */
export interface Cluster {
  readonly clusterId: string;
  readonly endpoint: string;
  readonly region: string;
}

/**
 * A POSIX shell command that writes cluster, user and context into the kubeconfig. `aws eks get-token` creates the tokens, without a call
 * to EKS.
 */
export function kubeconfigCommand({ clusterId, endpoint, region }: Cluster): string {
  const token = ['eks', 'get-token', '--cluster-name', clusterId, '--region', region];
  return [
    `kubectl config set-cluster ${clusterId} --server=${endpoint}`,
    `kubectl config set-credentials ${clusterId} --exec-api-version=client.authentication.k8s.io/v1beta1 ` +
      `--exec-interactive-mode=IfAvailable --exec-command=aws ${token.map((word) => `--exec-arg=${word}`).join(' ')}`,
    `kubectl config set-context ${clusterId} --cluster=${clusterId} --user=${clusterId}`,
    `kubectl config use-context ${clusterId}`,
  ].join(' && ');
}
