import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { ctr } from './container-runtime.ts';
import { imageArchive } from './images.ts';
import { CGROUP, HOST } from './setup.ts';
import { TestNode } from './test-node.ts';

const SIGNALLED = 'localhost/signalled:1';
/** The folder of the host where containers record their signals. */
const NOTED = '/run/noted';
let node: TestNode;

beforeAll(async () => {
  mkdirSync(NOTED, { recursive: true });
  node = await TestNode.start('--sync-frequency=1s', '--container-log-max-size=4Ki', '--container-log-max-files=3');
  ctr('images', 'import', imageArchive({ name: SIGNALLED, stopSignal: 'SIGUSR1' }));
  await node.output('create', 'configmap', 'settings', '--from-literal=COLOR=green', '--from-literal=SIZE=5');
  await node.output('create', 'secret', 'generic', 'words', '--from-literal=word=hidden');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

const isReady = (...names: readonly string[]): Promise<string> =>
  node.output('wait', '--for=condition=Ready', '--timeout=90s', ...names.map((name) => `pod/${name}`));
const inside = (name: string, script: string): Promise<string> =>
  node.output('exec', name, '-c', 'main', '--', 'sh', '-c', script);
const fieldOf = (name: string, path: string): Promise<string> =>
  node.output('get', 'pod', name, '-o', `jsonpath=${path}`);
const phaseIs = (name: string, phase: string): Promise<string> =>
  node.output('wait', `--for=jsonpath={.status.phase}=${phase}`, `pod/${name}`, '--timeout=90s');

const field = (name: string, fieldPath: string): object => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const resource = (name: string, path: string): object => ({
  name,
  valueFrom: { resourceFieldRef: { resource: path } },
});

/** A pod with many features. Each row below checks one of them from inside. */
const MANY = {
  hostname: 'given',
  subdomain: 'sub',
  hostAliases: [{ ip: '10.0.0.9', hostnames: ['other.test', 'another.test'] }],
  dnsPolicy: 'None',
  dnsConfig: { nameservers: ['10.0.0.53'], searches: ['a.test', 'b.test'], options: [{ name: 'ndots', value: '2' }] },
  securityContext: {
    seccompProfile: { type: 'RuntimeDefault' },
    sysctls: [
      { name: 'kernel.shm_rmid_forced', value: '1' },
      { name: 'net.ipv4.ip_unprivileged_port_start', value: '80' },
    ],
    fsGroup: 2000,
  },
  volumes: [
    { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '8Mi' } },
    { name: 'paths', emptyDir: {} },
    { name: 'facts', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    {
      name: 'all',
      projected: {
        sources: [
          { serviceAccountToken: { path: 'token', audience: 'others', expirationSeconds: 600 } },
          { configMap: { name: 'settings', items: [{ key: 'SIZE', path: 'size', mode: 0o400 }] } },
          { secret: { name: 'words' } },
        ],
      },
    },
  ],
  containers: [
    shell(FOREVER, {
      envFrom: [{ prefix: 'SET_', configMapRef: { name: 'settings' } }, { secretRef: { name: 'words' } }],
      env: [
        field('POD', 'metadata.name'),
        field('LABEL', "metadata.labels['app']"),
        field('NODE', 'spec.nodeName'),
        field('ACCOUNT', 'spec.serviceAccountName'),
        field('HOST_IPS', 'status.hostIPs'),
        field('POD_IP', 'status.podIP'),
        resource('CPU', 'limits.cpu'),
        resource('MEMORY', 'limits.memory'),
        { name: 'JOINED', value: '$(POD)-$(NODE)-$$(POD)-$(NONE)' },
      ],
      resources: { limits: { cpu: '1500m', memory: '64Mi' }, requests: { cpu: '10m', memory: '64Mi' } },
      volumeMounts: [
        { name: 'memory', mountPath: '/memory' },
        { name: 'paths', mountPath: '/own', subPathExpr: 'of/$(POD)' },
        { name: 'paths', mountPath: '/paths' },
        { name: 'facts', mountPath: '/facts' },
        { name: 'all', mountPath: '/all' },
      ],
    }),
  ],
};

describe('a pod has', () => {
  beforeAll(async () => {
    await node.apply(aPod('many', '', MANY));
    await isReady('many');
  });
  afterAll(async () => {
    await node.output('delete', 'pod', 'many', '--timeout=60s');
  });

  test.each([
    ['host aliases', 'grep 10.0.0.9 /etc/hosts', /^10\.0\.0\.9\tother\.test\tanother\.test$/],
    ['its hostname', 'hostname', /^given$/],
    ['its subdomain', 'grep given /etc/hosts', /^10\.244\.0\.\d+\tgiven\.sub\.default\.svc\.cluster\.local\tgiven$/],
    ['its resolvers', 'cat /etc/resolv.conf', /^search a\.test b\.test\nnameserver 10\.0\.0\.53\noptions ndots:2$/],
    ['variables of a ConfigMap and a Secret', 'echo $SET_COLOR $SET_SIZE $word', /^green 5 hidden$/],
    ['its name, label, node and account', 'echo $POD $LABEL $NODE $ACCOUNT', /^many many n1 default$/],
    ['addresses', 'echo $HOST_IPS $POD_IP', new RegExp(`^${HOST} 10\\.244\\.0\\.\\d+$`)],
    ['its limits', 'echo $CPU $MEMORY', /^2 67108864$/],
    ['joined variables', 'echo "$JOINED"', /^many-n1-\$\(POD\)-\$\(NONE\)$/],
    ['a subpath of its name', 'touch /own/file; ls /paths/of', /^many$/],
    ['files on a tmpfs of this size', 'grep " /memory " /proc/mounts', /^tmpfs \/memory tmpfs .*size=8192k/],
    ['a group of its volumes', 'stat -c "%g %A" /paths; id -G', /^2000 drwxrwsrwx\n0 2000$/],
    ['its labels in a file', 'cat /facts/labels', /^app="many"$/],
    ['projected files', 'cat /all/size /all/word; stat -Lc %a /all/size', /^5hidden440$/],
    ['a token for others', 'cut -d. -f2 /all/token', /^ey/],
    ['a filter of system calls', 'grep Seccomp: /proc/self/status', /^Seccomp:\t2$/],
    ['safe sysctls', 'cat /proc/sys/kernel/shm_rmid_forced /proc/sys/net/ipv4/ip_unprivileged_port_start', /^1\n80$/],
  ])('%s', async (_, script, shown) => {
    expect((await inside('many', script)).trim()).toMatch(shown);
  });

  test('a token of ten minutes for another audience', async () => {
    const [, body = ''] = (await inside('many', 'cat /all/token')).split('.');
    const { aud, exp, iat } = JSON.parse(Buffer.from(body, 'base64url').toString());
    expect([aud, exp - iat]).toEqual([['others'], 600]);
  });

  test('its new labels in the file after a short time', async () => {
    await node.output('label', 'pod', 'many', 'late=yes');
    await eventually(async () => expect(await inside('many', 'cat /facts/labels')).toContain('late="yes"'));
  });
});

test('the FQDN is the hostname if the pod requests it', async () => {
  await node.apply(aPod('whole', '', { subdomain: 'sub', setHostnameAsFQDN: true, containers: [shell(FOREVER)] }));
  await isReady('whole');
  expect(await inside('whole', 'hostname')).toBe('whole.sub.default.svc.cluster.local\n');
  await node.output('delete', 'pod', 'whole', '--timeout=60s');
});

test('the overhead of a RuntimeClass counts for the cgroup of the pod', async () => {
  const overhead = { podFixed: { cpu: '100m', memory: '32Mi' } };
  await node.apply({
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'heavy' },
    handler: 'runc',
    overhead,
  });
  const resources = { limits: { cpu: '200m', memory: '64Mi' } };
  await node.apply(aPod('heavy', '', { runtimeClassName: 'heavy', containers: [shell(FOREVER, { resources })] }));
  await isReady('heavy');
  const uid = await fieldOf('heavy', '{.metadata.uid}');
  const limitOf = (path: string) => readFileSync(`/sys/fs/cgroup/${path}`, 'utf8').trim();
  const group = `${CGROUP}/kubepods/pod${uid}`;
  expect(limitOf(`memory/${group}/memory.limit_in_bytes`)).toBe(String(96 * 1024 * 1024));
  expect(limitOf(`cpu/${group}/cpu.cfs_quota_us`)).toBe('30000');
  await node.output('delete', 'pod', 'heavy', '--timeout=60s');
  await node.output('delete', 'runtimeclass', 'heavy');
});

test('a port of the host leads to the pod, and another pod with it does not start', async () => {
  const ports = [{ containerPort: 8080, hostPort: 8081 }];
  const web = 'mkdir /www; echo served > /www/index.html; exec httpd -f -p 8080 -h /www';
  await node.apply(aPod('first', '', { nodeName: 'n1', containers: [shell(web, { ports })] }));
  await isReady('first');
  await eventually(async () => {
    const answer = await fetch(`http://${HOST}:8081/`).catch(() => undefined);
    return (await answer?.text()) === 'served\n';
  });
  await node.apply(aPod('second', '', { nodeName: 'n1', containers: [shell(FOREVER, { ports })] }));
  await phaseIs('second', 'Failed');
  expect(await fieldOf('second', '{.status.reason}: {.status.message}')).toMatch(
    /^NodePorts: Pod was rejected: Predicate NodePorts failed/,
  );
  await node.output('delete', 'pod', 'first', 'second', '--timeout=60s');
});

test('a long log is rotated, and goes on in a new file', async () => {
  await node.apply(aPod('talks', 'while :; do echo "a line of a log that grows"; sleep 0.02; done'));
  await isReady('talks');
  await eventually(() => expect(globSync('/var/log/pods/default_talks_*/main/0.log*').length).toBeGreaterThan(1));
  await eventually(async () =>
    expect(await node.output('logs', 'talks', '--tail=1')).toBe('a line of a log that grows\n'),
  );
  await node.output('delete', 'pod', 'talks', '--grace-period=1', '--timeout=60s');
});

test('stops a container with the signal of its image', async () => {
  const script = `trap "echo USR1 > ${NOTED}/signal; exit 0" USR1; while :; do sleep 1000 & wait $!; done`;
  const volumeMounts = [{ name: 'noted', mountPath: NOTED }];
  const volumes = [{ name: 'noted', hostPath: { path: NOTED } }];
  const containers = [shell(script, { image: SIGNALLED, volumeMounts })];
  await node.apply(aPod('signalled', '', { containers, volumes, terminationGracePeriodSeconds: 30 }));
  await isReady('signalled');
  await node.output('delete', 'pod', 'signalled', '--timeout=25s');
  expect(readFileSync(`${NOTED}/signal`, 'utf8')).toBe('USR1\n');
});

test('a restart rule restarts a container of a pod that is never restarted', async () => {
  const script = 'test -e /kept/once && exit 0; touch /kept/once; exit 42';
  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
  const container = shell(script, {
    restartPolicy: 'Never',
    restartPolicyRules: rules,
    volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
  });
  const volumes = [{ name: 'kept', emptyDir: {} }];
  await node.apply(aPod('ruled', '', { restartPolicy: 'Never', containers: [container], volumes }));
  await phaseIs('ruled', 'Succeeded');
  expect(await fieldOf('ruled', '{.status.containerStatuses[0].restartCount}')).toBe('1');
  await node.output('delete', 'pod', 'ruled', '--timeout=60s');
});

test('a pod fails at its deadline', async () => {
  await node.apply(
    aPod('late', '', { activeDeadlineSeconds: 2, terminationGracePeriodSeconds: 1, containers: [shell(FOREVER)] }),
  );
  await phaseIs('late', 'Failed');
  expect(await fieldOf('late', '{.status.reason}: {.status.message}')).toBe(
    'DeadlineExceeded: Pod was active on the node longer than the specified deadline',
  );
  await node.output('delete', 'pod', 'late', '--timeout=60s');
});
