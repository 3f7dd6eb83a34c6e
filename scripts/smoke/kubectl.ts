import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { eventually } from './deployment.ts';
import { type Check, Skipped } from './report.ts';

const execute = promisify(execFile);
type Run = (...args: readonly string[]) => Promise<string>;

/** The time-out of a command in ms. */
const LONGEST_COMMAND = 120_000;
const LONGEST_WATCH = 30_000;

/** The usual first commands on a new cluster, run with this machine's kubectl. The other checks use `namespace`. */
export function kubectlChecks(kubectl: string, kubeconfig: string, namespace: string): readonly Check[] {
  const of = ['--kubeconfig', kubeconfig, '-n', namespace];
  const run: Run = async (...args) => {
    try {
      const all = [...of, '--request-timeout=60s', ...args];
      return (await execute(kubectl, all, { timeout: LONGEST_COMMAND, maxBuffer: 2 ** 26 })).stdout;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        throw new Skipped(`there is no ${kubectl} on this machine`);
      throw error;
    }
  };
  const command = (...args: readonly string[]): Check => ({
    says: `kubectl ${args.join(' ')}`,
    run: async () => `${(await run(...args)).trimEnd().split('\n').length} lines`,
  });
  return [
    command('version'),
    command('api-resources'),
    command('get', 'namespaces'),
    command('create', 'configmap', 'by-kubectl', '--from-literal=a=b'),
    command('get', 'deployments,replicasets,pods', '-o', 'wide'),
    command('describe', 'deployment', 'smoke'),
    { says: 'kubectl get pods -w', run: () => watched(run, kubectl, [...of, 'get', 'pods', '-w']) },
    command('scale', 'deployment', 'smoke', '--replicas=2'),
    command('get', 'events'),
    command('delete', 'configmap', 'by-kubectl'),
  ];
}

/** Annotates a pod that kubectl watches, and waits for its next line. A watch that ends meanwhile is restarted, as a user would do. */
async function watched(run: Run, kubectl: string, args: readonly string[]): Promise<string> {
  if ((await run('get', 'pods', '-o', 'name')) === '') throw new Skipped('there is no pod');
  let said = '';
  const look = async (): Promise<string | undefined> => {
    const child = spawn(kubectl, args, { timeout: LONGEST_WATCH, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    said = '';
    child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
    try {
      const listed = new Set<string>();
      for await (const line of createInterface({ input: child.stdout })) {
        said += `${line}\n`;
        const [pod = ''] = line.split(' ');
        if (listed.has(pod)) return 'a change';
        if (pod === 'NAME') continue;
        if (listed.size === 0) await run('annotate', 'pod', pod, `smoke=${randomUUID()}`, '--overwrite');
        listed.add(pod);
      }
      return undefined;
    } finally {
      child.kill();
      await ended;
    }
  };
  return eventually(look, () => `kubectl told no change: ${said}`);
}
