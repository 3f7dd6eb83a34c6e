import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type ChanneledCluster, startGatewayCluster } from '#test/support/gateway/cluster.ts';
import { startContainerCluster } from '#test/support/gateway/container-cluster.ts';
import type { TestNode } from '#test/support/kubelet/node.ts';
import { mortal } from '#test/support/mortal.ts';
import { idle, useNode } from './kubelet.ts';
import { type Outcome, RunningProgram, runProgram } from './program.ts';

const PLUGIN = join(import.meta.dirname, '../../../bin/kubectl-davit.mjs');
const sh = (script: string, more: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'main', image: 'i', command: ['sh', '-c', script], ...more }],
});
const PODS: Readonly<Record<string, JsonObject>> = {
  web: { containers: [idle('main'), idle('side')] },
  talks: sh('echo one; echo two; until test -e over; do sleep 0.05; done; echo three'),
  echoes: sh('while read x; do echo got $x; done', { stdin: true }),
  waits: sh('while read x; do echo got $x; done', { stdin: true }),
};

const foldersOfClients = (temporary: string): readonly string[] =>
  readdirSync(temporary).filter((name) => name.startsWith('kubectl-davit-'));

interface Door {
  readonly kubeconfig: string;
  readonly node: TestNode;
}

function useDirect(): () => Door {
  return useNode(PODS);
}

type Start = (pods: typeof PODS) => Promise<ChanneledCluster>;

function useChanneled(startCluster: Start): () => Door {
  let cluster: ChanneledCluster;
  beforeAll(async () => {
    cluster = await startCluster(PODS);
  });
  afterAll(() => cluster[Symbol.asyncDispose]());
  return () => ({ kubeconfig: cluster.kubeconfig, node: cluster.node.node });
}

