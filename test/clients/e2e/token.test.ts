import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseIdentityMap } from '#lib/server/authentication/aws/identity-map-file.ts';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { whoIs } from '#test/clients/integration/security/exchange.ts';
import { installAws } from '#test/support/clients/aws.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { ADMIN, STS_NAMES, startSts } from '#test/support/lambda/sts.ts';
import { needing } from '#test/support/skip.ts';

const run = promisify(execFile);
const DAVIT = join(import.meta.dirname, '../../../bin/davit.mjs');
const kubectl = await newestKubectl();
const aws = await installAws();

const env = {
  ...process.env,
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_REGION: 'us-east-1',
};

let server: RunningApiserver;
let sts: Awaited<ReturnType<typeof startSts>>;

beforeAll(async () => {
  const authority = await newAuthority(new Date());
  sts = await startSts(
    await authority.issue({ name: 'sts' }, [...STS_NAMES, 'sts.amazonaws.com', 'sts.eu-west-1.amazonaws.com']),
  );
  const mapped = { rolearn: ADMIN, username: 'amy', groups: ['system:masters'] };
  const map = parseIdentityMap(JSON.stringify({ clusterID: 'prod', mapRoles: [mapped] }));
  const endpoint = { host: '127.0.0.1', port: Number(new URL(sts.url).port), caBundle: authority.certificate };
  server = await startApiserver({ controllers: false, authentication: { aws: { map, endpoint } } });
});
afterAll(() => Promise.all([sts.close(), server.close()]));

test.for(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'])(
  'kubectl authenticates with davit token, as %s',
  needing(kubectl),
  async (version) => {
    const given = ['kubeconfig', '--server', server.url, '--cluster-id', 'prod', '--command', DAVIT];
    const { stdout } = await run(process.execPath, [DAVIT, ...given]);
    const folder = mkdtempSync(join(tmpdir(), 'davit-token-'));
    const [ca, config] = [join(folder, 'ca.pem'), join(folder, 'kubeconfig')];
    writeFileSync(ca, server.certificateAuthority);
    writeFileSync(config, stdout.replace('client.authentication.k8s.io/v1', version));
    const asked = ['--kubeconfig', config, '--certificate-authority', ca, 'auth', 'whoami', '-o', 'json'];
    const whoami = await run(pathOf(kubectl), asked, { env });
    expect(JSON.parse(whoami.stdout)).toMatchObject({ status: { userInfo: { username: 'amy' } } });
  },
);

describe('aws eks get-token, unmodified,', needing(aws), () => {
  const tokenFor = async (more: Record<string, string>): Promise<string> => {
    const args = ['eks', 'get-token', '--cluster-name', 'prod', '--output', 'json'];
    const { stdout } = await run(pathOf(aws), args, { env: { ...env, AWS_EC2_METADATA_DISABLED: 'true', ...more } });
    return (JSON.parse(stdout) as { status: { token: string } }).status.token;
  };

  test.each<[string, Record<string, string>]>([
    ['of the one STS', { AWS_STS_REGIONAL_ENDPOINTS: 'legacy' }],
    [
      'of a region',
      { AWS_DEFAULT_REGION: 'eu-west-1', AWS_REGION: 'eu-west-1', AWS_STS_REGIONAL_ENDPOINTS: 'regional' },
    ],
  ])('authenticates with a token %s', async (_, more) => {
    const shown = { headers: { authorization: `Bearer ${await tokenFor(more)}` } };
    expect(await whoIs(server, shown)).toBe('somebody with every right');
  });
});

test.each([
  ['of a version that is none', { KUBERNETES_EXEC_INFO: '{"apiVersion":"v2"}' }, [], 'asks for "v2"'],
  ['for an id that is none', {}, ['--cluster-id', 'a b'], 'An id is'],
])('rejects a token %s in one line', async (_, more, args, message) => {
  const failed = run(process.execPath, [DAVIT, 'token', ...args], { env: { ...env, ...more } });
  await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining(message), stdout: '' });
});
