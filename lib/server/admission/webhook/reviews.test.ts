import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import {
  type Answering,
  adding,
  aHook,
  aMap,
  answers,
  asked,
  CONFIG_MAPS,
  create,
  HERE,
  made,
  names,
  patching,
  register,
  request,
  said,
  useHookedServer,
} from '#test/support/hooked-server.ts';

useHookedServer();

describe('reviews of subresources', () => {
  const pods = (resource: string, operation: string): JsonObject => ({
    ...CONFIG_MAPS,
    operations: [operation],
    resources: [resource],
  });

  test('show the options of a connection, and may reject it', async () => {
    answers.set('guard', () => ({ allowed: false, status: { message: 'no shells' } }));
    await register('validating', 'v', aHook('guard', { rules: [pods('pods/exec', 'CONNECT')] }));
    const path = `${HERE}/pods/web/exec?command=sh&command=-c&stdin=true&container=main&stderr=false`;
    expect(said(await request('POST', path))).toBe(
      '400 admission webhook "guard.example.com" denied the request: no shells',
    );
    expect(asked[0]?.request).toMatchObject({
      operation: 'CONNECT',
      kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
      subResource: 'exec',
      name: 'web',
      object: {
        kind: 'PodExecOptions',
        apiVersion: 'v1',
        stdin: true,
        stdout: true,
        container: 'main',
        command: ['sh', '-c'],
      },
      oldObject: null,
      options: null,
    });
    expect(said(await request('GET', `${HERE}/pods/web/proxy/a/b?dryRun=All`))).toBe('400 dryRun is not supported');
  });

  test('show the Scale of a scale request, and may change it', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'x', image: 'y' }] } };
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
    await made('/apis/apps/v1/namespaces/here/deployments', { metadata: { name: 'scaled' }, spec });
    answers.set('cap', patching({ op: 'replace', path: '/spec/replicas', value: 5 }));
    const rules = [{ ...CONFIG_MAPS, apiGroups: ['apps'], resources: ['deployments/scale'] }];
    await register('mutating', 'm', aHook('cap', { rules }));
    const { body } = await request('PATCH', '/apis/apps/v1/namespaces/here/deployments/scaled/scale', {
      spec: { replicas: 50 },
    });
    expect(body).toMatchObject({ kind: 'Scale', spec: { replicas: 5 } });
    expect(asked[0]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      subResource: 'scale',
      object: { kind: 'Scale', spec: { replicas: 50 } },
      oldObject: { kind: 'Scale', spec: { replicas: 1 } },
    });
  });

  test('show an eviction rather than its pod', async () => {
    answers.set('guard', () => ({ allowed: false }));
    await register('validating', 'v', aHook('guard', { rules: [pods('pods/eviction', 'CREATE')] }));
    await request('POST', `${HERE}/pods/web/eviction`, { metadata: { name: 'web' } });
    expect(asked[0]?.request).toMatchObject({
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      name: 'web',
    });
  });
});

describe('versions of reviewed objects', () => {
  const HPA = '/apis/autoscaling/v1/namespaces/here/horizontalpodautoscalers';
  const rules = [
    { ...CONFIG_MAPS, apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'] },
  ];
  const scaler = {
    metadata: { name: 'h' },
    spec: {
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    },
  };

  test('include equivalent versions by default: objects and patches are converted', async () => {
    answers.set(
      'modern',
      patching({ op: 'replace', path: '/spec/metrics/0/resource/target/averageUtilization', value: 70 }),
    );
    await register('mutating', 'm', aHook('modern', { rules }));
    const { body, status } = await request('POST', `${HPA}?dryRun=All`, scaler);
    expect(status, String(body['message'])).toBe(201);
    expect(at(body, 'spec')).toMatchObject({ targetCPUUtilizationPercentage: 70, maxReplicas: 3 });
    expect(asked[0]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
      requestKind: { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' },
      resource: { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' },
      object: { apiVersion: 'autoscaling/v2', spec: { metrics: [{ type: 'Resource' }] } },
    });
  });

  test('match exactly with matchPolicy Exact', async () => {
    await register('mutating', 'm', aHook('modern', { rules, matchPolicy: 'Exact' }));
    expect((await request('POST', `${HPA}?dryRun=All`, scaler)).status).toBe(201);
    expect(names()).toEqual([]);
  });

  test('need neither a patch type nor a uid in reviews of v1beta1', async () => {
    const { patchType: _, ...untyped } = adding('old')({});
    answers.set('old', () => ({ ...untyped, uid: '' }));
    await register('mutating', 'm', aHook('old', { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] }));
    expect((await create(aMap('old'))).body['data']).toEqual({ a: 'b', old: 'yes' });
    expect(text(asked[0]?.review, 'apiVersion')).toBe('admission.k8s.io/v1beta1');
  });

  test('rejects a response to another request', async () => {
    answers.set('deaf', () => ({ allowed: true, uid: 'other' }));
    await register('validating', 'v', aHook('deaf'));
    expect(said(await create(aMap('m')))).toMatch(
      /^500 Internal error occurred: failed calling webhook "deaf.example.com": received invalid webhook response: expected response.uid="[^"]+", got "other"$/,
    );
  });
});

describe('a webhook that does not respond', () => {
  const dead: Answering = () => {
    throw new Error('connection refused');
  };

  test('fails the request, and after three failures names the webhook and a remedy', async () => {
    answers.set('dead', dead);
    await register('validating', 'broken', aHook('dead'));
    const failing = '500 Internal error occurred: failed calling webhook "dead.example.com": failed to call webhook: ';
    for (let i = 0; i < 3; i++)
      expect(said(await create(aMap('m')))).toBe(`${failing}Invoke "hooks/dead": connection refused`);
    const paused = said(await create(aMap('m')));
    expect(paused).toContain('not called: it did not answer 3 times in a row');
    expect(paused).toContain('(kubectl get validatingwebhookconfiguration broken)');
    expect(names()).toHaveLength(3);
  });

  test('is ignored with the failure policy Ignore', async () => {
    answers.set('gone', dead);
    await register('mutating', 'm', aHook('gone', { failurePolicy: 'Ignore' }));
    await register('validating', 'v', aHook('gone', { failurePolicy: 'Ignore' }));
    expect((await create(aMap('passed'))).status).toBe(201);
  });
});
