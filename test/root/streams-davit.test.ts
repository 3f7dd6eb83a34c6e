import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KubectlProxy } from '#local/kubectl/streams/kubectl-proxy.ts';
import { runRemote } from '#local/kubectl/streams/remote-command.ts';
import { tunnelOver } from '#local/kubectl/streams/tunnel.ts';
import { type Outcome, RunningProgram, runProgram } from '#test/clients/e2e/program.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { KUBECTL, TestNode } from './test-node.ts';

const PLUGIN = join(import.meta.dirname, '../../bin/kubectl-davit.mjs');
let node: TestNode;

beforeAll(async () => {
  node = await TestNode.start();
  const web = 'echo of side; mkdir /www; echo served > /www/index.html; exec httpd -f -p 8080 -h /www';
  const echo = shell('while read x; do echo got $x; done', { stdin: true });
  await node.apply(
    aPod('talks', '', { containers: [shell(`echo one; echo two; ${FOREVER}`), shell(web, { name: 'side' })] }),
    aPod('echoes', '', { containers: [echo] }),
  );
  await node.output('wait', '--for=condition=Ready', 'pod/talks', 'pod/echoes', '--timeout=60s');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

const env = (): Record<string, string> => ({ KUBECONFIG: node.server.kubeconfig, KUBECTL });
const run = (args: readonly string[], input = ''): Promise<Outcome> =>
  runProgram(process.execPath, [PLUGIN, ...args], { env: env(), input });
const start = (args: readonly string[], input?: string): RunningProgram =>
  new RunningProgram(process.execPath, [PLUGIN, ...args], { env: env(), ...(input !== undefined && { input }) });

test('kubectl davit logs shows the log of a container of a pod', async () => {
  expect(await run(['logs', 'talks', '-c', 'main'])).toEqual({ code: 0, stdout: 'one\ntwo\n', stderr: '' });
  await using followed = start(['logs', '-f', 'talks', '-c', 'side']);
  await followed.says(/of side/);
});

test('kubectl davit exec passes the exit code, both outputs, and the input to its end', async () => {
  expect(await run(['exec', 'talks', '-c', 'main', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toEqual({
    code: 7,
    stdout: 'out\n',
    stderr: 'err\ncommand terminated with exit code 7\n',
  });
  const outcome = await run(['exec', '-i', 'talks', '-c', 'main', '--', 'wc', '-c'], 'x'.repeat(100_000));
  expect(outcome).toEqual({ code: 0, stdout: '100000\n', stderr: '' });
});

test('exec works inside a WebSocket if a load balancer passes nothing else on', async () => {
  using api = await KubectlProxy.start([`--kubeconfig=${node.server.kubeconfig}`], KUBECTL);
  const query = new URLSearchParams({ container: 'main', stdin: 'true', stdout: 'true', stderr: 'true' });
  for (const word of ['sh', '-c', 'wc -c; exit 3']) query.append('command', word);
  const connection = await tunnelOver(api, `/api/v1/namespaces/default/pods/talks/exec?${String(query)}`);
  if (connection === undefined) throw new Error('the tunnel is refused');
  const stdout = new PassThrough();
  const terminal = { stdin: Readable.from([Buffer.alloc(100_000)]), stdout, stderr: new PassThrough() };
  const stream = { connection, over: new Promise<string>(() => undefined), close: async () => undefined };
  expect(await runRemote(stream, { stdin: true, tty: false }, terminal)).toBe(3);
  stdout.end();
  expect(await text(stdout)).toBe('100000\n');
});

test('kubectl davit attach shows what a container writes, and types', async () => {
  await using attached = start(['attach', '-i', 'echoes'], 'hello\n');
  await attached.says(/got hello\n/);
});

test('kubectl davit port-forward reaches a server in a pod repeatedly', async () => {
  await using forward = start(['port-forward', 'talks', ':8080']);
  await forward.says(/127\.0\.0\.1:\d+ -> 8080/);
  const [, port = ''] = /127\.0\.0\.1:(\d+) -> /.exec(forward.stdout) ?? [];
  const got = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(await Promise.all([got(), got(), got()])).toEqual(['served\n', 'served\n', 'served\n']);
});

test('kubectl davit cp carries a folder into a pod and a file out of it', async () => {
  const own = mkdtempSync(join(tmpdir(), 'davit-cp-'));
  mkdirSync(join(own, 'tree/branch'), { recursive: true });
  writeFileSync(join(own, 'tree/branch/leaf'), 'green'.repeat(20_000));
  expect(await run(['cp', join(own, 'tree'), 'talks:/tmp/there', '-c', 'main'])).toMatchObject({ code: 0 });
  expect(await run(['cp', 'talks:/tmp/there/branch/leaf', join(own, 'back'), '-c', 'main'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(own, 'back'), 'utf8')).toBe('green'.repeat(20_000));
});
