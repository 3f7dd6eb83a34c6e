import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ApiConnection } from '#test/clients/integration/api-connection.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { HELMS } from '#test/support/clients/kubectl.ts';
import { needing } from '#test/support/skip.ts';
import { useCluster } from './cluster.ts';
import { runProgram } from './program.ts';

const CHART = join(import.meta.dirname, '../../support/fixtures/chart');

interface Named {
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
}

for (const { title, install } of HELMS) {
  const installed = await install();
  describe(title, needing(installed), () => {
    const cluster = useCluster();

    async function helm(...args: string[]): Promise<string> {
      const { folder, kubeconfig } = cluster();
      const env = {
        HOME: folder,
        KUBECONFIG: kubeconfig,
        HELM_CACHE_HOME: folder,
        HELM_CONFIG_HOME: folder,
        HELM_DATA_HOME: folder,
      };
      const { code, stdout, stderr } = await runProgram(pathOf(installed), args, { env, cwd: folder });
      if (code !== 0) throw new Error(`helm ${args.join(' ')}: exit code ${code}\n${stdout}${stderr}`);
      return stdout;
    }

    async function names(path: string): Promise<string[]> {
      using api = new ApiConnection(cluster().server.kubeconfig);
      const { items } = await api.json<{ items: Named[] }>('GET', path);
      return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
    }

    async function read<T>(path: string): Promise<T> {
      using api = new ApiConnection(cluster().server.kubeconfig);
      return await api.json<T>('GET', path);
    }

    const GREETING = '/apis/chart.davit.test/v1/namespaces/greeters/greetings/first';
    const SETTINGS = '/api/v1/namespaces/greeters/configmaps/first-settings';
    const DEPLOYMENT = '/apis/apps/v1/namespaces/greeters/deployments/first';

    test('install creates the definition first, then all objects of the templates', async () => {
      expect(await helm('install', 'first', CHART, '-n', 'greeters', '--create-namespace')).toContain(
        'hello from first',
      );
      expect(await read(GREETING)).toMatchObject({ spec: { text: 'hello', tone: 'warm' } });
      expect(await read(SETTINGS)).toMatchObject({
        data: { greeting: 'hello', revision: '1', kubernetes: '36' },
        metadata: {
          labels: { 'app.kubernetes.io/managed-by': 'Helm' },
          annotations: { 'meta.helm.sh/release-name': 'first' },
        },
      });
      expect(await read(DEPLOYMENT)).toMatchObject({ spec: { replicas: 1 }, metadata: { generation: 1 } });
    });

    test('list and status know the release', async () => {
      const releases = JSON.parse(await helm('list', '-n', 'greeters', '-o', 'json')) as object[];
      expect(releases).toMatchObject([{ name: 'first', namespace: 'greeters', revision: '1', status: 'deployed' }]);
    });

    test('upgrade changes differences and adds new objects', async () => {
      await helm('upgrade', 'first', CHART, '-n', 'greeters', '--set', 'greeting=good day,replicas=3,extra=true');
      expect(await read(GREETING)).toMatchObject({
        spec: { text: 'good day', tone: 'warm' },
        metadata: { generation: 2 },
      });
      expect(await read(SETTINGS)).toMatchObject({ data: { greeting: 'good day', revision: '2' } });
      expect(await read(DEPLOYMENT)).toMatchObject({
        spec: { replicas: 3, template: { spec: { containers: [{ env: [{ name: 'GREETING', value: 'good day' }] }] } } },
      });
      expect(await names('/api/v1/namespaces/greeters/configmaps')).toEqual(['first-extra', 'first-settings']);
    });

    test('rollback restores the former objects, and removes new ones', async () => {
      await helm('rollback', 'first', '1', '-n', 'greeters');
      expect(await read(GREETING)).toMatchObject({ spec: { text: 'hello' } });
      expect(await read(DEPLOYMENT)).toMatchObject({ spec: { replicas: 1 } });
      expect(await names('/api/v1/namespaces/greeters/configmaps')).toEqual(['first-settings']);
      const history = JSON.parse(await helm('history', 'first', '-n', 'greeters', '-o', 'json')) as {
        status: string;
      }[];
      expect(history.map(({ status }) => status)).toEqual(['superseded', 'superseded', 'deployed']);
    });

    test('upgrade fails with a message if the schema rejects it', async () => {
      await expect(helm('upgrade', 'first', CHART, '-n', 'greeters', '--set', 'greeting=')).rejects.toThrow(
        /spec\.text in body should be at least 1 chars long/,
      );
    });

    /** An upgrade that is rolled back if it fails. A paused deployment counts as ready although no controller creates its pods. */
    const atomically = (...values: string[]): Promise<string> => {
      const wait = title === 'helm 3' ? ['--atomic'] : ['--rollback-on-failure', '--wait=legacy'];
      const set = ['--set', ['paused=true', ...values].join(',')];
      return helm('upgrade', 'first', CHART, '-n', 'greeters', '--timeout', '30s', ...wait, ...set);
    };

    test('an atomic upgrade waits, and is rolled back if it fails', async () => {
      await atomically('greeting=good evening', 'extra=true');
      expect(await read(GREETING)).toMatchObject({ spec: { text: 'good evening' } });
      await expect(atomically('greeting=', 'extra=true', 'replicas=2')).rejects.toThrow(
        /has been rolled back|should be at least 1/,
      );
      expect(await read(GREETING)).toMatchObject({ spec: { text: 'good evening' } });
      expect(await read(DEPLOYMENT)).toMatchObject({ spec: { replicas: 1, paused: true } });
      expect(await names('/api/v1/namespaces/greeters/configmaps')).toEqual(['first-extra', 'first-settings']);
      const history = JSON.parse(await helm('history', 'first', '-n', 'greeters', '-o', 'json')) as {
        status: string;
      }[];
      expect(history.slice(-3).map(({ status }) => status)).toEqual(['superseded', 'failed', 'deployed']);
    });

    test('uninstall removes everything but the definition', async () => {
      await helm('uninstall', 'first', '-n', 'greeters');
      expect(await names('/api/v1/namespaces/greeters/configmaps')).toEqual([]);
      expect(await names('/api/v1/namespaces/greeters/secrets')).toEqual([]);
      expect(await names('/apis/apps/v1/namespaces/greeters/deployments')).toEqual([]);
      expect(await names('/apis/chart.davit.test/v1/namespaces/greeters/greetings')).toEqual([]);
      expect(await names('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).toEqual([
        'greetings.chart.davit.test',
      ]);
    });
  });
}
