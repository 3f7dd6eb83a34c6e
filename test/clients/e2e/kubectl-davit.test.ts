import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineReconciler } from '#lib/client/controller/define-reconciler.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { defineValidating } from '#lib/sdk/webhook-sdk/define-validating.ts';
import { denied } from '#lib/sdk/webhook-sdk/denied.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { eventually } from '#test/support/eventually.ts';
import { needing } from '#test/support/skip.ts';
import { type Outcome, RunningProgram, runProgram } from './program.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const BIN = join(import.meta.dirname, '../../../bin');
const newest = await newestKubectl();

const greeter = defineReconciler<ConfigMap>(
  { name: 'greeter', for: { apiVersion: 'v1', kind: 'ConfigMap' }, predicates: { labelSelector: 'greeted' } },
  async (_request, { object, log }) => {
    const { data = {} } = (await object()) ?? {};
    log.info(`hello ${data['who']}`);
    return data['who'] === 'nobody' ? { terminal: 'there is nobody' } : undefined;
  },
);
const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
const polite = defineValidating<ConfigMap>({ name: 'polite', rules }, ({ data }) => {
  if (data?.['who'] === 'you') throw denied('it is rude to point');
});

let server: RunningApiserver;
let other: RunningApiserver;
const folder = mkdtempSync(join(tmpdir(), 'davit-plugin-'));
const path = join(folder, 'bin');
const kubectl = join(path, 'kubectl');
const env: Record<string, string> = {
  HOME: folder,
  KUBECONFIG: join(folder, 'kubeconfig'),
  PATH: [path, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
};

/** The plugin and its completion, on the PATH as in an installed package. */
function install(binary: string): void {
  mkdirSync(path, { recursive: true });
  copyFileSync(binary, kubectl);
  chmodSync(kubectl, 0o755);
  for (const name of ['kubectl-davit', 'kubectl_complete-davit'])
    symlinkSync(join(BIN, `${name}.mjs`), join(path, name));
}

const run = (...args: readonly string[]): Promise<Outcome> => runProgram(kubectl, args, { env, cwd: folder });

async function says(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

describe('the plugin kubectl davit', needing(newest), () => {
  beforeAll(async () => {
    install(pathOf(newest));
    server = await startApiserver({ reconcilers: [greeter], webhooks: [polite] });
    other = await startApiserver({ controllers: false });
    writeFileSync(env['KUBECONFIG'] ?? '', server.kubeconfig);
    writeFileSync(join(folder, 'other'), other.kubeconfig);
    await says('create', 'namespace', 'team');
    for (const who of ['ann', 'nobody']) {
      await says('create', 'configmap', who, '-n', 'team', `--from-literal=who=${who}`);
      await says('label', 'configmap', who, '-n', 'team', 'greeted=yes');
    }
    await run('create', 'configmap', 'rude', '-n', 'team', '--from-literal=who=you');
    const body = { apiVersion: 'v1', kind: 'ConfigMap', data: { who: 'child' } };
    const ann = await says('get', 'configmap', 'ann', '-n', 'team', '-o', 'jsonpath={.metadata.uid}');
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'ann', uid: ann }];
    const file = join(folder, 'child.json');
    writeFileSync(file, JSON.stringify({ ...body, metadata: { name: 'child', namespace: 'team', ownerReferences } }));
    await says('create', '-f', file);
    await eventually(async () =>
      expect(await says('davit', 'invocations', '--reconciler', 'greeter')).toContain('there is nobody'),
    );
  });
  afterAll(() => Promise.all([server.close(), other.close()]));

  test('is a plugin that kubectl finds', async () => {
    expect(await says('plugin', 'list')).toContain(join(path, 'kubectl-davit'));
    expect(await says('davit', '--help')).toMatch(/trace .*\n.*invocations .*\n.*replay .*\n.*which /s);
  });

  test('trace shows an object: dependents, events, invocations and their log lines', async () => {
    const nobody = await says('davit', 'trace', 'configmap/nobody', '-n', 'team');
    expect(nobody).toMatch(/^ConfigMap team\/nobody \(v1, uid [0-9a-f-]+\)\n/);
    expect(nobody).toMatch(/Events\n.*\n.*Warning +ReconcileError +ConfigMap nobody +greeter +there is nobody/);
    expect(nobody).toMatch(/greeter +ConfigMap team\/nobody +1 +\S+ +Terminal +there is nobody\n +hello nobody\n/);
    expect(nobody).toMatch(/polite +ConfigMap team\/nobody +1 +\S+ +Done/);
    expect(nobody).not.toContain('team/ann');
    const ann = await says('davit', 'trace', 'configmap', 'ann', '-n', 'team');
    expect(ann).toMatch(/Dependents\n +ConfigMap team\/child/);
    const child = await says('davit', 'trace', 'cm/child', '-n', 'team');
    expect(child).toMatch(/^ConfigMap team\/child .*\n {2}of ConfigMap team\/ann/);
  });

  test('trace of a built-in kind', async () => {
    await says('create', 'deployment', 'web', '--image=x', '-n', 'team');
    await eventually(async () =>
      expect(await says('davit', 'trace', 'deploy/web', '-n', 'team')).toMatch(
        /Dependents\n +ReplicaSet team\/web-\w+ .*\n +Pod team\/web-\w+-\w+ .*[^]*ScalingReplicaSet[^]*deployment-controller +Deployment team\/web/,
      ),
    );
  });

  test('trace rejects an absent object', async () => {
    const { code, stderr } = await run('davit', 'trace', 'configmap/none', '-n', 'team');
    expect([code, stderr]).toEqual([1, 'error: Error from server (NotFound): configmaps "none" not found\n']);
  });

  test('invocations can be selected by function, by failure and by namespace', async () => {
    const failed = await says('davit', 'invocations', '--failed', '-n', 'team', '--logs');
    expect(failed).toMatch(/^START +FUNCTION .*\n.*greeter .*Terminal .*\n +hello nobody\n +error: there is nobody\n$/);
    expect(await says('davit', 'invocations', '--reconciler', 'polite')).toMatch(/Denied +it is rude to point\n/);
    const lines = await says('davit', 'invocations', '--reconciler', 'greeter', '-o', 'json');
    const items = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly function: string });
    expect(new Set(items.map((item) => item.function))).toEqual(new Set(['greeter']));
  });

  test('invocations can be watched, and show a replayed one', async () => {
    const args = ['davit', 'invocations', '--reconciler', 'greeter', '-w'];
    await using watching = new RunningProgram(kubectl, args, { env, cwd: folder });
    await watching.says(/there is nobody/);
    const before = watching.stdout;
    expect(await says('davit', 'replay', 'greeter', 'team/ann')).toBe('greeter looks at team/ann\n');
    await eventually(() => expect(watching.stdout.slice(before.length)).toMatch(/^\S+ +greeter +ConfigMap team\/ann /));
  });

  test('replay requires an existing reconciler and an object', async () => {
    const unknown = await run('davit', 'replay', 'none', 'team/ann');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('reconcilers.davit.dev "none" not found'),
    ]);
    expect((await run('davit', 'replay', 'greeter', 'a/b/c')).stderr).toContain('It is NAMESPACE/NAME or NAME.');
  });

  test('which shows its questions', async () => {
    const { stdout } = await runProgram(kubectl, ['davit', 'which'], {
      env,
      cwd: folder,
      input: 'who may do what\nyes\n',
    });
    expect(stdout).toContain('RBAC');
  });

  test('uses the connection in the flags, and the permissions of its user', async () => {
    const there = await run('davit', 'invocations', '--kubeconfig', join(folder, 'other'));
    expect([there.code, there.stdout]).toEqual([0, expect.not.stringContaining('greeter')]);
    const { code, stderr } = await run('davit', 'invocations', '--as', 'amy');
    expect([code, stderr]).toEqual([1, expect.stringContaining('(Forbidden)')]);
  });

  test.each([
    ['davit t', ['trace']],
    ['davit invocations --reconciler gr', ['greeter']],
    ['davit replay greeter team/n', ['team/nobody']],
    ['davit trace configm', ['configmaps']],
    ['davit trace -n team configmap/an', ['configmap/ann']],
    ['davit invocations -n tea', ['team']],
  ])('completion of "%s"', async (line, expected) => {
    const { stdout } = await run('__complete', ...line.split(' '));
    const lines = stdout.split('\n').filter((one) => one !== '' && !one.startsWith(':'));
    expect(lines.map((one) => one.split('\t')[0])).toEqual(expected);
  });
});
