import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { davitCommand } from '#local/command.ts';
import { serverArguments } from './arguments.ts';

/** The flags that envtest passes to kube-apiserver. */
const GIVEN = [
  '--allow-privileged=true',
  '--authorization-mode=RBAC',
  '--bind-address=127.0.0.1',
  '--cert-dir=/tmp/certs',
  '--client-ca-file=/tmp/certs/client-cert-auth-ca.crt',
  '--disable-admission-plugins=ServiceAccount',
  '--etcd-servers=http://127.0.0.1:2379',
  '--secure-port=7000',
  '--service-account-issuer=https://127.0.0.1:7000/',
  '--service-account-key-file=/tmp/certs/sa-signer.crt',
  '--service-account-signing-key-file=/tmp/certs/sa-signer.key',
  '--service-cluster-ip-range=10.0.0.0/24',
];

test("reads upstream's flags as ours", () => {
  const { directory, flags } = serverArguments(GIVEN);
  expect(directory).toBe('/tmp/certs');
  expect(
    davitCommand()
      .parse(['node', 'davit', ...flags])
      .opts(),
  ).toMatchObject({
    inMemory: true,
    host: '127.0.0.1',
    port: 7000,
    controllers: [],
    tlsCertFile: '/tmp/certs/apiserver.crt',
    tlsPrivateKeyFile: '/tmp/certs/apiserver.key',
    clientCaFile: '/tmp/certs/client-cert-auth-ca.crt',
    disableAdmissionPlugins: ['ServiceAccount'],
    serviceAccountKeyFile: ['/tmp/certs/sa-signer.crt'],
  });
});

test.each<[string, string[], string[]]>([
  ['controllers that are named run', ['--controllers=*'], ['--controllers=*']],
  ['no certificates are named where there is no place of them', [], ['--controllers=']],
  [
    'a certificate that is named goes before that of the place',
    ['--cert-dir=/c', '--tls-cert-file=/a'],
    ['--controllers=', '--tls-cert-file=/a'],
  ],
  ['what is not known stays', ['--x', '-y=1'], ['--controllers=', '--x', '-y=1']],
])('translates arguments: %s', (_, given, flags) => {
  expect(serverArguments(given).flags).toEqual(['--in-memory', ...flags]);
});

test('reports that removed flags have no effect', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/kube-apiserver.md'), 'utf8');
  const rows = page.split('\n').flatMap((line) => /^\| `--([a-z0-9-]+)` \| ([^|]*) \|/.exec(line)?.slice(1, 3) ?? []);
  const dropped = rows.filter(
    (flag, i) => i % 2 === 0 && !serverArguments([`--${flag}=1`]).flags.includes(`--${flag}=1`),
  );
  const lost = dropped.filter((flag) => rows[rows.indexOf(flag) + 1] === 'refused');
  expect(lost).toEqual(['service-cluster-ip-range']);
});
