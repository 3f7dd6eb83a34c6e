import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ApiConnection } from '#test/clients/integration/api-connection.ts';
import { installOpenApiGenerator, type OpenApiGenerator } from '#test/support/clients/openapi-generator.ts';
import { eventually } from '#test/support/eventually.ts';
import { simpleDefinition } from '#test/support/simple-definition.ts';
import { needing } from '#test/support/skip.ts';
import { type Cluster, useCluster } from './cluster.ts';
import { runProgram } from './program.ts';

const CRD = simpleDefinition({
  group: 'generated.davit.test',
  plural: 'robots',
  kind: 'Robot',
  subresources: { status: {} },
  properties: {
    spec: { type: 'object', required: ['legs'], properties: { legs: { type: 'integer', format: 'int32' } } },
    status: { type: 'object', properties: { mood: { type: 'string' } } },
  },
});

interface Kubeconfig {
  readonly clusters: readonly [{ cluster: { server: string; 'certificate-authority-data': string } }];
  readonly users: readonly [{ user: { 'client-certificate-data': string; 'client-key-data': string } }];
}

/** The generated client's credentials as files, the only form that it accepts. */
function connection({ server, folder }: Cluster): Record<string, string> {
  const { clusters, users } = parse(server.kubeconfig) as Kubeconfig;
  const file = (name: string, data: string): string => {
    const path = join(folder, name);
    writeFileSync(path, Buffer.from(data, 'base64'), { mode: 0o600 });
    return path;
  };
  return {
    SERVER: clusters[0].cluster.server,
    AUTHORITY: file('ca.pem', clusters[0].cluster['certificate-authority-data']),
    CERTIFICATE: file('client.pem', users[0].user['client-certificate-data']),
    KEY: file('client.key', users[0].user['client-key-data']),
  };
}

const generator = await installOpenApiGenerator();

describe('a client that OpenAPI Generator generates from the published document', needing(generator), () => {
  const cluster = useCluster();

  test('manages objects of a custom kind', async () => {
    const { generate, python } = generator as OpenApiGenerator;
    using api = new ApiConnection(cluster().server.kubeconfig);
    await api.json('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', CRD);
    const path = '/openapi/v3/apis/generated.davit.test/v1';
    await eventually(async () => expect((await api.send('GET', path)).status).toBe(200));
    const document = join(cluster().folder, 'openapi.json');
    writeFileSync(document, (await api.send('GET', path)).text);
    const client = join(cluster().folder, 'client');
    await generate(document, 'davit_client', client);
    const script = join(import.meta.dirname, '../../support/clients/python/generated.py');
    const env = { ...connection(cluster()), PYTHONPATH: client };
    const { code, stdout, stderr } = await runProgram(python, [script], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      legs: [4, 4],
      generation: 2,
      mood: 'gloomy',
      conflict: [409, 'Conflict'],
      listed: ['marvin'],
      gone: 'Success',
      left: 0,
    });
  });
});
