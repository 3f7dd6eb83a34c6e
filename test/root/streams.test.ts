import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRANSPORTS } from '#test/clients/e2e/kubelet.ts';
import { type Outcome, RunningProgram, runProgram } from '#test/clients/e2e/program.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { BUSYBOX } from './images.ts';
import { kubectls } from './kubectls.ts';
import { TestNode } from './test-node.ts';

const POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata, resources: [{resources: [pods/*]}]}, {level: None}]
`;
const isAll = process.env['DAVIT_ROOT_ALL'] !== undefined;
const folder = mkdtempSync(join(tmpdir(), 'davit-streams-'));
const audit = join(folder, 'audit.log');
let node: TestNode;

beforeAll(async () => {
  writeFileSync(join(folder, 'policy.yaml'), POLICY);
  const server = [`--audit-policy-file=${join(folder, 'policy.yaml')}`, `--audit-log-path=${audit}`];
  node = await TestNode.startWith({ server: [...server, '--audit-log-mode=blocking'] });
  const main = shell(`echo one; echo two; test -e /kept/once && echo again; touch /kept/once; ${FOREVER}`, {
    volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
  });
  const web = 'echo of side; mkdir /www; echo served > /www/index.html; exec httpd -f -p 8080 -h /www';
  const echo = shell('while read x; do echo got $x; done', { stdin: true });
  const volumes = [{ name: 'kept', emptyDir: {} }];
  await node.apply(
    aPod('talks', '', { volumes, containers: [main, shell(web, { name: 'side' })] }),
    aPod('echoes', '', { containers: [echo] }),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'viewer' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
    },
  );
  await node.output('create', 'rolebinding', 'viewer', '--role=viewer', '--user=viewer');
  await node.output('wait', '--for=condition=Ready', 'pod/talks', 'pod/echoes', '--timeout=60s');
  await node.kubectl('exec', 'talks', '-c', 'main', '--', 'kill', '-TERM', '1'); // which ends with the container
  const restarts = 'jsonpath={.status.containerStatuses[?(@.name=="main")].restartCount}';
  await eventually(async () => expect(await node.output('get', 'pod', 'talks', '-o', restarts)).toBe('1'));
  await eventually(async () => expect(await node.output('logs', 'talks', '-c', 'main')).toContain('again'));
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

const sorted = (text: string): string[] => text.split('\n').toSorted();

/** The stages of audit events for requests to a subresource of the pod whose URI contains `part`. */
const stages = (subresource: string, part: string): string[] =>
  readFileSync(audit, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { stage: string; requestURI: string })
    .filter(({ requestURI }) => requestURI.includes(`/talks/${subresource}`) && requestURI.includes(part))
    .map(({ stage }) => stage);

describe.each(
  await Promise.all(kubectls(isAll).map(async ({ title, install }) => ({ title, path: pathOf(await install()) }))),
)('kubectl $title', ({ title, path }) => {
  const given = (args: readonly string[]) => ['--kubeconfig', node.server.kubeconfig, ...args];
  const run = (args: readonly string[], options: { env?: Record<string, string>; input?: string } = {}) =>
    runProgram(path, given(args), options);
  const start = (...args: readonly string[]) => new RunningProgram(path, given(args));
  const fine = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr }: Outcome = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  test.each([
    [['-c', 'main'], 'one\ntwo\nagain\n'],
    [['-c', 'main', '--tail=1'], 'again\n'],
    [['-c', 'main', '--tail=0'], ''],
    [['-c', 'main', '--limit-bytes=5'], 'one\nt'],
    [['-c', 'main', '--since=1h'], 'one\ntwo\nagain\n'],
    [['-c', 'main', '--since-time=2000-01-01T00:00:00Z'], 'one\ntwo\nagain\n'],
    [['-c', 'main', '--since-time=2100-01-01T00:00:00Z'], ''],
    [['-c', 'main', '--previous'], 'one\ntwo\n'],
    [['-c', 'side', '--prefix'], '[pod/talks/side] of side\n'],
    [['--all-containers', '--tail=1'], 'again\nof side\n'],
    [['-c', 'main', '--insecure-skip-tls-verify-backend', '--tail=1'], 'again\n'],
  ] as const)('prints logs with %s', async (options, shown) => {
    expect(sorted(await fine('logs', 'talks', ...options))).toEqual(sorted(shown));
  });

  test('logs by labels, with times, and followed to the end of the container', async () => {
    expect(await fine('logs', '-l', 'app=talks', '-c', 'main', '--tail=1')).toBe('again\n');
    expect(await fine('logs', 'talks', '-c', 'side', '--timestamps')).toMatch(/^\d{4}-\d\d-\d\dT\S+Z of side\n$/);
    const name = `ends-${title.replace('.', '-')}`;
    await node.apply(
      aPod(name, 'echo begun; until test -e /tmp/end; do sleep 0.1; done; echo over', { restartPolicy: 'Never' }),
    );
    await node.output('wait', '--for=condition=Ready', `pod/${name}`, '--timeout=60s');
    await using followed = start('logs', '-f', name);
    await followed.says(/begun/);
    await node.output('exec', name, '--', 'touch', '/tmp/end');
    expect(await followed.ended()).toMatchObject({ code: 0, stdout: 'begun\nover\n' });
    await node.output('delete', 'pod', name, '--timeout=60s');
  });

  test.each([
    [['logs', 'talks', '-c', 'none'], 'container none is not valid for pod talks'],
    [['logs', 'talks', '-c', 'side', '--previous'], 'previous terminated container "side" in pod "talks" not found'],
    [['logs', 'none'], 'pods "none" not found'],
    [['exec', 'talks', '-c', 'main', '--', 'no-such-program'], 'executable file not found'],
    [['exec', 'talks', '-c', 'none', '--', 'true'], 'container none is not valid for pod talks'],
    [['logs', 'talks', '-c', 'main', '--as=viewer'], 'User "viewer" cannot get resource "pods/log" in API group ""'],
    [['exec', 'talks', '-c', 'main', '--as=viewer', '--', 'true'], 'User "viewer" cannot create resource "pods/exec"'],
    [['attach', 'talks', '-c', 'main', '--as=viewer'], 'User "viewer" cannot create resource "pods/attach"'],
    [['port-forward', 'talks', ':8080', '--as=viewer'], 'User "viewer" cannot create resource "pods/portforward"'],
    [
      ['debug', 'talks', `--image=${BUSYBOX.name}`, '--as=viewer'],
      'User "viewer" cannot patch resource "pods/ephemeralcontainers"',
    ],
  ] as const)('%s is refused', async (args, message) => {
    const { code, stderr } = await run(args);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(message)]);
  });

  test('debug starts a container beside those of a pod, and a pod on the node', async () => {
    const debugger_ = `debugger-${title.replace('.', '-')}`;
    await run([
      'debug',
      'talks',
      `--image=${BUSYBOX.name}`,
      '--target=main',
      '-c',
      debugger_,
      '--',
      'sh',
      '-c',
      FOREVER,
    ]);
    await eventually(async () => expect((await run(['exec', 'talks', '-c', debugger_, '--', 'true'])).code).toBe(0));
    expect(await fine('exec', 'talks', '-c', debugger_, '--', 'ps')).toContain('trap');
    const { code, stderr, stdout } = await run([
      'debug',
      'node/n1',
      `--image=${BUSYBOX.name}`,
      '--',
      'ls',
      '/host/etc/hostname',
    ]);
    expect(code, stderr).toBe(0);
    const [pod = ''] = /node-debugger-n1-\w+/.exec(stdout + stderr) ?? [];
    await node.output('wait', '--for=jsonpath={.status.phase}=Succeeded', `pod/${pod}`, '--timeout=60s');
    expect(await fine('logs', pod)).toBe('/host/etc/hostname\n');
    await node.output('delete', 'pod', pod, '--timeout=60s');
  });

  test('proxy leads to the API and to a pod', async () => {
    await using proxy = start('proxy', '--port=0');
    await proxy.says(/127\.0\.0\.1:\d+/);
    const [address = ''] = /127\.0\.0\.1:\d+/.exec(proxy.stdout) ?? [];
    const at = async (url: string) => (await fetch(`http://${address}/api/v1/${url}`)).text();
    expect(await at('namespaces/default/pods/talks:8080/proxy/')).toBe('served\n');
    expect(await at('nodes/n1/proxy/healthz')).toBe('ok');
  });

  describe.each(TRANSPORTS)('kubectl streams over $title', ({ env }) => {
    test('exec passes exit codes, stdout, stderr and stdin', async () => {
      const script = ['exec', 'talks', '-c', 'main', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'];
      expect(await run(script, { env })).toEqual({
        code: 7,
        stdout: 'out\n',
        stderr: 'err\ncommand terminated with exit code 7\n',
      });
      const input = 'x'.repeat(100_000);
      expect(await run(['exec', '-i', 'talks', '-c', 'main', '--', 'wc', '-c'], { env, input })).toMatchObject({
        stdout: '100000\n',
      });
    });

    test('attach shows what a container writes, and types', async () => {
      await using attached = new RunningProgram(path, given(['attach', '-i', 'echoes']), {
        env,
        input: `${title}\n`,
      });
      await attached.says(new RegExp(`got ${title}\n`));
    });

    test('cp carries a folder both ways', async () => {
      const own = mkdtempSync(join(folder, 'cp-'));
      mkdirSync(join(own, 'tree/branch'), { recursive: true });
      writeFileSync(join(own, 'tree/branch/leaf'), 'green'.repeat(20_000));
      const there = `/tmp/${own.slice(-6)}`;
      await run(['cp', join(own, 'tree'), `talks:${there}`, '-c', 'main'], { env });
      await run(['cp', `talks:${there}/branch/leaf`, join(own, 'back'), '-c', 'main'], { env });
      expect(readFileSync(join(own, 'back'), 'utf8')).toBe('green'.repeat(20_000));
    });

    test('port-forward reaches a server', async () => {
      await using forward = new RunningProgram(path, given(['port-forward', 'pod/talks', ':8080']), { env });
      await forward.says(/127\.0\.0\.1:(\d+) ->/);
      const [, port] = /127\.0\.0\.1:(\d+) ->/.exec(forward.stdout) ?? [];
      for (const _ of [1, 2]) expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served\n');
    });

    test('audit events record the start and the end of a stream', async () => {
      const mark = mkdtempSync(join(folder, 'mark-')).slice(-6);
      const args = ['exec', 'talks', '-c', 'main', '--', 'sh', '-c', `until test -e /tmp/${mark}; do sleep 0.1; done`];
      await using program = new RunningProgram(path, given(args), { env });
      const part = `${mark}%3B`;
      await eventually(() => expect(stages('exec', part)).toContain('ResponseStarted'));
      expect(stages('exec', part)).toEqual(['ResponseStarted']);
      await node.output('exec', 'talks', '-c', 'main', '--', 'touch', `/tmp/${mark}`);
      expect(await program.ended()).toMatchObject({ code: 0 });
      await eventually(() => expect(stages('exec', part)).toHaveLength(2));
      expect(stages('exec', part)).toEqual(['ResponseStarted', 'ResponseComplete']);
    });
  });
});
