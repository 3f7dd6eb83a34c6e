import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { startBackend } from '#test/aggregator/backend.ts';
import { pathOf } from '#test/clients/cache.ts';
import { oldestKubectl } from '#test/clients/kubectl.ts';
import { installRuntimeClient } from '#test/lambda/install.ts';
import { WIDGETS, widget } from '#test/lambda/widgets.ts';
import { installLocalStack } from '#test/localstack/install.ts';
import { startLocalStack } from '#test/localstack/start.ts';
import { installMinistack } from '#test/ministack/install.ts';
import { startMinistack } from '#test/ministack/start.ts';
import { runSmoke } from '#test/run-smoke.ts';
import { needing } from '#test/skip.ts';
import { UNPROVEN } from '../../scripts/smoke/unproven.ts';
import { FUNCTIONS, REVIEWS, synthesize } from './assembly.ts';
import { aRule } from './bus-rule.ts';
import { CHARTS, meterChart, NODE, toldUnits } from './chart-units.ts';
import { deadLetters, giveUp } from './dead-letters.ts';
import { destroy } from './deploy.ts';
import { beginHourly } from './functions.ts';
import { inventory } from './inventory.ts';
import { type Meter, startMeter } from './meter.ts';
import { accountOf, runDavit, runOutput, wordsOf } from './output.ts';
import { startPlatform } from './platform.ts';

const runtime = await installRuntimeClient();
const kubectlBinary = await oldestKubectl();
/**
 * `tells`: whether custom resources are told of a deployment; otherwise what is declared is found hourly. `isMetered`: whether calls of the
 * table are counted.
 */
const EMULATORS = [
  {
    title: 'ministack',
    installed: await installMinistack(),
    start: startMinistack,
    tells: true,
    isMetered: true,
  },
  {
    title: 'LocalStack',
    installed: await installLocalStack(),
    start: startLocalStack,
    tells: false,
    isMetered: false,
  },
] as const;
const needed = [runtime, kubectlBinary];

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

