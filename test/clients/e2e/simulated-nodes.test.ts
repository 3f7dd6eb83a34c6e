import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pathOf } from '#test/support/clients/cache.ts';
import { HELMS, newestKubectl } from '#test/support/clients/kubectl.ts';
import { eventually } from '#test/support/eventually.ts';
import { needing } from '#test/support/skip.ts';
import { useCluster } from './cluster.ts';
import { type Outcome, runProgram } from './program.ts';

const CHART = join(import.meta.dirname, '../../support/fixtures/chart');
const WAIT = '--timeout=60s';

const newest = await newestKubectl();

/** Expects that a program succeeds, and returns its output. */
async function ended(program: Promise<Outcome>): Promise<string> {
  const { code, stdout, stderr } = await program;
  expect(code, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

describe('kubectl on simulated nodes', needing(newest), () => {
  const cluster = useCluster({ simulatedNodes: 3 });

  const run = (args: readonly string[], input = ''): Promise<Outcome> => {
    const { folder, kubeconfig } = cluster();
    return runProgram(pathOf(newest), args, { env: { HOME: folder, KUBECONFIG: kubeconfig }, input });
  };
  const kubectl = (...args: readonly string[]): Promise<string> => ended(run(args));
  const apply = (object: object): Promise<string> => ended(run(['apply', '-f', '-'], JSON.stringify(object)));

  test('the nodes are ready, and are marked as simulated', async () => {
    const names = async () =>
      (await kubectl('get', 'nodes', '-l', 'davit.dev/simulated=true', '-o', 'name')).trim().split('\n');
    await eventually(async () =>
      expect(await names()).toEqual(['node/simulated-0', 'node/simulated-1', 'node/simulated-2']),
    );
    await kubectl('wait', 'node', '-l', 'davit.dev/simulated=true', '--for=condition=Ready', WAIT);
    expect(await kubectl('describe', 'node', 'simulated-0')).toMatch(/Container Runtime Version: +simulated:/);
  });

  test('rollout status succeeds for a new deployment and for a new image', async () => {
    await kubectl('create', 'deployment', 'web', '--image=nginx', '--replicas=3');
    expect(await kubectl('rollout', 'status', 'deployment/web', WAIT)).toContain('successfully rolled out');
    await kubectl('set', 'image', 'deployment/web', 'nginx=nginx:2');
    expect(await kubectl('rollout', 'status', 'deployment/web', WAIT)).toContain('successfully rolled out');
    const pods = await kubectl('get', 'pods', '-l', 'app=web', '-o', 'wide');
    expect(pods).toMatch(/1\/1 +Running +0 .* 10\.244\.\d+\.\d+ +simulated-\d/);
  });

  test('a job is complete', async () => {
    await kubectl('create', 'job', 'hello', '--image=busybox');
    expect(await kubectl('wait', '--for=condition=complete', 'job/hello', WAIT)).toContain('condition met');
    expect(await kubectl('get', 'pods', '-l', 'job-name=hello')).toMatch(/0\/1 +Completed/);
  });

  test('a job whose pods fail is marked as failed', async () => {
    const metadata = { annotations: { 'simulated.davit.dev/exit-code': '1' } };
    const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'i' }] };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'broken' } };
    await apply({ ...job, spec: { backoffLimit: 0, template: { metadata, spec } } });
    expect(await kubectl('wait', '--for=condition=failed', 'job/broken', WAIT)).toContain('condition met');
  });

  test('a crashing pod is reported', async () => {
    await kubectl('run', 'crash', '--image=i', '--annotations=simulated.davit.dev/exit-code=2');
    const reason = '--for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff';
    await kubectl('wait', reason, 'pod/crash', WAIT);
    await eventually(async () =>
      expect(await kubectl('describe', 'pod', 'crash')).toMatch(/Warning +BackOff .*kubelet +Back-off restarting/),
    );
    await kubectl('delete', 'pod', 'crash', WAIT);
  });

  test('logs explain why there is no log', async () => {
    await kubectl('run', 'quiet', '--image=i');
    await kubectl('wait', '--for=condition=Ready', 'pod/quiet', WAIT);
    const { code, stderr } = await run(['logs', 'quiet']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/no connection to node "simulated-\d": it is simulated, and no container runs on it/);
  });

  test('a node can be drained', async () => {
    await kubectl('create', 'deployment', 'many', '--image=i', '--replicas=6');
    await kubectl('rollout', 'status', 'deployment/many', WAIT);
    await kubectl('drain', 'simulated-0', '--force', '--ignore-daemonsets', WAIT);
    await kubectl('rollout', 'status', 'deployment/many', WAIT);
    const nodes = await kubectl('get', 'pods', '-l', 'app=many', '-o', 'jsonpath={.items[*].spec.nodeName}');
    expect(nodes).not.toContain('simulated-0');
  });
});

for (const { title, install } of HELMS) {
  const installed = await install();
  describe(`${title} on simulated nodes`, needing(installed), () => {
    const cluster = useCluster({ simulatedNodes: 1 });

    const run = (...args: readonly string[]): Promise<Outcome> => {
      const { folder, kubeconfig } = cluster();
      const home = { HOME: folder, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
      return runProgram(pathOf(installed), args, { env: { ...home, KUBECONFIG: kubeconfig }, cwd: folder });
    };

    test('install --wait ends', async () => {
      const output = await ended(run('install', 'first', CHART, '--wait', '--set', 'replicas=3', WAIT));
      expect(output).toContain('STATUS: deployed');
    });

    test('test ends, and reports the result', async () => {
      expect(await ended(run('test', 'first', WAIT))).toMatch(/Phase: +Succeeded/);
      await ended(run('upgrade', 'first', CHART, '--set', 'testExitCode=1', '--wait', WAIT));
      const { code, stdout, stderr } = await run('test', 'first', WAIT);
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`).toMatch(/Phase: +Failed|failed/);
    });
  });
}
