import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { describeStreams } from './kubectl/kubectl.ts';
import { idle, TRANSPORTS, useNode } from './kubelet.ts';

const echo = { name: 'echo', image: 'i', stdin: true, command: ['sh', '-c', 'while read x; do echo got $x; done'] };
const use = () => useNode({ web: { containers: [idle('main'), echo] } });
/** Assigns pods to the node, as the scheduler would. */
const ON_NODE = `'--overrides={"spec":{"nodeName":"n1"}}'`;

describeStreams(use, 'attach', (kubectl, cluster) => {
  describe.each(TRANSPORTS)('attach over $title', ({ env, upgrade }) => {
    const name = (title: string): string => `${title}-${upgrade.slice(0, 4).toLowerCase()}`;

    test("prints the container's output, and passes kubectl's input to it", async () => {
      await using program = kubectl().start('attach -i web -c echo', { env, input: 'one\n' });
      await program.says(/^got one\n$/);
      program.type('two\n');
      await program.says(/^got one\ngot two\n$/);
      program.endInput();
      expect(await program.ended()).toMatchObject({ code: 0, stdout: 'got one\ngot two\n' });
      expect(cluster().kubelet.upgrades.at(-1)).toMatch(new RegExp(`^${upgrade} /attach/default/web/echo\\?`));
    });

    test('attaches to a container that runs once, and ends when it ends', async () => {
      const run = (title: string, command: string) =>
        kubectl().try(
          `run ${name(title)} --rm -i --quiet --restart=Never --image=i ${ON_NODE} --command -- ${command}`,
          {
            env,
            input: 'read',
          },
        );
      expect(await run('fine', 'cat')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^read/) });
      expect(await run('failed', `sh -c 'cat; exit 7'`)).toMatchObject({
        code: 7,
        stdout: expect.stringMatching(/^read/),
      });
    });

    test('attaches to a container that reads nothing', async () => {
      const pod = name('once');
      const file = join(cluster().node.folder, pod);
      const command = `until [ -e ${pod} ]; do sleep 0.01; done; echo out; echo err >&2`;
      await using program = kubectl().start(
        `run ${pod} --attach --rm --quiet --restart=Never --image=i ${ON_NODE} --command -- sh -c '${command}'`,
        { env },
      );
      await eventually(() => expect(cluster().node.attached(pod, pod)).toBeGreaterThan(0));
      writeFileSync(file, '');
      expect(await program.ended()).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^out\n/),
        stderr: 'err\n',
      });
    });

    test('attaches to a debug container', async () => {
      const command = `debug web -i --quiet --image=i --target=main -c ${name('debug')} -- sh -c 'while read x; do echo got $x; done'`;
      await using program = kubectl().start(command, { env, input: 'one\n' });
      await program.says(/^got one\n$/);
      program.endInput();
      expect(await program.ended()).toMatchObject({ code: 0 });
    });
  });
});
