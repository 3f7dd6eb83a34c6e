import { expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { startBackend } from '#test/support/aggregator/backend.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { WIDGETS, widget } from '#test/support/lambda/widgets.ts';
import { runSmoke } from '#test/support/run-smoke.ts';
import { UNPROVEN } from '../../scripts/smoke/unproven.ts';
import { aRule } from './bus-rule.ts';
import { deadLetters, giveUp } from './dead-letters.ts';
import { beginHourly } from './functions.ts';
import { accountOf, wordsOf } from './output.ts';
import { kubectlBinary, type Stack } from './stack.ts';

const SITES = {
  ...WIDGETS,
  metadata: { name: 'sites.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'sites', singular: 'site', kind: 'Site' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { title: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

/** The reconcilers write this together with the condition. kubectl cannot wait for a condition that does not exist yet. */
const ESTABLISHED = '--for=jsonpath={.status.acceptedNames.kind}=Widget';

/** Starts the hourly run. It finds the declared functions even if the emulator sends no deployment events to custom resources. */
const findDeclared = (stack: Stack): Promise<unknown> =>
  beginHourly(stack.platform.endpoint, 'Davit-ReconcilersFunction');

/** Tests the administrator, the reconcilers and the bus. */
export function basics(stack: Stack): void {
  test('the function URL authenticates the user, and rejects requests without an AWS token', async () => {
    const groups = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}'];
    expect(await stack.kubectl(groups)).toContain('system:masters');
    await expect(stack.kubectl([...groups, '--token', 'another'])).rejects.toThrow('must be logged in');
  });

  test('the reconcilers establish a definition, and a rule of the bus receives events of its objects', async () => {
    const heard = await aRule(stack.platform, { detail: { kind: ['Widget'] } });
    await stack.kubectl(['apply', '-f', '-'], WIDGETS);
    await stack.kubectl(['wait', ESTABLISHED, 'crd/widgets.example.com', '--timeout=180s']);
    await stack.kubectl(['apply', '-f', '-'], widget(1));
    await expect(stack.kubectl(['apply', '-f', '-'], widget(0))).rejects.toThrow('greater than or equal to 1');
    const resourceVersion = await stack.kubectl(['get', 'widget', 'one', '-o', 'jsonpath={.metadata.resourceVersion}']);
    expect(await heard()).toMatchObject([
      { type: 'ADDED', clusterId: 'test', namespace: 'default', name: 'one', resourceVersion },
    ]);
  });
}

/** Runs every smoke check. */
export function smoke(stack: Stack): void {
  test('npm run smoke passes all checks, and leaves nothing behind', async () => {
    const { endpoint, kubeconfig, outputs } = stack.platform;
    const before = await stack.lasting();
    const words = ['--kubeconfig', kubeconfig, '--bus', outputs['BusName'] ?? '', '--kubectl', pathOf(kubectlBinary)];
    const { code, lines } = await runSmoke(words, accountOf(endpoint));
    expect({ code, remarkable: lines.filter((line) => /^(FAILED|skipped)/.test(line)) }).toEqual({
      code: 0,
      remarkable: [],
    });
    const facts = UNPROVEN.map((fact) => `unproven ${fact}`);
    expect(lines.slice(-facts.length - 1)).toEqual([...facts, 'the deployment does what was asked of it']);
    expect(await stack.lasting()).toEqual(before);
    expect(await stack.kubectl(['get', 'namespaces', '-o', 'name'])).not.toContain('smoke');
  });
}

/** Tests pods of a Deployment, the scheduler and the deletion of a namespace. */
export function workloads(stack: Stack): void {
  test('a deployment gets its replica set and its pods', async () => {
    await stack.kubectl(['create', 'deployment', 'web', '--image=example.com/web', '--replicas=2']);
    await stack.kubectl(['wait', '--for=jsonpath={.status.replicas}=2', 'deployment/web', '--timeout=180s']);
    const owners = 'jsonpath={.items[*].metadata.ownerReferences[0].kind}';
    expect(await stack.kubectl(['get', 'pods', '-l', 'app=web', '-o', owners])).toBe('ReplicaSet ReplicaSet');
  });

  test('a waiting pod gets a new node from the scheduler, which the bus triggers', async () => {
    const containers = [{ name: 'main', image: 'example.com/web', resources: { requests: { cpu: '1' } } }];
    const spec = { containers, tolerations: [{ operator: 'Exists' }] };
    await stack.kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'placed' }, spec });
    const refused = '--for=jsonpath={.status.conditions[?(@.type=="PodScheduled")].reason}=Unschedulable';
    await stack.kubectl(['wait', refused, 'pod/placed', '--timeout=180s']);
    const capacity = { cpu: '4', memory: '8Gi', pods: '10' };
    const status = { capacity, allocatable: capacity };
    await stack.kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'Node', metadata: { name: 'host' }, status });
    await stack.kubectl(['wait', '--for=jsonpath={.spec.nodeName}=host', 'pod/placed', '--timeout=180s']);
  });

  test('a namespace is deleted with everything in it', async () => {
    await stack.kubectl(['create', 'namespace', 'doomed']);
    await stack.kubectl(['-n', 'doomed', 'create', 'secret', 'generic', 'one', '--from-literal=a=b']);
    await stack.kubectl(['delete', 'namespace', 'doomed', '--timeout=180s']);
    await expect(stack.kubectl(['-n', 'doomed', 'get', 'secret', 'one'])).rejects.toThrow('not found');
  });
}

