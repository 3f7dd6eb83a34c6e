import { expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { requester } from '#test/support/requester.ts';
import { describeKubectls } from './kubectl.ts';

describeKubectls('watches', (kubectl, cluster) => {
  test('get -w shows the present state and then each change', async () => {
    await kubectl().run('create namespace watched');
    await kubectl().run('create configmap first -n watched --from-literal=a=1');
    await using watching = kubectl().start(
      'get configmaps -n watched -w --no-headers -l !kubernetes.io/generated --output-watch-events',
    );
    await watching.says(/ADDED +first +1/);
    await kubectl().run('create configmap second -n watched --from-literal=a=1');
    await watching.says(/ADDED +second +1/);
    await kubectl().run(`patch cm second -n watched --type merge -p '{"data":{"b":"2"}}'`);
    await watching.says(/MODIFIED +second +2/);
    await kubectl().run('delete cm first -n watched');
    await watching.says(/DELETED +first +1/);
    const events = watching.stdout.split('\n').filter((line) => /first|second/.test(line));
    expect(events.map((line) => line.split(/\s+/).slice(0, 3))).toEqual([
      ['ADDED', 'first', '1'],
      ['ADDED', 'second', '1'],
      ['MODIFIED', 'second', '2'],
      ['DELETED', 'first', '1'],
    ]);
  });

  test('get --watch-only of one object, and the end by --request-timeout', async () => {
    await kubectl().run('create configmap alone --from-literal=a=1');
    await using watching = kubectl().start('get configmap alone --watch-only -o name --request-timeout=4s');
    const request = requester(cluster().server);
    let at = 0;
    const changing = eventually(async () => {
      await request('PUT', '/api/v1/namespaces/default/configmaps/alone', {
        metadata: { name: 'alone' },
        data: { at: `${at++}` },
      });
      return watching.stdout !== '' || watching.child.exitCode !== null;
    });
    await Promise.all([watching.says(/configmap\/alone/), changing]);
    const { stdout } = await watching.ended();
    expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(['configmap/alone']));
  });

  test('get -w with a selector shows objects that start or stop matching', async () => {
    await kubectl().run('create namespace picky');
    await kubectl().run('create configmap one -n picky');
    await using watching = kubectl().start('get cm -n picky -w --no-headers --output-watch-events -l state=in');
    await kubectl().run('create -n picky -f -', {
      input: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"mark","labels":{"state":"in"}}}',
    });
    await watching.says(/ADDED +mark/);
    await kubectl().run('label cm one -n picky state=in');
    await watching.says(/ADDED +one/);
    await kubectl().run('label cm one -n picky state=out --overwrite');
    await watching.says(/DELETED +one/);
  });

  test('wait --for=delete and --for=create', async () => {
    await kubectl().run('create configmap passing');
    const gone = kubectl().try('wait --for=delete cm/passing --timeout=60s');
    await kubectl().run('delete cm passing');
    expect((await gone).code).toBe(0);
    const born = kubectl().try('wait --for=create cm/newcomer --timeout=60s');
    await kubectl().run('create configmap newcomer');
    expect([(await born).code, (await born).stdout]).toEqual([0, 'configmap/newcomer condition met\n']);
  });
});
