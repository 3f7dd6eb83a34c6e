/** A kubeconfig with one user, which has a token. */
export function kubeconfigOf(server: string, authority: string, token: string): string {
  const certificate = Buffer.from(authority).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'davit', cluster: { server, 'certificate-authority-data': certificate } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'davit', context: { cluster: 'davit', user: 'admin' } }],
    'current-context': 'davit',
  });
}