describe.each([
  { title: 'a server that upgrades connections', use: useDirect },
  { title: 'a container, where WebSockets alone pass', use: () => useChanneled(startContainerCluster) },
  { title: 'functions, by the WebSocket API of nodes', use: () => useChanneled(startGatewayCluster) },
])('kubectl davit before $title', ({ use }) => {
  const door = use();
  const env = (): Record<string, string> => ({ KUBECONFIG: door().kubeconfig });
  const run = (args: readonly string[], input = ''): Promise<Outcome> =>
    runProgram(process.execPath, [PLUGIN, ...args], { env: env(), input });
  const start = (args: readonly string[], input?: string): RunningProgram =>
    new RunningProgram(process.execPath, [PLUGIN, ...args], { env: env(), ...(input !== undefined && { input }) });

  test('exec passes both outputs and the exit code', async () => {
    expect(await run(['exec', 'web', '-c', 'side', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toEqual({
      code: 7,
      stdout: 'out\n',
      stderr: 'err\ncommand terminated with exit code 7\n',
    });
  });

  test('exec passes its whole standard input to the command', async () => {
    const input = 'x'.repeat(300_000);
    expect(await run(['exec', '-i', 'pod/web', '-c', 'main', '--', 'wc', '-c'], input)).toEqual({
      code: 0,
      stdout: '300000\n',
      stderr: '',
    });
  });

  test('exec prints the whole output of a command', async () => {
    const { code, stdout } = await run(['exec', 'web', '--', 'head', '-c', '1000000', '/dev/zero']);
    expect([code, stdout.length]).toEqual([0, 1_000_000]);
  });

  test('exec delivers the whole output to a client that starts reading after the command ended', async () => {
    const script = 'rm -f done; head -c 200000 /dev/urandom > bytes; cat bytes; touch done';
    const args = [PLUGIN, 'exec', 'web', '--', 'sh', '-c', script];
    const { folder } = door().node;
    const child = mortal(
      spawn(process.execPath, args, { env: { ...process.env, ...env() }, stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    await eventually(() => existsSync(join(folder, 'done')));
    const read = await buffer(child.stdout);
    expect(read.equals(readFileSync(join(folder, 'bytes')))).toBe(true);
  });

  test.each([
    [['exec', 'none', '--', 'ls'], 'pods "none" not found'],
    [['exec', 'web', '-c', 'none', '--', 'ls'], 'container none is not valid for pod web'],
    [['exec', 'web', '-c', 'main', '--', 'no-such-program'], 'error executing command in container'],
    [['exec', 'web'], 'you must specify at least one command'],
    [['logs', 'web', '-c', 'none'], 'container none is not valid for pod web'],
    [['logs', 'talks', '--tail=-7'], 'must be greater than or equal to 0'],
    [['exec', 'web', '--as=viewer', '--as-group=viewers', '--', 'ls'], 'cannot get resource "pods"'],
  ])('rejects the command %j', async (args, message) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test('logs shows a log, and follows it to the end of the container', async () => {
    expect(await run(['logs', 'talks', '--tail=1'])).toEqual({ code: 0, stdout: 'two\n', stderr: '' });
    await using followed = start(['logs', '-f', 'talks']);
    await followed.says(/two/);
    writeFileSync(join(door().node.folder, 'over'), '');
    expect(await followed.ended()).toMatchObject({ code: 0, stdout: 'one\ntwo\nthree\n', stderr: '' });
  });

  test('attach shows the output of the container and passes input to it', async () => {
    await using attached = start(['attach', '-i', 'echoes'], 'hello\n');
    await attached.says(/got hello\n/);
    attached.type('again\n');
    await attached.says(/got again\n/);
  });

  test('port-forward carries several connections at once, each direction to its end', async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      void text(socket).then((said) => socket.end(said.toUpperCase()));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await using forward = start(['port-forward', 'web', `:${port}`]);
    await forward.says(/127\.0\.0\.1:\d+ -> /);
    const [, local = ''] = /127\.0\.0\.1:(\d+) -> /.exec(forward.stdout) ?? [];
    const sent = async (said: string): Promise<string> => {
      const socket = connect({ port: Number(local), host: '127.0.0.1', allowHalfOpen: true });
      await once(socket, 'connect');
      socket.end(said);
      return text(socket);
    };
    const said = ['a', 'b', 'c'].map((letter) => letter.repeat(100_000));
    expect(await Promise.all(said.map(sent))).toEqual(said.map((one) => one.toUpperCase()));
    server.close();
    expect(await sent('x')).toBe('');
    await eventually(() => expect(forward.stderr).toContain('an error occurred forwarding'));
    expect(await sent('x')).toBe('');
  });

  test('cp copies folders both ways', async () => {
    const own = mkdtempSync(join(tmpdir(), 'davit-cp-'));
    mkdirSync(join(own, 'tree/branch'), { recursive: true });
    writeFileSync(join(own, 'tree/branch/leaf'), 'green'.repeat(50_000));
    writeFileSync(join(own, `tree/${'n'.repeat(120)}`), 'long');
    symlinkSync('/etc/passwd', join(own, 'tree/link'));
    const there = join(door().node.folder, 'there');
    expect(await run(['cp', join(own, 'tree'), `web:${there}`, '-c', 'main'])).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('rror'),
    });
    expect(readFileSync(join(there, 'branch/leaf'), 'utf8')).toBe('green'.repeat(50_000));
    const back = await run(['cp', `default/web:${there}`, join(own, 'back'), '-c', 'main']);
    expect(back).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/^warning: skipping symlink: .*\n$/) });
    expect(readFileSync(join(own, 'back/branch/leaf'), 'utf8')).toBe('green'.repeat(50_000));
    expect(readFileSync(join(own, `back/${'n'.repeat(120)}`), 'utf8')).toBe('long');
    expect(await run(['cp', `web:${there}/none`, join(own, 'none'), '-c', 'main'])).toMatchObject({ code: 2 });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGKILL', 137],
  ] as const)('leaves no client and no kubectl running after %s', async (ending, code) => {
    const own = mkdtempSync(join(tmpdir(), 'davit-ends-'));
    await using attached = new RunningProgram(process.execPath, [PLUGIN, 'attach', '-i', 'waits'], {
      env: { ...env(), TMPDIR: own },
      input: '',
    });
    await eventually(() => expect(door().node.attached('waits', 'main')).toBeGreaterThan(0));
    expect(foldersOfClients(own)).toHaveLength(1);
    expect(await attached.ended(ending)).toMatchObject({ code });
    await eventually(() => door().node.attached('waits', 'main') === 0 && foldersOfClients(own).length === 0);
  });
});

describe('kubectl itself before functions', () => {
  const door = useChanneled(startGatewayCluster);
  const kubectl = (...args: readonly string[]): Promise<Outcome> =>
    runProgram('kubectl', args, { env: { KUBECONFIG: door().kubeconfig } });

  test('shows logs, follows them, and reaches the node', async () => {
    expect(await kubectl('logs', 'talks')).toMatchObject({ code: 0, stdout: 'one\ntwo\n' });
    const path = '/api/v1/nodes/n1/proxy/containerLogs/default/talks/main';
    expect(await kubectl('get', '--raw', path)).toMatchObject({ code: 0, stdout: 'one\ntwo\n' });
    const followed = kubectl('logs', '-f', 'talks');
    writeFileSync(join(door().node.folder, 'over'), '');
    expect(await followed).toMatchObject({ code: 0, stdout: 'one\ntwo\nthree\n' });
  });

  test.each([
    ['exec', 'web', '-c', 'main', '--', 'ls'],
    ['attach', 'web', '-c', 'main'],
    ['port-forward', 'web', ':8080'],
    ['cp', 'web:/etc/hosts', '/tmp/davit-none', '-c', 'main'],
  ])('names kubectl davit in the error of: %s', async (...args) => {
    const { code, stderr } = await kubectl(...args);
    expect([code === 0, stderr]).toEqual([
      false,
      expect.stringContaining('Use kubectl davit exec, attach, port-forward, cp or logs -f'),
    ]);
  });
});