/** The reconcilers write this with the condition. kubectl cannot wait for a condition that does not exist yet. */
const ESTABLISHED = '--for=jsonpath={.status.acceptedNames.kind}=Widget';
const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'davit-assembly-'));
let assembly = '';
beforeAll(async () => {
  if ('path' in runtime)
    assembly = await synthesize(folder, runtime.path, { frontDoor: 'function-url', functions: FUNCTIONS });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Kubectl = (args: readonly string[], manifest?: object) => Promise<string>;

/**
 * The resources that `cdk destroy` leaves of a stack, by the emulator's own API, without those from before and those of
 * `cdk bootstrap`. A function of ministack that is running makes its log again after its deletion, although its role
 * may make none.
 */
async function leftOf({ endpoint }: { readonly endpoint: string }): Promise<readonly string[]> {
  expect(await destroy(endpoint)).toContain('Davit: destroyed');
  return (await inventory(endpoint)).filter((name) => !/^(\w+ |schedule group )(default|cdk-)|^log \/aws\//.test(name));
}

/** All but logs and schedules: those come by themselves, and schedules go when their time has come. */
const lastingOf = async (endpoint: string): Promise<readonly string[]> =>
  (await inventory(endpoint)).filter((name) => !/^(log|schedule) /.test(name)).toSorted();

async function runKubectl(
  { kubeconfig }: { readonly kubeconfig: string },
  ...[args, manifest]: Parameters<Kubectl>
): Promise<string> {
  const all = ['--kubeconfig', kubeconfig, ...args];
  const running = execute(pathOf(kubectlBinary), all, { timeout: 200_000 });
  running.child.stdin?.end(JSON.stringify(manifest));
  return (await running).stdout;
}

describe.each(EMULATORS)('the stack deployed to $title', ({ installed, start, tells, isMetered }) => {
  let platform: Awaited<ReturnType<typeof startPlatform>>;
  let meter: Meter;
  const kubectl: Kubectl = (...of) => runKubectl(platform, ...of);

  const davit = (output: string, ...more: readonly string[]) => runOutput(platform, output, more);

  describe('works', needing(installed, ...needed), () => {
    beforeAll(async () => {
      meter = await startMeter();
      platform = await startPlatform(start, assembly, (endpoint) => (isMetered ? meter.before(endpoint) : {}));
    }, 400_000);
    afterAll(async () => {
      await platform?.[Symbol.asyncDispose]();
      await meter?.close();
    });

    if (isMetered)
      test('a chart needs the units of the table that its price is reckoned from, writes within a tenth, reads within a fifth', async () => {
        const { calls, ...units } = await meterChart(platform, meter);
        const told = toldUnits();
        const seen = `${JSON.stringify({ units, told })} ${[...calls].join(' ')}`;
        expect(Math.abs(units.writeUnits - told.writeUnits), seen).toBeLessThan(told.writeUnits / 10);
        expect(Math.abs(units.readUnits - told.readUnits), seen).toBeLessThan(told.readUnits / 5);
        await kubectl(['delete', 'deployment', ...CHARTS, '--timeout=180s']);
        await kubectl(['delete', 'node', NODE, '--timeout=180s']);
      }, 600_000);

    test('its function URL knows the user, and rejects requests without a token of AWS', async () => {
      const groups = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}'];
      expect(await kubectl(groups)).toContain('system:masters');
      await expect(kubectl([...groups, '--token', 'another'])).rejects.toThrow('must be logged in');
    });

    test('npm run smoke finds that it does all, and leaves nothing behind', async () => {
      const { endpoint, kubeconfig, outputs } = platform;
      const before = await lastingOf(endpoint);
      const words = ['--kubeconfig', kubeconfig, '--bus', outputs['BusName'] ?? '', '--kubectl', pathOf(kubectlBinary)];
      const { code, lines } = await runSmoke(words, accountOf(endpoint));
      expect({ code, remarkable: lines.filter((line) => /^(FAILED|skipped)/.test(line)) }).toEqual({
        code: 0,
        remarkable: [],
      });
      const facts = UNPROVEN.map((fact) => `unproven ${fact}`);
      expect(lines.slice(-facts.length - 1)).toEqual([...facts, 'the deployment does what was asked of it']);
      expect(await lastingOf(endpoint)).toEqual(before);
      expect(await kubectl(['get', 'namespaces', '-o', 'name'])).not.toContain('smoke');
    });

    test('a definition is established by the reconcilers, and a rule of the bus hears of its object', async () => {
      const heard = await aRule(platform, { detail: { kind: ['Widget'] } });
      await kubectl(['apply', '-f', '-'], WIDGETS);
      await kubectl(['wait', ESTABLISHED, 'crd/widgets.example.com', '--timeout=180s']);
      await kubectl(['apply', '-f', '-'], widget(1));
      await expect(kubectl(['apply', '-f', '-'], widget(0))).rejects.toThrow('greater than or equal to 1');
      const resourceVersion = await kubectl(['get', 'widget', 'one', '-o', 'jsonpath={.metadata.resourceVersion}']);
      expect(await heard()).toMatchObject([
        { type: 'ADDED', clusterId: 'test', namespace: 'default', name: 'one', resourceVersion },
      ]);
    });

    test('a deployment gets its replica set and its pods', async () => {
      await kubectl(['create', 'deployment', 'web', '--image=example.com/web', '--replicas=2']);
      await kubectl(['wait', '--for=jsonpath={.status.replicas}=2', 'deployment/web', '--timeout=180s']);
      const owners = 'jsonpath={.items[*].metadata.ownerReferences[0].kind}';
      expect(await kubectl(['get', 'pods', '-l', 'app=web', '-o', owners])).toBe('ReplicaSet ReplicaSet');
    });

    test('a pod that waits gets its node when there is one, from the scheduler that the bus rings', async () => {
      const containers = [{ name: 'main', image: 'example.com/web', resources: { requests: { cpu: '1' } } }];
      const spec = { containers, tolerations: [{ operator: 'Exists' }] };
      await kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'placed' }, spec });
      const refused = '--for=jsonpath={.status.conditions[?(@.type=="PodScheduled")].reason}=Unschedulable';
      await kubectl(['wait', refused, 'pod/placed', '--timeout=180s']);
      const capacity = { cpu: '4', memory: '8Gi', pods: '10' };
      const status = { capacity, allocatable: capacity };
      await kubectl(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'Node', metadata: { name: 'host' }, status });
      await kubectl(['wait', '--for=jsonpath={.spec.nodeName}=host', 'pod/placed', '--timeout=180s']);
    });

    test('a namespace goes with all that is in it', async () => {
      await kubectl(['create', 'namespace', 'doomed']);
      await kubectl(['-n', 'doomed', 'create', 'secret', 'generic', 'one', '--from-literal=a=b']);
      await kubectl(['delete', 'namespace', 'doomed', '--timeout=180s']);
      await expect(kubectl(['-n', 'doomed', 'get', 'secret', 'one'])).rejects.toThrow('not found');
    });

    test("a user's webhook refuses, and a user's reconciler makes, what their file says", async () => {
      const site = (name: string, title: string): object => ({
        apiVersion: 'example.com/v1',
        kind: 'Site',
        metadata: { name, namespace: 'default' },
        spec: { title },
      });
      await kubectl(['apply', '-f', '-'], SITES);
      await kubectl([
        'wait',
        '--for=jsonpath={.status.acceptedNames.kind}=Site',
        'crd/sites.example.com',
        '--timeout=180s',
      ]);
      if (!tells) await beginHourly(platform.endpoint, 'Davit-ReconcilersFunction');
      const registered = 'validatingwebhookconfiguration/titles.webhooks.davit.dev';
      await kubectl(['wait', '--for=create', registered, '--timeout=120s']);
      await expect(kubectl(['apply', '-f', '-'], site('untitled', ''))).rejects.toThrow('a site has a title');
      await kubectl(['apply', '-f', '-'], site('home', 'Welcome'));
      await kubectl(['wait', '--for=create', 'configmap/home', '--timeout=180s']);
      const made = 'jsonpath={.data.title} {.metadata.managedFields[*].manager} {.metadata.ownerReferences[0].kind}';
      expect(await kubectl(['get', 'configmap', 'home', '--show-managed-fields', '-o', made])).toBe(
        'Welcome sites Site',
      );
    });

    // Neither invokes a function whose answer streams: test/integration/lambda does, by the runtime's own program.
    test("a user's aggregated API is registered, and in discovery and OpenAPI", async () => {
      if (!tells) await beginHourly(platform.endpoint, 'Davit-ReconcilersFunction');
      await kubectl(['wait', '--for=create', 'apiservice/v1.quotes.example.com', '--timeout=180s']);
      expect(await kubectl(['api-resources', '--api-group=quotes.example.com', '-o', 'name'])).toBe(
        'quotes.quotes.example.com\n',
      );
      expect(await kubectl(['explain', 'quotes.spec.text'])).toContain('FIELD: text <string>');
    });

    test('an API server behind a Service is available, and sees the certificate of the account and the user', async () => {
      const authentication = ['configmap/extension-apiserver-authentication', '-n', 'kube-system'];
      if (!tells) await beginHourly(platform.endpoint, 'Davit-ReconcilersFunction');
      await kubectl(['wait', '--for=create', ...authentication, '--timeout=180s']);
      const proxies = 'jsonpath={.data.requestheader-client-ca-file}';
      const clientAuthority = await kubectl(['get', ...authentication, '-o', proxies]);
      const authority = await newAuthority(new Date());
      const { certificate: cert, key } = await authority.issue({ name: 'api' }, ['api.default.svc']);
      await using backend = await startBackend({ cert, key, clientAuthority });
      await kubectl(['create', 'service', 'externalname', 'api', '--external-name=localhost']);
      await kubectl(['apply', '-f', '-'], {
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
      await kubectl(['wait', '--for=condition=Available', 'apiservice/v1.things.example.com', '--timeout=180s']);
      const path = '/apis/things.example.com/v1/namespaces/default/things/a';
      expect(await kubectl(['get', '--raw', path])).toBe('{"kind":"Thing"}');
      const headers: unknown = expect.arrayContaining([expect.stringMatching(/^x-remote-user: arn:aws:/)]);
      expect(backend.take()).toMatchObject([{ url: path, peer: 'front-proxy-client', headers }]);
      await kubectl(['delete', 'apiservice', 'v1.things.example.com']);
    });

    test("publishes events again, by the command of the stack's outputs", async () => {
      const heard = await aRule(platform, { detail: { kind: ['Widget'], type: ['ADDED'] } });
      const { stderr } = await davit('ReplayEvents', '--from', '2026-01-01');
      expect(stderr).toMatch(/^davit: [1-9]\d* events\n$/);
      expect(await heard()).toMatchObject([{ name: 'one', clusterId: 'test' }]);
    });

    test("retries abandoned work and reconciles an object again, by commands of the stack's outputs", async () => {
      const { endpoint, outputs } = platform;
      await giveUp(endpoint, wordsOf(outputs, 'Redrive')[2] ?? '', {
        reconciler: 'deployment-controller',
        name: 'default/web',
      });
      expect((await davit('Redrive')).stdout).toBe('1 tried again\n');
      expect((await davit('Replay', 'deployment-controller', 'default/web')).stdout).toBe(
        'deployment-controller looks at default/web\n',
      );
      await kubectl(['delete', 'configmap', 'home']);
      expect((await davit('ReconcilersitesReplay', 'default/home')).stdout).toBe('sites looks at default/home\n');
      await kubectl(['wait', '--for=create', 'configmap/home', '--timeout=180s']);
    });

    test('gave up nothing on the way', async () => {
      expect(await deadLetters(platform.endpoint)).toBe(0);
    });

    test('it is destroyed, and leaves the nothing that its output promised', async () => {
      expect(platform.outputs['AfterDestroy']).toBe('nothing');
      expect(await leftOf(platform)).toEqual([]);
    });
  });
});

