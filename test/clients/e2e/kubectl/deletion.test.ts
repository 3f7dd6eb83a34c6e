import { expect, test } from 'vitest';
import { describeKubectls, type Kubectl } from './kubectl.ts';

/** Creates a replica set of one pod. Returns the name of the pod that its controller created. */
async function ownedPod(kubectl: Kubectl, name: string): Promise<string> {
  const template = {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: 'main', image: 'example/main' }] },
  };
  const selector = { matchLabels: { app: name } };
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name }, spec: { selector, template } };
  await kubectl.run('create -f -', { input: JSON.stringify(owner) });
  await kubectl.run(`wait rs/${name} --for=jsonpath={.status.replicas}=1 --timeout=60s`);
  return kubectl.run(`get pods -l app=${name} -o 'jsonpath={.items[*].metadata.name}'`);
}

describeKubectls('deletion', (kubectl) => {
  test('--cascade=background deletes the owner first, and its dependents after it', async () => {
    const pod = await ownedPod(kubectl(), 'behind');
    await kubectl().run('delete rs behind --cascade=background --timeout=60s');
    const waited = await kubectl().run(`wait --for=delete pod/${pod} --timeout=60s`);
    expect(['', `pod/${pod} condition met`]).toContain(waited);
    expect(await kubectl().fails(`get pod ${pod}`)).toContain('(NotFound)');
  });

  test('--cascade=foreground deletes the owner after its dependents', async () => {
    const pod = await ownedPod(kubectl(), 'before');
    await kubectl().run(`patch pod ${pod} --type merge -p '{"metadata":{"finalizers":["davit.test/hold"]}}'`);
    await kubectl().run('delete rs before --cascade=foreground --wait=false');
    await kubectl().run(`wait pod/${pod} --for=jsonpath={.metadata.deletionGracePeriodSeconds} --timeout=60s`);
    expect(await kubectl().run("get rs before -o 'jsonpath={.metadata.finalizers}'")).toBe('["foregroundDeletion"]');
    await kubectl().run(`patch pod ${pod} --type merge -p '{"metadata":{"finalizers":null}}'`);
    await kubectl().run(`wait --for=delete rs/before pod/${pod} --timeout=60s`);
    expect(await kubectl().fails('get rs before')).toContain('(NotFound)');
  });

  test('--cascade=orphan keeps its dependents, without owner references', async () => {
    const pod = await ownedPod(kubectl(), 'left');
    await kubectl().run('delete rs left --cascade=orphan --timeout=60s');
    const left = await kubectl().run(`get pod ${pod} -o 'jsonpath={.metadata.name} {.metadata.ownerReferences}'`);
    expect(left).toBe(pod);
  });

  test('deleting a namespace deletes everything in it, including custom objects and objects with finalizers', async () => {
    await kubectl().run('create namespace ended');
    await kubectl().run('create configmap one -n ended');
    await kubectl().run('create deployment two -n ended --image=example/two');
    await kubectl().run(`patch cm one -n ended --type merge -p '{"metadata":{"finalizers":["davit.test/hold"]}}'`);
    await kubectl().run('delete namespace ended --wait=false');
    expect(await kubectl().run("get namespace ended -o 'jsonpath={.status.phase}'")).toBe('Terminating');
    expect(await kubectl().fails('create configmap late -n ended')).toContain(
      'configmaps "late" is forbidden: unable to create new content in namespace ended because it is being terminated',
    );
    await kubectl().run('wait namespace/ended --for=condition=NamespaceFinalizersRemaining --timeout=60s');
    await kubectl().run(`patch cm one -n ended --type merge -p '{"metadata":{"finalizers":null}}'`);
    await kubectl().run('wait --for=delete namespace/ended --timeout=60s');
    await kubectl().run('create namespace ended');
    expect(
      await kubectl().run(
        'get configmaps,deployments -n ended -o name --field-selector metadata.name!=kube-root-ca.crt',
      ),
    ).toBe('');
  });

  test('--grace-period=0 --force, --dry-run=server, and preconditions of replace', async () => {
    await kubectl().run('run forced --image=example/forced');
    expect(await kubectl().run('delete pod forced --dry-run=server')).toMatch(
      /^pod "forced" deleted.*\(server dry run\)/,
    );
    expect(await kubectl().run('get pod forced -o name')).toBe('pod/forced');
    expect(await kubectl().run('delete pod forced --grace-period=0 --force')).toMatch(/^pod "forced" force deleted/);
    expect(await kubectl().fails('get pod forced')).toContain('(NotFound)');
  });
});