/** Tests a webhook and a reconciler in `FUNCTIONS`. `tells` means that the emulator sends deployment events to custom resources. */
export function usersFunctions(stack: Stack, tells: boolean): void {
  test("a user's webhook refuses, and a user's reconciler makes, what their file says", async () => {
    const site = (name: string, title: string): object => ({
      apiVersion: 'example.com/v1',
      kind: 'Site',
      metadata: { name, namespace: 'default' },
      spec: { title },
    });
    await stack.kubectl(['apply', '-f', '-'], SITES);
    await stack.kubectl([
      'wait',
      '--for=jsonpath={.status.acceptedNames.kind}=Site',
      'crd/sites.example.com',
      '--timeout=180s',
    ]);
    if (!tells) await findDeclared(stack);
    const registered = 'validatingwebhookconfiguration/titles.webhooks.davit.dev';
    await stack.kubectl(['wait', '--for=create', registered, '--timeout=120s']);
    await expect(stack.kubectl(['apply', '-f', '-'], site('untitled', ''))).rejects.toThrow('a site has a title');
    await stack.kubectl(['apply', '-f', '-'], site('home', 'Welcome'));
    await stack.kubectl(['wait', '--for=create', 'configmap/home', '--timeout=180s']);
    const made = 'jsonpath={.data.title} {.metadata.managedFields[*].manager} {.metadata.ownerReferences[0].kind}';
    expect(await stack.kubectl(['get', 'configmap', 'home', '--show-managed-fields', '-o', made])).toBe(
      'Welcome sites Site',
    );
  });
}

/** Tests an aggregated API in `FUNCTIONS`, and one of a server behind a Service. */
export function aggregatedApis(stack: Stack, tells: boolean): void {
  // No emulator invokes a function with streamed responses. test/cloud/lambda does so with Lambda's own runtime.
  test("a user's aggregated API is registered, and in discovery and OpenAPI", async () => {
    if (!tells) await findDeclared(stack);
    await stack.kubectl(['wait', '--for=create', 'apiservice/v1.quotes.example.com', '--timeout=180s']);
    expect(await stack.kubectl(['api-resources', '--api-group=quotes.example.com', '-o', 'name'])).toBe(
      'quotes.quotes.example.com\n',
    );
    expect(await stack.kubectl(['explain', 'quotes.spec.text'])).toContain('FIELD: text <string>');
  });

  test('an API server behind a Service is available, and sees the certificate of the account and the user', async () => {
    const authentication = ['configmap/extension-apiserver-authentication', '-n', 'kube-system'];
    if (!tells) await findDeclared(stack);
    await stack.kubectl(['wait', '--for=create', ...authentication, '--timeout=180s']);
    const proxies = 'jsonpath={.data.requestheader-client-ca-file}';
    const clientAuthority = await stack.kubectl(['get', ...authentication, '-o', proxies]);
    const authority = await newAuthority(new Date());
    const { certificate: cert, key } = await authority.issue({ name: 'api' }, ['api.default.svc']);
    await using backend = await startBackend({ cert, key, clientAuthority });
    await stack.kubectl(['create', 'service', 'externalname', 'api', '--external-name=localhost']);
    await stack.kubectl(['apply', '-f', '-'], {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.things.example.com' },
      spec: {
        group: 'things.example.com',
        version: 'v1',
        service: { namespace: 'default', name: 'api', port: backend.port },
        caBundle: Buffer.from(authority.certificate).toString('base64'),
        groupPriorityMinimum: 1000,
        versionPriority: 15,
      },
    });
    await stack.kubectl(['wait', '--for=condition=Available', 'apiservice/v1.things.example.com', '--timeout=180s']);
    const path = '/apis/things.example.com/v1/namespaces/default/things/a';
    expect(await stack.kubectl(['get', '--raw', path])).toBe('{"kind":"Thing"}');
    const headers: unknown = expect.arrayContaining([expect.stringMatching(/^x-remote-user: arn:aws:/)]);
    expect(backend.take()).toMatchObject([{ url: path, peer: 'front-proxy-client', headers }]);
    await stack.kubectl(['delete', 'apiservice', 'v1.things.example.com']);
  });
}

/** Tests commands in the stack's outputs. They need the objects of the tests above. */
export function replays(stack: Stack): void {
  test("publishes events again with the command in the stack's outputs", async () => {
    const heard = await aRule(stack.platform, { detail: { kind: ['Widget'], type: ['ADDED'] } });
    const { stderr } = await stack.davit('ReplayEvents', '--from', '2026-01-01');
    expect(stderr).toMatch(/^davit: [1-9]\d* events\n$/);
    expect(await heard()).toMatchObject([{ name: 'one', clusterId: 'test' }]);
  });

  test("retries abandoned work and reconciles an object again with commands in the stack's outputs", async () => {
    const { endpoint, outputs } = stack.platform;
    await giveUp(endpoint, wordsOf(outputs, 'Redrive')[2] ?? '', {
      reconciler: 'deployment-controller',
      name: 'default/web',
    });
    expect((await stack.davit('Redrive')).stdout).toBe('1 tried again\n');
    expect((await stack.davit('Replay', 'deployment-controller', 'default/web')).stdout).toBe(
      'deployment-controller looks at default/web\n',
    );
    await stack.kubectl(['delete', 'configmap', 'home']);
    expect((await stack.davit('ReconcilersitesReplay', 'default/home')).stdout).toBe('sites looks at default/home\n');
    await stack.kubectl(['wait', '--for=create', 'configmap/home', '--timeout=180s']);
  });
}

/** The last tests of a stack in the stage `development`, which the app or its assembly destroys. */
export function ends(stack: Stack, by: 'app' | 'assembly'): void {
  test('has no dead letters at the end', async () => {
    expect(await deadLetters(stack.platform.endpoint)).toBe(0);
  });

  test('it is destroyed and leaves nothing, as its output promised', async () => {
    expect(stack.platform.outputs['AfterDestroy']).toBe('nothing');
    expect(await stack.leftAfterDestroy(by)).toEqual([]);
  });
}
