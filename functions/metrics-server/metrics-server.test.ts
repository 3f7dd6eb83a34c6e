import { expect, test } from 'vitest';
import { frozenClock, systemClock } from '#adapters/clock.ts';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { functionUser } from '#lib/client/controller/function-account.ts';
import { functionAccounts } from '#lib/client/controller/function-accounts.ts';
import { ACCOUNTS } from '#lib/client/controller/function-names.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { serveAggregatedApi } from '#lib/sdk/extension-apiserver/serve.ts';
import { READER_RULES } from '#lib/sdk/metrics-server/reader-rules.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';
import { startContainerCluster } from '#test/support/gateway/container-cluster.ts';
import { metricsServer } from './wiring.ts';

const NAME = 'metrics-server';

/** Metrics of a node that runs `web`, at this age in milliseconds. */
const metrics = (age: number): string => {
  const labels = '{container="main",namespace="default",pod="web"}';
  return [
    `node_cpu_usage_seconds_total ${1 + age / 2000}\nnode_memory_working_set_bytes 1048576`,
    `container_cpu_usage_seconds_total${labels} ${1 + age / 4000}\ncontainer_memory_working_set_bytes${labels} 1024\n`,
  ].join('\n');
};

test('measures nodes and pods via another API server, with only the permissions of a reader', async () => {
  const pod = { containers: [{ name: 'main', image: 'i' }] };
  await using cluster = await startContainerCluster({ web: pod });
  const begun = systemClock.monotonic();
  cluster.node.on('/metrics/resource', {
    request: (_, response) => void response.end(metrics(systemClock.monotonic() - begun)),
  });
  const others = [{ name: NAME, rules: READER_RULES }];
  const accounts = functionAccounts({ client: cluster.client, declarations: () => [], others });
  await accounts.reconcile(ACCOUNTS.name);
  const handle: Apiserver['handle'] = (request) =>
    cluster.handle({ ...request, headers: { ...request.headers, 'impersonate-user': functionUser(NAME) } });
  const faults: string[] = [];
  const onFault = (node: string, error: unknown): void => void faults.push(`${node}: ${String(error)}`);
  const api = metricsServer({ handle, clock: frozenClock, resolution: 60_000, onFault });

  const names = async (resource: string): Promise<readonly string[]> => {
    const path = `/apis/metrics.k8s.io/v1beta1/${resource}`;
    const info = requestInfo('GET', path, new URLSearchParams());
    if (info === undefined) throw new Error(path);
    const { signal } = new AbortController();
    const body = async () => new Uint8Array();
    const { body: answer } = await serveAggregatedApi(api, {
      request: { method: 'GET', query: new URLSearchParams(), headers: {}, body, signal: () => signal },
      info,
      user: { name: 'ann', groups: [] },
      clock: systemClock,
      log: { info() {}, error() {} },
    });
    const list = parseStored(Buffer.from(answer as Uint8Array));
    return isObject(list) ? arrayAt(list, 'items').filter(isObject).map(nameOf) : [];
  };
  expect([await names('nodes'), await names('pods'), faults]).toEqual([['n1'], ['web'], []]);

  const secrets = { method: 'GET', path: '/api/v1/secrets', query: new URLSearchParams(), headers: {} };
  const { signal } = new AbortController();
  const refused = await handle({ ...secrets, body: async () => new Uint8Array(), signal: () => signal });
  expect(refused.status).toBe(403);
});