// Of emulators' gateways ministack's alone passes on what a function streams, if in one piece.
const [{ installed, start }] = EMULATORS;
describe('the stack behind a REST API, deployed to ministack', needing(installed, ...needed), () => {
  let platform: Awaited<ReturnType<typeof startPlatform>>;
  const kubectl: Kubectl = (...of) => runKubectl(platform, ...of);

  beforeAll(async () => {
    const own = join(folder, 'rest');
    mkdirSync(own);
    platform = await startPlatform(
      start,
      await synthesize(own, pathOf(runtime), { frontDoor: 'rest', functions: REVIEWS, stage: 'production' }),
    );
  });
  afterAll(() => platform?.[Symbol.asyncDispose]());

  test('knows the user, and rejects requests without a token of AWS', async () => {
    const groups = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}'];
    expect(await kubectl(groups)).toContain('system:masters');
    await expect(kubectl([...groups, '--token', 'another'])).rejects.toThrow('must be logged in');
  });

  test('accepts bodies, and answers queries with several values', async () => {
    const metadata = { name: 'one', labels: { a: 'b', c: 'd' } };
    const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'é & ü' } };
    await kubectl(['apply', '-f', '-'], made);
    await kubectl(['apply', '-f', '-'], { ...made, data: { text: 'ß = ?' } });
    expect(await kubectl(['get', 'configmap', 'one', '-o', 'jsonpath={.data.text}'])).toBe('ß = ?');
    expect(await kubectl(['get', 'configmaps', '-l', 'a in (b,c),c=d', '-o', 'name'])).toBe('configmap/one\n');
    expect(await kubectl(['get', 'configmaps', '-l', 'a!=b', '-o', 'name'])).not.toContain('configmap/one');
    await expect(kubectl(['get', 'configmap', 'two'])).rejects.toThrow('configmaps "two" not found');
  });

  test("asks users' functions to authenticate a token, to authorize its user and to review images", async () => {
    const amy = ['--token', 'of-amy'];
    expect(await kubectl(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}', ...amy])).toBe('amy');
    expect(await kubectl(['get', 'configmaps', '-o', 'name', ...amy])).toContain('configmap/');
    await expect(kubectl(['get', 'secrets', ...amy])).rejects.toThrow('cannot list resource "secrets"');
    await expect(kubectl(['run', 'p', '--image=bad:1'])).rejects.toThrow('a bad image');
  });

  test('ends a watch with its events', async () => {
    const path = '/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name%3Done&timeoutSeconds=2';
    const events = (await kubectl(['get', '--raw', path])).trim().split('\n');
    expect(events.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['ADDED']);
  });

  test('it is destroyed, and leaves its table, with all that is in it, and the key, as its output promised', async () => {
    const { endpoint, outputs } = platform;
    const { TableName: table = '', AfterDestroy: promised } = outputs;
    expect(promised).toContain('the table and its key');
    expect(await leftOf(platform)).toEqual([`table ${table}`, 'key Davit: the table, and the data keys of Secrets']);
    const file = join(folder, 'left.jsonl');
    await runDavit(endpoint, ['export', file, '--table', table]);
    expect(readFileSync(file, 'utf8')).toContain('ß = ?');
  });
});
