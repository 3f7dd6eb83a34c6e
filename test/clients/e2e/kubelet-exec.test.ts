import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Exec, KubeConfig, type V1Status } from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS } from '#test/support/kubelet/remote-command.ts';
import { describeStreams } from './kubectl/kubectl.ts';
import { idle, TRANSPORTS, useNode } from './kubelet.ts';

const use = () => useNode({ web: { containers: [idle('main'), idle('side')] } });

describeStreams(use, 'exec', (kubectl, cluster) => {
  describe.each(TRANSPORTS)('exec over $title', ({ env, upgrade }) => {
    const run = (command: string, input = '') => kubectl().try(command, { env, input });

    test('shows the output of a command, with stdout and stderr separate', async () => {
      expect(await run(`exec web -c side -- sh -c 'echo out; echo err >&2'`)).toEqual({
        code: 0,
        stdout: 'out\n',
        stderr: 'err\n',
      });
      expect(cluster().kubelet.upgrades.at(-1)).toBe(
        `${upgrade} /exec/default/web/side?command=sh&command=-c&command=echo+out%3B+echo+err+%3E%262&error=1&output=1`,
      );
    });

    test('ends with the exit code of the command', async () => {
      expect(await run(`exec web -c main -- sh -c 'echo out; exit 42'`)).toEqual({
        code: 42,
        stdout: 'out\n',
        stderr: 'command terminated with exit code 42\n',
      });
    });

    test('reports that a command cannot be run', async () => {
      const { code, stderr } = await run('exec web -c main -- no-such-program');
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('Internal error occurred: error executing command in container: '),
      ]);
    });

    test('passes the whole input of kubectl to the command', async () => {
      const input = 'x'.repeat(300_000);
      expect(await run('exec -i web -c main -- wc -c', input)).toEqual({ code: 0, stdout: '300000\n', stderr: '' });
    });

    test('transfers the whole output', async () => {
      const { code, stdout } = await run(`exec web -c main -- head -c 3000000 /dev/zero`);
      expect([code, stdout.length]).toEqual([0, 3_000_000]);
    });

    test('copies files and folders both ways', async () => {
      const { folder, node } = cluster();
      mkdirSync(join(folder, 'tree/branch'), { recursive: true });
      writeFileSync(join(folder, 'tree/branch/leaf'), 'green'.repeat(50_000));
      const there = join(node.folder, upgrade.slice(0, 4));
      mkdirSync(there, { recursive: true });
      expect(await run(`cp tree web:${there}/tree -c main`)).toMatchObject({ code: 0 });
      expect(readFileSync(join(there, 'tree/branch/leaf'), 'utf8')).toBe('green'.repeat(50_000));
      expect(await run(`cp web:${there}/tree/branch/leaf ${upgrade.slice(0, 4)}-leaf -c main`)).toMatchObject({
        code: 0,
      });
      expect(readFileSync(join(folder, `${upgrade.slice(0, 4)}-leaf`), 'utf8')).toBe('green'.repeat(50_000));
    });

    test("gives the command a terminal of the user's size, and reports each new size", async () => {
      const outside = `(until [ -e ${cluster().node.folder}/sized ]; do sleep 0.01; done; rm ${cluster().node.folder}/sized; stty rows 50 cols 120 < /dev/tty)`;
      const inside = `stty size; touch sized; until [ "$(stty size)" = "50 120" ]; do sleep 0.01; done; stty size`;
      const { code, stdout } = await kubectl().onTerminal(
        `stty rows 40 cols 100; ${outside} & kubectl exec -it web -c main -- sh -c '${inside}'`,
        env,
      );
      expect([code, stdout.replaceAll('^@', '')]).toEqual([0, '40 100\r\n50 120\r\n']); // ^@ marks the end of the input
    });
  });

  test('falls back to SPDY if the kubelet does not support the version of WebSockets', async () => {
    const { kubelet, node } = cluster();
    node.protocols = ['v4.channel.k8s.io'];
    const outcome = await kubectl().try('exec -i web -c main -- cat', { env: TRANSPORTS[0].env, input: 'read' });
    node.protocols = PROTOCOLS;
    expect(outcome).toMatchObject({ code: 0, stdout: 'read' });
    expect(kubelet.upgrades.slice(-2).map((one) => one.split(' ', 1)[0])).toEqual(['websocket', 'SPDY/3.1']);
  });

  test('is rejected if no process can be started', async () => {
    const fails = (command: string) => kubectl().fails(command);
    expect(await fails('exec web -c none -- ls')).toContain('container none is not valid for pod web');
    expect(await fails('exec none -- ls')).toBe('Error from server (NotFound): pods "none" not found');
  });
});

describe('exec by the JavaScript client', () => {
  const cluster = use();

  test.each(PROTOCOLS)('supports the protocol %s', async (protocol) => {
    cluster().node.protocols = [protocol];
    const config = new KubeConfig();
    config.loadFromString(cluster().server.kubeconfig);
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    stdin.write('it\n'); // the input does not end: version 4 of the protocol cannot signal its end, so the client would disconnect
    const command = ['sh', '-c', 'read x; echo got $x; echo err >&2; exit 3'];
    const status = await new Promise<V1Status>((resolve, reject) => {
      const exec = new Exec(config);
      exec.exec('default', 'web', 'main', command, stdout, stderr, stdin, false, resolve).catch(reject);
    });
    expect(status.details?.causes).toEqual([{ reason: 'ExitCode', message: '3' }]);
    expect([await text(stdout), await text(stderr)]).toEqual(['got it\n', 'err\n']);
  });
});
