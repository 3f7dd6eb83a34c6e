import { expect, test } from 'vitest';
import { describeKubectls } from './kubectl.ts';

describeKubectls('discovery', (kubectl) => {
  test('api-resources lists names, short names, scope and verbs', async () => {
    const lines = (await kubectl().run('api-resources --no-headers -o wide'))
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
    const configMaps = ['configmaps', 'cm', 'v1', 'true', 'ConfigMap'];
    expect(lines).toContainEqual([...configMaps, 'create,delete,deletecollection,get,list,patch,update,watch']);
    expect(lines.find(([name]) => name === 'nodes')?.slice(0, 5)).toEqual(['nodes', 'no', 'v1', 'false', 'Node']);
    expect(lines.find(([name]) => name === 'deployments')?.slice(0, 5)).toEqual([
      'deployments',
      'deploy',
      'apps/v1',
      'true',
      'Deployment',
    ]);
  });

  test('api-resources of a group, by verb, by name', async () => {
    const output = await kubectl().run(
      'api-resources --api-group apiextensions.k8s.io --verbs list --namespaced=false -o name',
    );
    expect(output).toBe('customresourcedefinitions.apiextensions.k8s.io');
  });

  test('a category selects its kinds', async () => {
    const names = (await kubectl().run('api-resources --categories all -o name')).split('\n').sort();
    expect(names).toEqual([
      'cronjobs.batch',
      'daemonsets.apps',
      'deployments.apps',
      'horizontalpodautoscalers.autoscaling',
      'jobs.batch',
      'pods',
      'replicasets.apps',
      'replicationcontrollers',
      'services',
      'statefulsets.apps',
    ]);
  });

  test('api-versions lists the group versions', async () => {
    const versions = (await kubectl().run('api-versions')).split('\n');
    expect(versions).toEqual(
      expect.arrayContaining(['v1', 'apps/v1', 'batch/v1', 'apiextensions.k8s.io/v1', 'coordination.k8s.io/v1']),
    );
  });

  test('version of the server', async () => {
    const { serverVersion } = await kubectl().json<{ serverVersion: Record<string, string> }>('version');
    expect(serverVersion).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: expect.stringMatching(/^v1\.36\.2\+davit\./),
    });
  });

  test.each([
    ['/healthz', 'ok'],
    ['/livez', 'ok'],
    ['/readyz', 'ok'],
  ])('get --raw %s', async (path, answer) => {
    expect(await kubectl().run(`get --raw ${path}`)).toBe(answer);
  });

  test('get --raw of a list and of a group', async () => {
    const list = JSON.parse(
      await kubectl().run("get --raw '/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name=default'"),
    ) as {
      kind: string;
      items: { metadata: { name: string } }[];
    };
    expect([list.kind, list.items.map(({ metadata }) => metadata.name)]).toEqual(['NamespaceList', ['default']]);
    expect(JSON.parse(await kubectl().run('get --raw /apis/apps'))).toMatchObject({ kind: 'APIGroup', name: 'apps' });
  });

  test('get --raw of a missing path', async () => {
    expect(await kubectl().fails('get --raw /nowhere')).toBe(
      'Error from server (NotFound): the server could not find the requested resource',
    );
  });

  test('a missing resource', async () => {
    expect(await kubectl().fails('get unicorns')).toBe('error: the server doesn\'t have a resource type "unicorns"');
  });

  test('explain: a kind, a field and a path through a list', async () => {
    expect(await kubectl().run('explain deployment')).toMatch(/^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n/);
    expect(await kubectl().run('explain pod.spec.containers.image')).toMatch(
      /^KIND: +Pod\nVERSION: +v1\n\nFIELD: image <string>\n/,
    );
    expect(await kubectl().run('explain configmap --recursive')).toMatch(
      / {2}binaryData\t<map\[string\]string>\n {2}data\t<map\[string\]string>\n/,
    );
    expect(await kubectl().fails('explain pod.spec.nothing')).toContain('field "nothing" does not exist');
    expect(await kubectl().run('explain pod --output plaintext-openapiv2')).toContain('VERSION:  v1');
  });
});
