import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { describeOn } from '#test/describe-on.ts';
import { localTable } from '#test/dynamodb-local/fixture.ts';
import { startDynamoDbLocal } from '#test/dynamodb-local/start.ts';
import { ADMIN, awsToken, startSts, STS_NAMES } from '#test/lambda/sts.ts';
import { mortal } from '#test/mortal.ts';
import { bundle } from '../../../scripts/bundle.ts';

describeOn(await startDynamoDbLocal(), 'the API server as a program that listens', (endpoint) => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-server-'));
  const token = awsToken(new Date());
  let sts: Awaited<ReturnType<typeof startSts>>;
  let server: ChildProcess;
  let port: number;
  beforeAll(async () => {
    bundle('apiserver-server', folder);
    const table = `davit-${randomUUID()}`;
    (await localTable(endpoint, table)).close();
    const authority = await newAuthority(new Date());
    sts = await startSts(await authority.issue({ name: 'sts' }, STS_NAMES));
    writeFileSync(join(folder, 'ca.pem'), authority.certificate);
    server = spawn(process.execPath, [join(folder, 'index.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PORT: '0',
        DAVIT_FRONT_DOOR: 'container',
        DAVIT_TABLE: table,
        DAVIT_CLUSTER_ID: 'test',
        DAVIT_ADMIN: ADMIN,
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        AWS_ENDPOINT_URL_STS: sts.url,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_EC2_METADATA_DISABLED: 'true',
        NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      },
    });
    mortal(server);
    const [line] = (await once(createInterface(server.stdout ?? process.stdin), 'line')) as [string];
    ({ port } = JSON.parse(line) as { port: number });
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await sts.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function ask(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    const [answer] = (await once(get({ host: '127.0.0.1', port, path, headers }), 'response')) as [IncomingMessage];
    return answer;
  }
  const admin = { authorization: `Bearer ${token}` };
  const textOf = async (answer: IncomingMessage): Promise<string> =>
    (await answer.setEncoding('utf8').toArray()).join('');

  test('knows its administrator, and believes no bare header of a certificate', async () => {
    expect((await ask('/api/v1/namespaces', admin)).statusCode).toBe(200);
    const bare = { 'cloudfront-viewer-cert-subject': 'CN=amy,O=system:masters' };
    expect((await ask('/api/v1/namespaces', bare)).statusCode).toBe(401);
  });

  test('ends its watches, and itself, when it is told to', async () => {
    const watch = await ask('/api/v1/namespaces?watch=1&resourceVersion=0&allowWatchBookmarks=true', admin);
    const told = textOf(watch);
    await once(watch, 'readable');
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    expect(await told).toContain('"kube-system"');
    expect(await exited).toEqual([0, null]);
  });
});
