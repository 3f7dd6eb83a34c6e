import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kubelet, startKubelet } from '#test/support/kubelet/kubelet.ts';
import { describeStreams } from './kubectl/kubectl.ts';
import { idle, useNode } from './kubelet.ts';

const use = () => useNode({ web: { containers: [idle('main'), idle('side')] } });
/** Some kubectl versions print the containers in any order. */
const sorted = (lines: string): string => lines.split('\n').toSorted().join('\n');
const OLD = '2020-01-01T00:00:00.500Z';

describeStreams(use, 'logs', (kubectl, cluster) => {
  const logOf = (container: string) => cluster().node.container('web', container).log;
  let stranger: Kubelet;

  beforeAll(async () => {
    logOf('main').add('old one', new Date(OLD)).add('old two', new Date(OLD)).add('new');
    logOf('main').previously().add('before').end();
    logOf('side').add('of side', new Date(OLD));
    stranger = await startKubelet(cluster().kubelet.options.caBundle);
    stranger.on('/containerLogs/', { request: (_request, response) => response.end('unverified\n') });
  });
  afterAll(() => stranger.close());

  test.each([
    ['web -c main', 'old one\nold two\nnew\n'],
    ['web -c side', 'of side\n'],
    ['web -c main --tail=1', 'new\n'],
    ['web -c main --tail=0', ''],
    ['web -c main --since=24h', 'new\n'],
    ['web -c main --since-time=2019-01-01T00:00:00Z', 'old one\nold two\nnew\n'],
    ['web -c main --since-time=2021-01-01T00:00:00+02:00', 'new\n'],
    ['web -c main --limit-bytes=9', 'old one\no'],
    ['web -c main --timestamps --tail=2 --limit-bytes=33', `${OLD} old two\n`],
    ['web -c main --previous', 'before\n'],
    ['web --all-containers', 'old one\nold two\nnew\nof side\n'],
    ['web --all-containers --prefix --tail=1', '[pod/web/main] new\n[pod/web/side] of side\n'],
    ['-l app=web -c side --prefix', '[pod/web/side] of side\n'],
  ])('prints the log of %s', async (command, shown) => {
    const { code, stdout } = await kubectl().try(`logs ${command}`);
    expect([code, sorted(stdout)]).toEqual([0, sorted(shown)]);
  });

  test.each([
    ['none', 'pods "none" not found'],
    ['web -c none', 'container none is not valid for pod web'],
    ['web -c side --previous', 'previous terminated container "side" in pod "web" not found'],
    ['web -c main --tail=-2', '--tail must be greater than or equal to -1'],
  ])('rejects logs of %s', async (command, message) => {
    expect(await kubectl().fails(`logs ${command}`)).toContain(message);
  });

  test('-f shows lines as they arrive, also for all containers of a selector, and ends with the container', async () => {
    await using followed = kubectl().start('logs -f web -c main --tail=1');
    await using selected = kubectl().start('logs -f -l app=web --all-containers --prefix --tail=1');
    await followed.says(/^new\n$/);
    await selected.says(/of side\n/);
    logOf('main').add('newer');
    await followed.says(/^new\nnewer\n$/);
    await selected.says(/\[pod\/web\/main\] newer\n/);
    logOf('main').end();
    logOf('side').end();
    expect(await followed.ended()).toMatchObject({ code: 0, stdout: 'new\nnewer\n', stderr: '' });
    expect(await selected.ended()).toMatchObject({ code: 0 });
  });

  test('--insecure-skip-tls-verify-backend reads from a kubelet with an untrusted certificate', async () => {
    const { request } = cluster();
    const spec = { nodeName: 'strange', containers: [idle('main')] };
    const status = JSON.parse(JSON.stringify(stranger.nodeStatus)) as typeof spec;
    await request('POST', '/api/v1/nodes', { metadata: { name: 'strange' }, status });
    await request('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'astray' }, spec });
    expect(await kubectl().fails('logs astray')).toContain('x509: certificate signed by unknown authority');
    expect(await kubectl().run('logs astray --insecure-skip-tls-verify-backend')).toBe('unverified');
  });
});
