import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { placeOf } from '#adapters/server/http/kubeconfig.ts';
import { addNode } from '#local/commands/node-add.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { startMinistack } from '#test/support/ministack/start.ts';
import { type Deployed, synthesize } from './assembly.ts';
import type { EnvironmentOf } from './emulator.ts';
import { startPlatform } from './platform.ts';
import { Stack } from './stack.ts';

const AGENT = join(import.meta.dirname, '../../node-agent/main.ts');
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/edge-1';

/**
 * Configures the functions to use the emulator's WebSocket API, which has a path prefix. Throws if the template contains no WebSocket API.
 */
function leadChannel(assembly: string, endpoint: string): void {
  const template = join(assembly, 'Davit.template.json');
  const text = readFileSync(template, 'utf8');
  const here = `${endpoint.replace(/^http/, 'ws')}/_aws/execute-api/`;
  const url = /"wss:\/\/",(\s*\{[^}]*\}),\s*"\.execute-api\.",\s*\{[^}]*\},\s*"\.amazonaws\.com(\/\w+)"/g;
  const led = text.replaceAll(url, (_, api: string, stage: string) => `"${here}",${api},"${stage}"`);
  if (led === text) throw new Error('the template names no WebSocket API');
  writeFileSync(template, led);
}

/** A stack with nodes and the metrics API on ministack, whose functions reach its WebSocket API. `runtime` is aws-lambda-ric's program. */
export function channeledStack(runtime: string, deployed: Deployed): Stack {
  const folder = mkdtempSync(join(tmpdir(), 'davit-channel-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return new Stack(async () => {
    const assembly = await synthesize(folder, runtime, { ...deployed, nodes: true, metricsApi: true });
    return startPlatform(async (ofFunctions) => {
      // Clients use the name of the proxy in front of the API.
      const named: EnvironmentOf = (endpoint) => {
        const environment = ofFunctions(endpoint);
        return { ...environment, DAVIT_ENDPOINT: environment['DAVIT_API_URL'] ?? '' };
      };
      const emulator = await startMinistack(named);
      if ('endpoint' in emulator) leadChannel(assembly, emulator.endpoint);
      return emulator;
    }, assembly);
  });
}

/** Tests a stack with nodes: the metrics API, and an agent behind the WebSocket API. */
export function channelSuite(stack: Stack): void {
  const folder = mkdtempSync(join(tmpdir(), 'davit-agent-'));
  let connection: ApiConnection;
  beforeAll(() => void (connection = new ApiConnection(remoteOf(stack.platform.kubeconfig))));
  afterAll(() => {
    connection?.[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  const got = (path: string): Promise<string> => textOf(connection, path);

  // The emulator cannot invoke functions with streamed responses. test/cloud/lambda/metrics-server.test.ts tests this.
  test('the metrics API is registered as a function of the stack, and in discovery', async () => {
    const service = '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io';
    await eventually(async () =>
      expect(await got(service)).toMatch(/^200 .*"davit\.dev\/function":"davit-metrics-server-/),
    );
    await eventually(async () => expect(await got('/apis/metrics.k8s.io/v1beta1')).toMatch(/^200 .*"NodeMetrics"/));
  });

  test('an agent joins, is its node by signed requests, and answers requests over the WebSocket API', async () => {
    await using running = await agent(stack, folder);
    await eventually(async () => expect(await got('/api/v1/nodes/edge-1')).toMatch(/^200 .*"nodeInfo"/));
    await eventually(async () => expect(await got(LEASE)).toMatch(/^200 .*"renewTime"/));
    await eventually(() => expect(running.stderr).toContain('the channel stands'));
    await eventually(async () => expect(await got('/api/v1/nodes/edge-1/proxy/healthz')).toBe('200 ok'));
    expect(await got('/api/v1/nodes/edge-1/proxy/configz')).toMatch(/^200 .*"kubeletconfig"/);
    expect(await got('/api/v1/nodes/edge-2/proxy/healthz')).toMatch(/^(404|503) /);
  });
}

/** The status and the text of a response to the administrator. */
async function textOf(connection: ApiConnection, path: string): Promise<string> {
  const { signal } = new AbortController();
  const body = async (): Promise<Uint8Array> => new Uint8Array();
  const answer = await connection.handle({
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers: {},
    body,
    signal: () => signal,
  });
  const text = answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString() : '';
  return `${answer.status} ${text}`;
}

/** Runs the agent as a separate process. */
async function agent({ platform: { kubeconfig } }: Stack, folder: string): Promise<RunningProgram> {
  const flags = { ttl: '1h', servingCertificate: false, output: folder, server: remoteOf(kubeconfig).url };
  await addNode('edge-1', flags, kubeconfig);
  const state = join(folder, 'state');
  return new RunningProgram(process.execPath, [
    AGENT,
    `--bootstrap-kubeconfig=${join(folder, 'bootstrap-kubelet.conf')}`,
    `--root-dir=${state}`,
    `--kubeconfig=${join(state, 'kubeconfig')}`,
    '--hostname-override=edge-1',
    '--look-frequency=10s',
  ]);
}

/** The server in a kubeconfig. */
const remoteOf = (kubeconfig: string) =>
  placeOf(readFileSync(kubeconfig, 'utf8'), diskFiles(dirname(kubeconfig))).remote;
