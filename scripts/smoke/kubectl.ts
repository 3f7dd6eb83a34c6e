import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Skipped, type Check } from './report.ts';

const execute = promisify(execFile);

/** The first commands of whoever has a new cluster, by the kubectl of this machine; `namespace` is of the other checks. */
export function kubectlChecks(kubectl: string, kubeconfig: string, namespace: string): readonly Check[] {
  const run = async (...args: readonly string[]): Promise<string> => {
    try {
      const all = ['--kubeconfig', kubeconfig, '--request-timeout=60s', ...args];
      return (await execute(kubectl, all, { timeout: 120_000, maxBuffer: 2 ** 26 })).stdout;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        throw new Skipped(`there is no ${kubectl} on this machine`);
      throw error;
    }
  };
  const commands: readonly (readonly string[])[] = [
    ['version'],
    ['api-resources'],
    ['get', 'namespaces'],
    ['-n', namespace, 'create', 'configmap', 'by-kubectl', '--from-literal=a=b'],
    ['-n', namespace, 'get', 'deployments,replicasets,pods', '-o', 'wide'],
    ['-n', namespace, 'describe', 'deployment', 'smoke'],
    ['-n', namespace, 'scale', 'deployment', 'smoke', '--replicas=2'],
    ['-n', namespace, 'get', 'events'],
    ['-n', namespace, 'label', 'configmap', 'by-kubectl', 'a=b'],
    ['-n', namespace, 'delete', 'configmap', 'by-kubectl'],
  ];
  return commands.map((args) => ({
    says: `kubectl ${args.join(' ')}`,
    run: async () => `${(await run(...args)).trimEnd().split('\n').length} lines`,
  }));
}
