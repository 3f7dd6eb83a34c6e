import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseIdentityMap } from '#lib/server/authentication/aws/identity-map-file.ts';
import { newAuthority } from '#local/certs.ts';
import { startApiserver } from '#local/start-apiserver.ts';
import { installAws } from '#test/support/clients/aws.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { newestKubectl } from '#test/support/clients/kubectl.ts';
import { ADMIN, STS_NAMES, startSts } from '#test/support/lambda/sts.ts';
import { needing } from '#test/support/skip.ts';
import { kubeconfigCommand } from '../../infra/kubeconfig-command.ts';

const run = promisify(execFile);
const kubectl = await newestKubectl();
const aws = await installAws();

test("kubectl authenticates with the stack's command and aws eks get-token", needing(kubectl, aws), async () => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-eks-'));
  const authority = await newAuthority(new Date());
  const sts = await startSts(await authority.issue({ name: 'sts' }, STS_NAMES));
  const mapped = { rolearn: ADMIN, username: 'amy', groups: ['system:masters'] };
  const map = parseIdentityMap(JSON.stringify({ clusterID: 'prod', mapRoles: [mapped] }));
  const endpoint = { host: '127.0.0.1', port: Number(new URL(sts.url).port), caBundle: authority.certificate };
  const server = await startApiserver({ controllers: false, authentication: { aws: { map, endpoint } } });
  writeFileSync(join(folder, 'ca.pem'), server.certificateAuthority);
  const env = {
    ...process.env,
    PATH: [dirname(pathOf(aws)), dirname(pathOf(kubectl)), process.env['PATH']].join(delimiter),
    KUBECONFIG: join(folder, 'config'),
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  try {
    await run('sh', ['-c', kubeconfigCommand({ clusterId: 'prod', endpoint: server.url, region: 'us-east-1' })], {
      env,
    });
    const asked = ['--certificate-authority', join(folder, 'ca.pem'), 'auth', 'whoami', '-o', 'json'];
    const { stdout } = await run(pathOf(kubectl), asked, { env });
    expect(JSON.parse(stdout)).toMatchObject({ status: { userInfo: { username: 'amy' } } });
  } finally {
    await Promise.all([sts.close(), server.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
});
